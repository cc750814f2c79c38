package agentloop

import (
	"context"
	"dugout/agentloop/model"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func errorsIn(t *testing.T, entries []sessionio.Entry) (recs []sessionio.ErrorRecord, at []sessionio.Entry) {
	t.Helper()
	for _, e := range entries {
		if e.Type == sessionio.TypeCustom && e.CustomType == sessionio.CustomError {
			var rec sessionio.ErrorRecord
			if err := json.Unmarshal(e.Data, &rec); err != nil {
				t.Fatal(err)
			}
			recs, at = append(recs, rec), append(at, e)
		}
	}
	return recs, at
}

// The failed question stays in the file as a branch of its own and is out of the context.
func TestFailedTurnBranches(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{
		says("hello."),
		fails(model.Error{Kind: model.Invalid, Status: 400, Message: "bad request", Raw: `{"error":"x"}`}),
	}, nil, nil)
	r.ask("one")
	r.ask("two\nsecond line")
	r.wantContext("user one", "assistant hello.")
	all, path := r.read()
	recs, at := errorsIn(t, path)
	if len(recs) != 1 {
		t.Fatalf("%d records on the path", len(recs))
	}
	if path[len(path)-1].ID != at[0].ID {
		t.Error("the record is not the leaf")
	}
	var question sessionio.Entry
	for _, e := range all {
		if e.Message != nil && e.Message.Role == sessionio.RoleUser {
			question = e
		}
	}
	if question.ParentID != at[0].ParentID {
		t.Errorf("the record hangs under %s, the question under %s", at[0].ParentID, question.ParentID)
	}
	rec := recs[0]
	if rec.Turn != 2 || rec.Kind != sessionio.ErrorGeneration || rec.Question != "two" || rec.Raw != `{"error":"x"}` ||
		rec.Line != "fake: bad request (HTTP 400)" || rec.Provider != "fake" || rec.Model != "m" || rec.Time.IsZero() {
		t.Errorf("record %+v", rec)
	}
	if n := len(r.prov.requests()); n != 2 {
		t.Errorf("%d requests: a 400 was tried again", n)
	}
	st := r.State()
	if st.LastError != rec.Line || st.Activity != Idle || st.Verdict != "" {
		t.Errorf("state %+v", st)
	}
	r.until("the error", func(e Event) bool { return e.Error != nil && e.Error.Line == rec.Line })
	r.ask("three")
	r.wantContext("user one", "assistant hello.", "user three", "assistant done.")
}

// When tools ran already, that work stays in the context.
func TestFailureAfterProgressKeepsIt(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{
		calls(call("c1", "do", `{}`)),
		fails(model.Error{Kind: model.Auth, Status: 401, Message: "key expired"}),
	}, []tool.Tool{fakeTool{name: "do", kind: tool.Execs}}, nil)
	r.ask("go")
	r.wantContext("user go", "assistant <c1>", "result c1 ok c1")
	_, path := r.read()
	if recs, at := errorsIn(t, path); len(recs) != 1 || at[0].ID != path[len(path)-1].ID {
		t.Errorf("records %+v", recs)
	}
	r.ask("go on")
	if st := r.State(); st.LastError != "" {
		t.Error(st.LastError)
	}
}

// What a model had said before the stream broke for good is kept with the abandoned question.
func TestPartialOfFailedStream(t *testing.T) {
	t.Parallel()
	broken := func(_ context.Context, _ model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
		emit(model.Delta{Kind: model.DeltaText, Text: "half an"})
		m := answer("", textBlock("half an"), call("c9", "do", `{"a`))
		return m, &model.Error{Kind: model.Dropped, Provider: "fake", Message: "cut"}
	}
	var ran atomic.Int32
	r := newRig(t, []step{broken, broken}, []tool.Tool{fakeTool{
		name: "do", kind: tool.Execs,
		run: func(context.Context, tool.Call) (tool.Result, error) { ran.Add(1); return tool.Text(""), nil },
	}}, func(o *Options) { o.Retry.Max = 1 })
	r.ask("go")
	r.wantContext()
	if ran.Load() != 0 {
		t.Error("a tool of a broken stream ran")
	}
	all, _ := r.read()
	var kept []string
	for _, e := range all {
		if e.Message != nil {
			kept = append(kept, lines([]sessionio.Message{*e.Message})...)
		}
	}
	if len(kept) != 2 || kept[1] != "assistant half an [error]" {
		t.Errorf("kept %q", kept)
	}
	failed := 0
	for _, e := range r.all() {
		if e.AnswerEnd != nil && e.AnswerEnd.Failed {
			failed++
		}
	}
	if failed != 2 {
		t.Errorf("%d failed answers told, want 2", failed)
	}
}

