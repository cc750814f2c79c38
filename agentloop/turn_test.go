package agentloop

import (
	"context"
	"dugout/agentloop/model"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestTurnWithTool(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{calls(call("c1", "look", `{}`)), says("All is well. Nothing to do.")},
		[]tool.Tool{fakeTool{name: "look", kind: tool.Reads}}, nil)
	if _, path := r.path, r.sess.OnDisk(); path {
		t.Error("a session that asked nothing has a file")
	}
	r.ask("have a look")
	r.wantContext("user have a look", "assistant <c1>", "result c1 ok c1", "assistant All is well. Nothing to do.")

	all, path := r.read()
	if len(all) != len(path) {
		t.Errorf("%d entries, %d on the path", len(all), len(path))
	}
	types := []sessionio.EntryType{}
	for _, e := range path {
		types = append(types, e.Type)
	}
	want := []sessionio.EntryType{
		"model_change", "thinking_level_change", "message", "message", "message", "message", "agent_status",
	}
	if !slices.Equal(types, want) {
		t.Errorf("entries %v, want %v", types, want)
	}
	status := path[len(path)-1].Status
	if *status != (sessionio.AgentStatus{Summary: "Nothing to do.", TaskState: sessionio.VerdictCompleted, BasedOnMessageCount: 4}) {
		t.Errorf("status %+v", *status)
	}
	st := r.State()
	if st.Activity != Idle || st.LastError != "" || st.Recap != "Nothing to do." || st.ContextTokens != 110 || !st.TurnStarted.IsZero() {
		t.Errorf("state %+v", st)
	}
}

// Events come in the order of the file, and each call is told from its start to its result.
func TestEventsFollowFile(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{calls(call("c1", "look", `{}`), call("c2", "do", `{}`)), says("done.")},
		[]tool.Tool{fakeTool{name: "look", kind: tool.Reads}, fakeTool{name: "do", kind: tool.Execs}}, nil)
	r.ask("go")
	all, _ := r.read()
	var told []string
	var ids []sessionio.EntryID
	for _, e := range r.all() {
		switch {
		case e.Entry != nil:
			ids = append(ids, e.Entry.ID)
			if e.Entry.Message != nil {
				told = append(told, string(e.Entry.Message.Role)+e.Entry.Message.ToolCallID)
			}
		case e.AnswerEnd != nil:
			told = append(told, "end")
		case e.ToolStart != nil:
			told = append(told, "start "+e.ToolStart.CallID)
		case e.ToolEnd != nil:
			told = append(told, "stop "+e.ToolEnd.CallID)
		}
	}
	for i, e := range all {
		if i >= len(ids) || ids[i] != e.ID {
			t.Fatalf("entry events %v do not follow the file at %d", ids, i)
		}
	}
	want := []string{
		"user", "assistant", "end", "start c1", "toolResultc1", "stop c1", "start c2", "toolResultc2", "stop c2", "assistant", "end",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told %q\nwant %q", told, want)
	}
}

func TestSteerAndFollowUp(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	r := newRig(t, []step{calls(call("c1", "do", `{}`))}, []tool.Tool{fakeTool{
		name: "do", kind: tool.Execs,
		run: func(context.Context, tool.Call) (tool.Result, error) { <-release; return tool.Text("did"), nil },
	}}, nil)
	r.prompt("first")
	r.until("the tool", func(e Event) bool { return e.ToolStart != nil })
	for _, in := range []Input{{Text: "later", Kind: FollowUp}, {Text: "steer 1"}, {Text: "drop me"}, {Text: "steer 2"}} {
		queued, err := r.Prompt(testContext(t), in)
		if err != nil || !queued {
			t.Fatalf("%q: queued %v, %v", in.Text, queued, err)
		}
	}
	q := r.Queue()
	if len(q) != 4 || q[0].Kind != FollowUp || q[2].Text != "drop me" {
		t.Fatalf("queue %+v", q)
	}
	if back, ok := r.Dequeue(q[2].ID); !ok || back.Text != "drop me" {
		t.Errorf("dequeued %+v, %v", back, ok)
	}
	if _, ok := r.Dequeue(q[2].ID); ok {
		t.Error("dequeued twice")
	}
	close(release)
	r.wait()
	r.wantContext("user first", "assistant <c1>", "result c1 did", "user steer 1", "assistant done.",
		"user steer 2", "assistant done.", "user later", "assistant done.")
	if _, path := r.read(); len(ofType(path, sessionio.TypeAgentStatus)) != 1 {
		t.Error("want one recap, after the last turn")
	}
	var last []Queued
	for _, e := range r.all() {
		if e.Queue != nil {
			last = e.Queue
		}
	}
	if last == nil || len(last) != 0 {
		t.Errorf("the last queue event is %v", last)
	}
}

func TestClientIDRunsOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, nil, nil)
	for range 3 {
		if _, err := r.Prompt(testContext(t), Input{Text: "once", ClientID: "x1"}); err != nil {
			t.Fatal(err)
		}
		r.wait()
	}
	r.wantContext("user once", "assistant done.")
	if _, err := r.Prompt(testContext(t), Input{Text: "  \n"}); err == nil {
		t.Error("an empty message was taken")
	}
}

// A model that is changed while an answer comes holds on, also for who reads the file later.
func TestModelChangedDuringAnswer(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	r := newRig(t, []step{func(_ context.Context, _ model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
		emit(model.Delta{Kind: model.DeltaText, Text: "a"})
		<-gate
		return answer(sessionio.StopEnd, textBlock("a")), nil
	}}, nil, nil)
	r.prompt("go")
	r.untilDelta()
	if err := r.SetModel(sessionio.ModelRef{Provider: "fake", Model: "n"}); err != nil {
		t.Fatal(err)
	}
	close(gate)
	r.wait()
	_, path := r.read()
	if c := sessionio.BuildContext(path); c.Model == nil || c.Model.Model != "n" {
		t.Errorf("the file names %v", c.Model)
	}
	r.ask("again")
	if reqs := r.prov.requests(); reqs[len(reqs)-1].Model != "n" {
		t.Errorf("asked %q", reqs[len(reqs)-1].Model)
	}
}

func TestRestartGoesOnInTheSameFile(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, nil, nil)
	if err := r.SetThinking("high"); err != nil {
		t.Fatal(err)
	}
	r.ask("one")
	if err := r.Close(testContext(t)); err != nil {
		t.Fatal(err)
	}
	before, _ := r.read()
	r2 := openRig(t, r.path, nil, nil, func(o *Options) { o.Model.Model = "n" })
	if all, _ := r2.read(); len(all) != len(before) {
		t.Errorf("opening wrote %d entries", len(all)-len(before))
	}
	st := r2.State()
	if st.Model.Model != "m" || st.ThinkingLevel != "high" || st.Recap != "done." || st.ContextTokens != 110 {
		t.Errorf("state after a restart %+v", st)
	}
	r2.ask("two")
	r2.wantContext("user one", "assistant done.", "user two", "assistant done.")
	all, _ := r2.read()
	if n := len(ofType(all, sessionio.TypeThinkingLevelChange)); n != 1 {
		t.Errorf("%d thinking levels", n)
	}
}

