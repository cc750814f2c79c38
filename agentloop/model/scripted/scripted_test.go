package scripted

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func request(script string) model.Request {
	req := model.Request{Model: "demo", Messages: []sessionio.Message{{
		Role: sessionio.RoleUser, Timestamp: 7, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: script}},
	}}}
	for _, name := range []string{"bash", "read", "write", "edit", "grep", "find", "ls", "spawn"} {
		req.Tools = append(req.Tools, model.ToolSpec{Name: name})
	}
	return req
}

// draw writes a message down in short.
func draw(m *sessionio.Message) string {
	var out []string
	for _, b := range m.Content {
		switch b.Type {
		case sessionio.BlockToolCall:
			out = append(out, b.Name+" "+string(b.Arguments))
		case sessionio.BlockThinking:
			out = append(out, "("+b.Thinking+")")
		default:
			out = append(out, b.Text)
		}
	}
	return strings.Join(out, " | ")
}

// run plays a script to its end as the loop does, each call answered, each retryable failure
// retried; it returns the answers and failures in order.
func run(t *testing.T, p *Provider, script string) []string {
	t.Helper()
	req := request(script)
	var out []string
	for range 20 {
		m, err := p.Stream(t.Context(), req, func(model.Delta) {})
		var failed *model.Error
		if errors.As(err, &failed) {
			s := string(failed.Kind)
			if m != nil {
				s += " after " + draw(m)
			}
			out = append(out, s)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, draw(m))
		if m.StopReason != sessionio.StopToolUse {
			return out
		}
		req.Messages = append(req.Messages, *m)
		for _, b := range m.Content {
			if b.Type == sessionio.BlockToolCall {
				req.Messages = append(req.Messages, sessionio.Message{
					Role: sessionio.RoleToolResult, ToolCallID: b.ID, ToolName: b.Name,
					IsError: strings.Contains(string(b.Arguments), "false"),
					Content: []sessionio.Block{{Type: sessionio.BlockText, Text: "done"}},
				})
			}
		}
	}
	t.Fatalf("no end: %q", out)
	return nil
}