// A model chosen while the turn was failing is not forgotten with its question.
func TestSettingsOutliveFailedQuestion(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	r := newRig(t, []step{func(_ context.Context, _ model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
		emit(model.Delta{Kind: model.DeltaThinking, Text: "hm"})
		<-gate
		return nil, &model.Error{Kind: model.Invalid, Provider: "fake", Message: "no"}
	}}, nil, nil)
	r.prompt("go")
	r.untilDelta()
	if err := r.SetModel(sessionio.ModelRef{Provider: "fake", Model: "n"}); err != nil {
		t.Fatal(err)
	}
	close(gate)
	r.wait()
	_, path := r.read()
	c := sessionio.BuildContext(path)
	if len(c.Messages) != 0 || c.Model == nil || c.Model.Model != "n" || r.State().Model.Model != "n" {
		t.Errorf("context %+v, state %+v", c, r.State())
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{
		fails(model.Error{Kind: model.RateLimited, Status: 429, Message: "slow down", RetryAfter: 7 * time.Second}),
		fails(model.Error{Kind: model.ServerError, Status: 500, Message: "oops"}),
		fails(model.Error{Kind: model.Overloaded, Status: 529, Message: "busy"}),
	}, nil, nil)
	var waits []time.Duration
	r.Agent.sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	r.ask("go")
	r.wantContext("user go", "assistant done.")
	if len(waits) != 3 || waits[0] != 7*time.Second || waits[1] < 3*time.Second || waits[1] > 5*time.Second ||
		waits[2] < 6*time.Second || waits[2] > 10*time.Second {
		t.Errorf("waits %v", waits)
	}
	var told []Retry
	for _, e := range r.all() {
		if e.Retry != nil {
			told = append(told, *e.Retry)
		}
	}
	if len(told) != 3 || told[0].Attempt != 1 || told[0].Max != 3 || !strings.Contains(told[0].Reason, "slow down") {
		t.Errorf("told %+v", told)
	}
}

func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	busy := fails(model.Error{Kind: model.Overloaded, Status: 529, Message: "busy"})
	for name, c := range map[string]struct {
		policy   RetryPolicy
		steps    []step
		requests int
		says     string
	}{
		"used up":     {RetryPolicy{Max: 2}, []step{busy, busy, busy}, 3, "after 3 tries"},
		"none":        {RetryPolicy{Max: -1}, []step{busy}, 1, "busy"},
		"wait of 90m": {RetryPolicy{}, []step{fails(model.Error{Kind: model.RateLimited, Message: "later", RetryAfter: 90 * time.Minute})}, 1, "1h30m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, c.steps, nil, func(o *Options) { o.Retry = c.policy })
			r.ask("go")
			if n := len(r.prov.requests()); n != c.requests {
				t.Errorf("%d requests, want %d", n, c.requests)
			}
			if st := r.State(); !strings.Contains(st.LastError, c.says) {
				t.Errorf("error %q, want it to say %q", st.LastError, c.says)
			}
			r.wantContext()
		})
	}
}

func TestAbortDuringRetryWait(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{fails(model.Error{Kind: model.Dropped, Message: "gone"})}, nil, nil)
	r.Agent.sleep = sleep
	r.prompt("go")
	r.until("the retry", func(e Event) bool { return e.Retry != nil })
	if err := r.Abort(testContext(t)); err != nil {
		t.Fatal(err)
	}
	r.wantContext("user go", "assistant  [aborted]")
	if st := r.State(); st.LastError != "" || st.Activity != Idle {
		t.Errorf("state %+v", st)
	}
}

func TestWatchdog(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{hangs("once upon")}, nil, func(o *Options) { o.Watchdog = 20 * time.Millisecond })
	r.ask("go")
	r.wantContext("user go", "assistant done.")
	e := r.until("the retry", func(e Event) bool { return e.Retry != nil })
	if !strings.Contains(e.Retry.Reason, "said nothing for 20ms") {
		t.Errorf("reason %q", e.Retry.Reason)
	}
}

func TestUnknownProvider(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, nil, func(o *Options) { o.Model = sessionio.ModelRef{Provider: "gone", Model: "x"} })
	r.ask("go")
	st := r.State()
	if !strings.Contains(st.LastError, "gone/x") || len(r.prov.requests()) != 0 {
		t.Errorf("error %q", st.LastError)
	}
	if err := r.SetModel(sessionio.ModelRef{Provider: "nor", Model: "this"}); !errors.Is(err, model.ErrUnknownProvider) {
		t.Errorf("set model: %v", err)
	}
	if err := r.SetModel(sessionio.ModelRef{Provider: "fake", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	r.ask("go")
	r.wantContext("user go", "assistant done.")
}

// A failed append stops the turn, is told, and is not taken to be saved.
func TestStorageFailure(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil, nil, nil)
	r.ask("one")
	r.prov.mu.Lock()
	r.prov.steps = []step{func(context.Context, model.Request, func(model.Delta)) (*sessionio.Message, error) {
		// the file is gone from under the session: no append can be whole
		if err := os.Remove(r.path); err != nil {
			t.Error(err)
		}
		return answer(sessionio.StopEnd, textBlock("lost")), nil
	}}
	r.prov.mu.Unlock()
	r.ask("two")
	e := r.until("the error", func(e Event) bool { return e.Error != nil })
	if !strings.HasPrefix(e.Error.Line, "not saved: ") {
		t.Errorf("line %q", e.Error.Line)
	}
	if st := r.State(); !strings.HasPrefix(st.LastError, "not saved: ") || st.Activity != Idle {
		t.Errorf("state %+v", st)
	}
	for _, e := range r.all() {
		if e.Entry != nil && e.Entry.Message != nil && e.Entry.Message.Role == sessionio.RoleAssistant && e.Entry.Message.Content[0].Text == "lost" {
			t.Error("an answer was told that is not in the file")
		}
	}
	if _, err := r.Prompt(testContext(t), Input{Text: "three"}); err == nil || !strings.Contains(err.Error(), "not saved") {
		t.Errorf("the next prompt: %v", err)
	}
}