// What an interrupted process left open is closed in the next request; opening writes nothing.
func TestInterruptedFileTakesNextPrompt(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, nil, nil)
	r.ask("one")
	for _, e := range []sessionio.Entry{
		r.message(sessionio.Message{Role: sessionio.RoleUser, Content: []sessionio.Block{textBlock("do")}}),
		r.message(*answer(sessionio.StopToolUse, call("a", "x", `{}`), call("b", "x", `{}`))),
		r.message(sessionio.Message{Role: sessionio.RoleToolResult, ToolCallID: "b", Content: []sessionio.Block{textBlock("b")}}),
	} {
		if _, err := r.append(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(testContext(t)); err != nil {
		t.Fatal(err)
	}
	r2 := openRig(t, r.path, nil, nil, nil)
	r2.ask("go on") // the provider refuses a request that is not paired
	if st := r2.State(); st.LastError != "" {
		t.Error(st.LastError)
	}
	reqs := r2.prov.requests()
	got := lines(reqs[len(reqs)-1].Messages)
	if !strings.HasPrefix(got[4], "result a ") || got[5] != "result b b" {
		t.Errorf("request %q", got)
	}
}

// Rename and the like during a turn hang in the chain like any other entry.
func TestBookkeepingDuringTurn(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	r := newRig(t, []step{calls(call("c1", "do", `{}`))}, []tool.Tool{fakeTool{
		name: "do", kind: tool.Execs,
		run: func(context.Context, tool.Call) (tool.Result, error) { <-release; return tool.Text("did"), nil },
	}}, nil)
	r.prompt("go")
	start := r.until("the tool", func(e Event) bool { return e.ToolStart != nil })
	_ = start
	all, _ := r.read()
	for _, err := range []error{r.Rename("planb"), r.Archive(true), r.Archive(false), r.Label(all[2].ID, "here")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Label("nowhere", "x"); !errors.Is(err, sessionio.ErrNoEntry) {
		t.Errorf("label nowhere: %v", err)
	}
	close(release)
	r.wait()
	all, path := r.read()
	if len(all) != len(path) {
		t.Errorf("%d entries, %d on the path", len(all), len(path))
	}
	r.wantContext("user go", "assistant <c1>", "result c1 did", "assistant done.")
	if info := r.sess.Info(); info.Name != "planb" || info.State != sessionio.LifecycleActive {
		t.Errorf("info %+v", info)
	}
}

func TestPanics(t *testing.T) {
	t.Parallel()
	boom := func(context.Context, tool.Call) (tool.Result, error) { panic("boom") }
	r := newRig(t, []step{
		calls(call("c1", "bad", `{}`), call("c2", "bad", `{}`)),
		func(context.Context, model.Request, func(model.Delta)) (*sessionio.Message, error) { panic("no") },
	}, []tool.Tool{fakeTool{name: "bad", kind: tool.Execs, run: boom}}, nil)
	r.ask("one")
	if st := r.State(); !strings.Contains(st.LastError, "boom") {
		t.Errorf("after a tool's panic: %q", st.LastError)
	}
	got := r.context()
	if len(got) != 4 || !strings.Contains(got[2], "panicked") || !strings.Contains(got[3], "interrupted") {
		t.Errorf("context %q", got)
	}
	r.ask("two")
	if st := r.State(); !strings.Contains(st.LastError, "no") || st.Activity != Idle {
		t.Errorf("after a provider's panic: %+v", st)
	}
	r.ask("three")
	if st := r.State(); st.LastError != "" {
		t.Errorf("after all: %q", st.LastError)
	}
}

func TestPanicInReceiver(t *testing.T) {
	t.Parallel()
	bad := true
	r := newRig(t, nil, nil, func(o *Options) {
		inner := o.Emit
		o.Emit = func(e Event) {
			inner(e)
			if e.Delta != nil && bad {
				bad = false
				panic("cannot draw")
			}
		}
	})
	r.ask("one")
	if st := r.State(); !strings.Contains(st.LastError, "cannot draw") {
		t.Errorf("last error %q", st.LastError)
	}
	r.ask("two")
	if st := r.State(); st.LastError != "" {
		t.Errorf("last error %q", st.LastError)
	}
}

func TestCloseRefusesMore(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{hangs("so far")}, nil, nil)
	r.prompt("go")
	r.untilDelta()
	if err := r.Close(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Prompt(testContext(t), Input{Text: "x"}); !errors.Is(err, ErrClosed) {
		t.Errorf("prompt: %v", err)
	}
	if err := r.Compact(testContext(t), ""); !errors.Is(err, ErrClosed) {
		t.Errorf("compact: %v", err)
	}
	r.wantContext("user go", "assistant so far [aborted]")
}
