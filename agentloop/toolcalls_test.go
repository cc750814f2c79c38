package agentloop

import (
	"context"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Consecutive reads run side by side: each waits for the other here, and would never end alone.
func TestReadsRunInParallel(t *testing.T) {
	t.Parallel()
	var meet sync.WaitGroup
	meet.Add(2)
	both := make(chan struct{})
	go func() { meet.Wait(); close(both) }()
	look := fakeTool{name: "look", kind: tool.Reads, run: func(ctx context.Context, c tool.Call) (tool.Result, error) {
		meet.Done()
		select {
		case <-both:
			return tool.Text("saw " + c.ID), nil
		case <-ctx.Done():
			return tool.Result{}, ctx.Err()
		}
	}}
	r := newRig(t, []step{calls(call("c1", "look", `{}`), call("c2", "look", `{}`))}, []tool.Tool{look}, nil)
	r.ask("go")
	r.wantContext("user go", "assistant <c1><c2>", "result c1 saw c1", "result c2 saw c2", "assistant done.")
}

// A tool can see what the model that calls it has before it.
func TestCallKnowsTheContext(t *testing.T) {
	t.Parallel()
	look := fakeTool{name: "look", kind: tool.Reads, run: func(_ context.Context, c tool.Call) (tool.Result, error) {
		seen, err := c.Context()
		if err != nil || len(seen) != 2 {
			return tool.Result{}, err
		}
		return tool.Text(string(seen[0].Role) + " said " + seen[0].Content[0].Text), nil
	}}
	r := newRig(t, []step{calls(call("c1", "look", `{}`))}, []tool.Tool{look}, nil)
	r.ask("go")
	r.wantContext("user go", "assistant <c1>", "result c1 user said go", "assistant done.")
}

// Whatever changes something runs alone, in the order of the calls.
func TestOthersRunOneByOne(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	running := 0
	var order []string
	run := func(alone bool) func(context.Context, tool.Call) (tool.Result, error) {
		return func(_ context.Context, c tool.Call) (tool.Result, error) {
			mu.Lock()
			running++
			if alone && running > 1 {
				t.Errorf("%s runs beside another", c.ID)
			}
			order = append(order, c.ID)
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			running--
			mu.Unlock()
			return tool.Text("ok"), nil
		}
	}
	r := newRig(t, []step{calls(call("r1", "look", `{}`), call("e1", "do", `{}`), call("e2", "do", `{}`), call("r2", "look", `{}`))},
		[]tool.Tool{
			fakeTool{name: "look", kind: tool.Reads, run: run(false)},
			fakeTool{name: "do", kind: tool.Execs, run: run(true)},
		}, nil)
	r.ask("go")
	if got := strings.Join(order, " "); got != "r1 e1 e2 r2" {
		t.Errorf("order %s", got)
	}
}

func TestCallsThatCannotRun(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{calls(call("c1", "nope", `{}`), call("c2", "do", `[1`), call("c3", "do", ``))},
		[]tool.Tool{fakeTool{name: "do", kind: tool.Execs}}, nil)
	r.ask("go")
	got := r.context()
	if len(got) != 6 || !strings.Contains(got[2], `no tool is named "nope"; there are: do`) ||
		!strings.Contains(got[3], "no JSON object: [1") || got[4] != "result c3 ok c3" {
		t.Errorf("context %q", got)
	}
}

// Where the session's folder is gone no tool runs, in that folder or in any other.
func TestNoToolWithoutTheFolder(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{calls(call("c1", "do", `{}`))}, []tool.Tool{fakeTool{name: "do", kind: tool.Reads}},
		func(o *Options) { o.CWD = filepath.Join(o.CWD, "gone") })
	r.ask("go")
	if got := r.context(); len(got) != 4 || !strings.Contains(got[2], "gone is gone") {
		t.Errorf("context %q", got)
	}
}