func TestScripts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script string
		want         []string
	}{
		{"say", "say: hello there\nsay: again", []string{"hello there\nagain"}},
		{"think", "think: hm\nthink: so\nsay: yes", []string{"(hm\nso) | yes"}},
		{"tokens", "tokens: 5", []string{"the bench is quiet while"}},
		{"tokens at a rate", "tokens: 3 @ 1000", []string{"the bench is"}},
		{"wait alone still answers", "wait: 1ms", []string{"The script is done."}},
		{
			"tools run in one answer, then what follows, then the closing sentence",
			"say: first\nwrite: a.txt hello\nrun: cat a.txt\nsay: between\nread: a.txt",
			[]string{
				`first | write {"content":"hello","path":"a.txt"} | bash {"command":"cat a.txt"}`,
				`between | read {"path":"a.txt"}`,
				"The script used write, bash and read.",
			},
		},
		{
			"every tool", "edit: a.go x := 1 => x := 2\\n\ngrep: x.*y\nfind: *.go\nls: .\nls:\nspawn: say: hi\\nrun: ls",
			[]string{
				`edit {"edits":[{"newText":"x := 2\n","oldText":"x := 1"}],"path":"a.go"} | grep {"pattern":"x.*y"} | find {"pattern":"*.go"}` +
					` | ls {"path":"."} | ls {} | spawn {"prompt":"say: hi\nrun: ls"}`,
				"The script used edit, grep, find, ls (2 times) and spawn.",
			},
		},
		{"a failed call is told", "run: false", []string{`bash {"command":"false"}`, "The script used bash; one call failed."}},
		{"ask ends the turn", "run: ls\nask: go on\nrun: rm x", []string{`bash {"command":"ls"}`, "go on?"}},
		{
			"what it does not know is quoted", "hello\nrun:\nedit: a b\nwait: x\nfail: nothing",
			[]string{introduction() + " This is none of them:\n> hello\n> run:\n> edit: a b\n> wait: x\n> fail: nothing"},
		},
		{"nothing at all", " \n", []string{introduction()}},
		{"a fault that comes instead of an answer", "say: a\nfail: 429\nsay: b", []string{"rate_limited", "a\nb"}},
		{"each fault once", "fail: 500\nfail: 529\nsay: b", []string{"server_error", "overloaded", "b"}},
		{
			"a fault behind tools", "run: ls\nfail: overflow",
			[]string{`bash {"command":"ls"}`, "overflow", "The script used bash."},
		},
		{"a stream that breaks", "say: half\nfail: drop\nsay: whole", []string{"dropped after half", "half\nwhole"}},
		{"a stream that breaks before a word", "fail: drop\nsay: whole", []string{"dropped", "whole"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, run(t, New(Options{}), tt.script)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDeltasMakeTheMessage(t *testing.T) {
	t.Parallel()
	var built []sessionio.Block
	emit := func(d model.Delta) {
		if d.Block == len(built) {
			built = append(built, sessionio.Block{Type: sessionio.BlockText})
		}
		b := &built[d.Block]
		switch d.Kind {
		case model.DeltaText:
			b.Text += d.Text
		case model.DeltaThinking:
			b.Type, b.Thinking = sessionio.BlockThinking, b.Thinking+d.Text
		case model.DeltaToolStart:
			b.Type, b.ID, b.Name = sessionio.BlockToolCall, d.ToolID, d.ToolName
		case model.DeltaToolArgs:
			b.Arguments = append(b.Arguments, d.Text...)
		}
	}
	p := New(Options{Now: func() time.Time { return time.UnixMilli(1234) }})
	m, err := p.Stream(t.Context(), request("think: why not\nsay: so\nls: .\nls: .."), emit)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Content, built); diff != "" {
		t.Error(diff)
	}
	if built[2].ID == built[3].ID || m.Timestamp != 1234 || m.Provider != "scripted" || m.Model != "demo" {
		t.Errorf("%+v", m)
	}
	// in: the words of the script; out: why not, so, and twice a name with arguments of one word
	want := sessionio.Usage{Input: 9, Output: 7, TotalTokens: 16}
	if *m.Usage != want {
		t.Errorf("usage %+v, want %+v", *m.Usage, want)
	}
}

func TestTheNewestUserMessageCounts(t *testing.T) {
	t.Parallel()
	req := request("run: ls\nsay: old")
	req.Messages = append(req.Messages,
		sessionio.Message{Role: sessionio.RoleAssistant, Content: []sessionio.Block{{Type: sessionio.BlockToolCall, ID: "c", Name: "bash"}}},
		sessionio.Message{Role: sessionio.RoleToolResult, ToolCallID: "c"},
		request("say: steered").Messages[0])
	m, err := New(Options{}).Stream(t.Context(), req, func(model.Delta) {})
	if err != nil || draw(m) != "steered" {
		t.Errorf("%v, %v", m, err)
	}
}

func TestToolsThatAreNotOfferedAreNotCalled(t *testing.T) {
	t.Parallel()
	req := request("run: ls")
	req.Tools = nil
	m, err := New(Options{}).Stream(t.Context(), req, func(model.Delta) {})
	if err != nil || m.StopReason != sessionio.StopEnd || draw(m) != "There is no tool bash here." {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestASummaryIsMadeAndNotPlayed(t *testing.T) {
	t.Parallel()
	req := request("<conversation>\n[User]: do\nfail: 500\nrun: ls\n</conversation>\nSummarise.")
	req.Tools = nil
	m, err := New(Options{}).Stream(t.Context(), req, func(model.Delta) {})
	if err != nil || !strings.Contains(draw(m), "The conversation had 6 words") || !strings.Contains(draw(m), "script, not an AI") {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestFaultsOfTwoConversationsAreApart(t *testing.T) {
	t.Parallel()
	p := New(Options{})
	for stamp := range int64(3) {
		req := request("fail: 500\nsay: ok")
		req.Messages[0].Timestamp = stamp
		if _, err := p.Stream(t.Context(), req, func(model.Delta) {}); err == nil {
			t.Errorf("conversation %d did not fail", stamp)
		}
	}
}

func TestFailuresAreBounded(t *testing.T) {
	t.Parallel()
	f := newFailures()
	for i := range uint64(3 * maxRemembered) {
		if !f.claim(i) || f.claim(i) {
			t.Fatalf("key %d is not claimed exactly once", i)
		}
	}
	if len(f.done) != maxRemembered || len(f.order) != maxRemembered {
		t.Errorf("%d and %d remembered", len(f.done), len(f.order))
	}
}

func TestCancelEndsIt(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"say: a\nfail: stall", "say: a\nwait: 1h", "say: a\ntokens: 1000000 @ 0.001"} {
		ctx, cancel := context.WithCancel(t.Context())
		m, err := New(Options{}).Stream(ctx, request(script), func(model.Delta) { cancel() })
		if !errors.Is(err, context.Canceled) || m == nil || !strings.HasPrefix(draw(m), "a") {
			t.Errorf("%q: %v, %v", script, m, err)
		}
		cancel()
	}
}

func TestWriteArgumentsAreExact(t *testing.T) {
	t.Parallel()
	l, ok := parseLine(`write: dir/a.txt one: "two"\n\nthree`)
	if !ok {
		t.Fatal("not read")
	}
	var args struct{ Path, Content string }
	if err := json.Unmarshal(l.args, &args); err != nil || args.Path != "dir/a.txt" || args.Content != "one: \"two\"\n\nthree" {
		t.Errorf("%+v, %v", args, err)
	}
}

func BenchmarkStream(b *testing.B) {
	p := New(Options{})
	req := request(fmt.Sprintf("tokens: %d\nrun: ls", 1000))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Stream(context.Background(), req, func(model.Delta) {}); err != nil {
			b.Fatal(err)
		}
	}
}
