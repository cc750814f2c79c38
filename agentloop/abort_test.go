package agentloop

import (
	"context"
	"dugout/agentloop/model"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

func TestAbortStream(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ said, want string }{
		"with text":    {"half of it", "assistant half of it [aborted]"},
		"with nothing": {"", "assistant  [aborted]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			started := make(chan struct{})
			r := newRig(t, []step{func(ctx context.Context, req model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
				close(started)
				return hangs(c.said)(ctx, req, emit)
			}}, nil, nil)
			r.prompt("go")
			<-started
			if c.said != "" {
				r.untilDelta()
			}
			if _, err := r.Prompt(testContext(t), Input{Text: "kept"}); err != nil {
				t.Fatal(err)
			}
			if err := r.Abort(testContext(t)); err != nil {
				t.Fatal(err)
			}
			r.wantContext("user go", c.want) // read from the file at once: Abort waited for it
			if q := r.Queue(); len(q) != 1 || q[0].Text != "kept" {
				t.Errorf("queue %v", q)
			}
			if st := r.State(); st.Activity != Idle || st.LastError != "" {
				t.Errorf("state %+v", st)
			}
			all, _ := r.read()
			if recs, _ := errorsIn(t, all); len(recs) != 0 {
				t.Error("an aborted turn is no error")
			}
			last := ofType(all, sessionio.TypeMessage)
			m := last[len(last)-1].Message
			if m.Usage == nil || m.ErrorMessage == "" || m.Provider != "fake" {
				t.Errorf("aborted message %+v", m)
			}
			r.ask("again")
			r.wantContext("user go", c.want, "user again", "assistant done.", "user kept", "assistant done.")
		})
	}
}

func TestAbortTools(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{calls(call("c1", "fast", `{}`), call("c2", "slow", `{}`), call("c3", "slow", `{}`))},
		[]tool.Tool{
			fakeTool{name: "fast", kind: tool.Execs},
			fakeTool{name: "slow", kind: tool.Execs, run: func(ctx context.Context, c tool.Call) (tool.Result, error) {
				c.Progress("working")
				<-ctx.Done()
				return tool.Text("got this far"), ctx.Err()
			}},
		}, nil)
	r.prompt("go")
	r.until("output", func(e Event) bool { return e.ToolOutput != nil && e.ToolOutput.Chunk == "working" })
	if st := r.State(); st.Activity != RunsTool || st.Tool != "slow" {
		t.Errorf("state %+v", st)
	}
	if err := r.Abort(testContext(t)); err != nil {
		t.Fatal(err)
	}
	r.wantContext("user go", "assistant <c1><c2><c3>", "result c1 ok c1",
		"result c2 got this far"+interrupted, "result c3 "+interrupted, "assistant  [aborted]")
	r.ask("again")
	if st := r.State(); st.LastError != "" {
		t.Error(st.LastError)
	}
}

func TestAbortWithdrawsQuestion(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{calls(call("c1", "do", `{}`))}, []tool.Tool{fakeTool{name: "do", kind: tool.Execs}},
		func(o *Options) { o.Permission = permission.Ask })
	r.prompt("go")
	ask := r.untilAsk("c1")
	if st := r.State(); st.Activity != Waiting {
		t.Errorf("activity %q", st.Activity)
	}
	if err := r.Abort(testContext(t)); err != nil {
		t.Fatal(err)
	}
	r.until("the withdrawal", func(e Event) bool { return e.Answered != nil && e.Answered.Withdrawn && e.Answered.ID == ask.ID })
	if len(r.Pending()) != 0 || r.Answer(ask.ID, Answer{Allow: true}) {
		t.Error("the question is still open")
	}
	r.wantContext("user go", "assistant <c1>", "result c1 "+interrupted, "assistant  [aborted]")
}

// Whenever the abort comes, the file is whole, the next request is valid, and nothing is left running.
func TestAbortAtAnyInstant(t *testing.T) {
	t.Parallel()
	runs := 60
	if testing.Short() {
		runs = 15
	}
	pause := func(ctx context.Context) { // yields for a moment, as real work does
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(rand.IntN(200)) * time.Microsecond):
		}
	}
	talk := func(stop sessionio.StopReason, blocks ...sessionio.Block) step {
		return func(ctx context.Context, _ model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
			text := ""
			for _, w := range []string{"one ", "two ", "three"} {
				emit(model.Delta{Kind: model.DeltaText, Text: w})
				text += w
				pause(ctx)
				if ctx.Err() != nil {
					return answer("", textBlock(text)), ctx.Err()
				}
			}
			return answer(stop, append([]sessionio.Block{textBlock(text)}, blocks...)...), nil
		}
	}
	tools := []tool.Tool{
		fakeTool{name: "look", kind: tool.Reads, run: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			pause(ctx)
			return tool.Text("seen " + c.ID), ctx.Err()
		}},
		fakeTool{name: "do", kind: tool.Execs, run: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			pause(ctx)
			return tool.Text("did " + c.ID), ctx.Err()
		}},
	}
	for range runs {
		r := newRig(t, []step{
			talk(sessionio.StopToolUse, call("a", "look", `{}`), call("b", "look", `{}`), call("c", "do", `{}`)),
			talk(sessionio.StopToolUse, call("d", "do", `{}`), call("e", "look", `{}`)),
			talk(sessionio.StopEnd),
		}, tools, nil)
		r.prompt("go")
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		if err := r.Abort(testContext(t)); err != nil {
			t.Fatal(err)
		}
		if st := r.State(); st.Activity != Idle || st.LastError != "" {
			t.Fatalf("state %+v", st)
		}
		got := r.context()
		if err := stored(got); err != "" {
			t.Fatalf("%s in %q", err, got)
		}
		r.prov.mu.Lock()
		r.prov.steps = nil
		r.prov.mu.Unlock()
		r.ask("again")
		if st := r.State(); st.LastError != "" {
			t.Fatal(st.LastError)
		}
		if err := r.Close(testContext(t)); err != nil {
			t.Fatal(err)
		}
	}
}

// stored says what is wrong with a context after an abort: each call wants one result, in order.
func stored(context []string) string {
	var open []string
	for _, line := range context {
		if rest, ok := strings.CutPrefix(line, "result "); ok {
			id, _, _ := strings.Cut(rest, " ")
			if len(open) == 0 || open[0] != id {
				return "result " + id + " out of order"
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			return "no result for " + open[0]
		}
		for _, part := range strings.Split(line, "<")[1:] {
			open = append(open, strings.TrimSuffix(strings.Split(part, ">")[0], ">"))
		}
	}
	if len(open) > 0 {
		return "no result for " + open[0]
	}
	return ""
}
