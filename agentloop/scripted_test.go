package agentloop

import (
	"dugout/agentloop/model"
	"dugout/agentloop/model/scripted"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func withScripted(o *Options) {
	o.Models = model.NewRegistry([]model.Provider{scripted.New(scripted.Options{})}, nil)
	o.Model = sessionio.ModelRef{Provider: "scripted", Model: "demo"}
}

// The whole of it with real tools: files written, commands run, the answer names the tools.
func TestScriptedTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, tool.Default(tool.Options{}), withScripted)
	r.ask("say: here we go\nwrite: a.txt hello\nrun: cat a.txt")
	if b, err := os.ReadFile(filepath.Join(r.o.CWD, "a.txt")); err != nil || strings.TrimSpace(string(b)) != "hello" {
		t.Errorf("a.txt: %q, %v", b, err)
	}
	got := r.context()
	results := 0
	for _, l := range got {
		if strings.HasPrefix(l, "result ") {
			results++
		}
	}
	if err := stored(got); err != "" || results != 2 || !strings.Contains(strings.Join(got, "\n"), "hello") {
		t.Errorf("%s: %q", err, got)
	}
	st := r.State()
	if !st.Scripted || st.ContextWindow != 100_000 || st.LastError != "" || st.Verdict != sessionio.VerdictCompleted || st.Recap == "" {
		t.Errorf("state %+v", st)
	}
	r.ask("ask: Which one do you want?")
	if st := r.State(); st.Verdict != sessionio.VerdictNeedsInput || st.Recap != "Which one do you want?" {
		t.Errorf("state %+v", st)
	}
}

func TestScriptedFaultsAreOvercome(t *testing.T) {
	t.Parallel()
	for _, f := range []string{"429", "500", "529", "drop", "stall"} {
		t.Run(f, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, nil, nil, func(o *Options) {
				withScripted(o)
				o.Watchdog = 50 * time.Millisecond
			})
			r.ask("say: before\nfail: " + f + "\nsay: after")
			got := strings.Join(r.context(), "\n")
			if st := r.State(); st.LastError != "" || !strings.Contains(got, "after") {
				t.Errorf("%q, %q", st.LastError, got)
			}
			if n := strings.Count(got, "assistant "); n != 1 {
				t.Errorf("%d answers in %q", n, got)
			}
			r.until("a retry", func(e Event) bool { return e.Retry != nil })
		})
	}
}

// A scripted model summarises by rule, again and again, and after its context was refused.
func TestScriptedCompaction(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, nil, func(o *Options) {
		withScripted(o)
		o.Compaction.KeepRecentTokens = 50
	})
	r.ask("tokens: 200")
	r.ask("tokens: 200")
	if err := r.Compact(testContext(t), ""); err != nil {
		t.Fatal(err)
	}
	r.ask("fail: overflow\ntokens: 200")
	if st := r.State(); st.LastError != "" {
		t.Fatal(st.LastError)
	}
	all, path := r.read()
	if n := len(ofType(all, sessionio.TypeCompaction)); n != 2 {
		t.Errorf("%d compactions", n)
	}
	first := sessionio.BuildContext(path).Messages[0]
	if !strings.Contains(first.Summary, "scripted") || !strings.Contains(first.Summary, "## Before") {
		t.Errorf("summary %q", first.Summary)
	}
}

// Processes of a tool are dead when Abort returns.
func TestAbortKillsCommand(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, tool.Default(tool.Options{}), withScripted)
	r.prompt("run: echo started; trap '' INT TERM; sleep 30; echo late > late.txt")
	r.until("output", func(e Event) bool { return e.ToolOutput != nil && strings.Contains(e.ToolOutput.Chunk, "started") })
	if err := r.Abort(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.context(), "\n"); !strings.Contains(got, "started") || !strings.Contains(got, interrupted) {
		t.Errorf("context %q", got)
	}
}

func TestScriptedPermission(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, tool.Default(tool.Options{}), func(o *Options) {
		withScripted(o)
		o.Permission = permission.Ask
	})
	r.prompt("read: b.txt\nwrite: b.txt x\nls: .")
	var id string
	e := r.until("a question", func(e Event) bool { return e.Permission != nil })
	id = e.Permission.ID
	if e.Permission.Tool != "write" || e.Permission.Effect.Preview == "" {
		t.Errorf("question %+v", e.Permission)
	}
	r.Answer(id, Answer{Allow: true})
	r.wait()
	if _, err := os.Stat(filepath.Join(r.o.CWD, "b.txt")); err != nil {
		t.Error(err)
	}
}