// Calls without an id, or with one twice, get one each: results find their calls.
func TestCallsWithoutIDs(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{calls(call("", "do", `{}`), call("x", "do", `{}`), call("x", "do", `null`))},
		[]tool.Tool{fakeTool{name: "do", kind: tool.Execs}}, nil)
	r.ask("go")
	got := r.context()
	if err := stored(got); err != "" || len(got) != 6 || strings.Count(strings.Join(got, "\n"), "result x ") != 1 {
		t.Errorf("%s: %q", err, got)
	}
}

func TestPermission(t *testing.T) {
	t.Parallel()
	do := []tool.Tool{fakeTool{name: "do", kind: tool.Execs}}
	step1 := func() []step { return []step{calls(call("c1", "do", `{}`))} }
	asking := func(o *Options) { o.Permission = permission.Ask }

	t.Run("allow", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, step1(), do, asking)
		r.prompt("go")
		ask := r.untilAsk("c1")
		if ask.Tool != "do" || ask.Effect.Command != "make thing" || ask.Asked.IsZero() || len(r.Pending()) != 1 {
			t.Errorf("question %+v", ask)
		}
		if !r.Answer(ask.ID, Answer{Allow: true, By: "me"}) || r.Answer(ask.ID, Answer{}) {
			t.Error("a question takes one answer")
		}
		r.wait()
		e := r.until("the reply", func(e Event) bool { return e.Answered != nil })
		if e.Answered.Answer.By != "me" || e.Answered.Withdrawn {
			t.Errorf("reply %+v", e.Answered)
		}
		r.wantContext("user go", "assistant <c1>", "result c1 ok c1", "assistant done.")
	})
	t.Run("deny", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, step1(), do, asking)
		r.prompt("go")
		r.Answer(r.untilAsk("c1").ID, Answer{Reason: "use the other branch"})
		r.wait()
		r.wantContext("user go", "assistant <c1>", "result c1 not run: denied by the user: use the other branch", "assistant done.")
		for _, e := range r.all() {
			if e.ToolStart != nil {
				t.Error("a denied call started")
			}
		}
		_, path := r.read()
		var denied struct{ Denied string }
		for _, e := range path {
			if e.Message != nil && e.Message.ToolCallID == "c1" {
				if err := json.Unmarshal(e.Message.Details, &denied); err != nil || !e.Message.IsError {
					t.Errorf("result %+v: %v", e.Message, err)
				}
			}
		}
		if denied.Denied == "" {
			t.Error("the result does not tell that it was denied")
		}
	})
	t.Run("headless", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, step1(), do, func(o *Options) { o.Permission, o.Headless = permission.Ask, true })
		r.ask("go")
		if got := r.context(); len(got) != 4 || !strings.Contains(got[2], "nobody is there to answer") {
			t.Errorf("context %q", got)
		}
	})
	t.Run("always", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, []step{calls(call("c1", "bash", `{}`)), calls(call("c2", "bash", `{}`))},
			[]tool.Tool{fakeTool{name: "bash", kind: tool.Execs}}, asking)
		r.prompt("go")
		ask := r.untilAsk("c1")
		if ask.Rule == "" {
			t.Fatal("always is not offered")
		}
		r.Answer(ask.ID, Answer{Allow: true, Always: true})
		r.wait() // the second call asks nothing
		r.wantContext("user go", "assistant <c1>", "result c1 ok c1", "assistant <c2>", "result c2 ok c2", "assistant done.")
	})
	t.Run("mode", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, step1(), do, asking)
		r.prompt("go")
		r.untilAsk("c1")
		if err := r.SetPermission("nonsense"); err == nil {
			t.Error("nonsense was taken for a mode")
		}
		if err := r.SetPermission(permission.All); err != nil {
			t.Fatal(err)
		}
		r.wait()
		if st := r.State(); st.Permission != "all" {
			t.Errorf("permission %q", st.Permission)
		}
		r.wantContext("user go", "assistant <c1>", "result c1 ok c1", "assistant done.")
	})
}
