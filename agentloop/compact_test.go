package agentloop

import (
	"context"
	"dugout/agentloop/compaction"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"errors"
	"strings"
	"testing"
)

// long is a text of 375 tokens from a word of four letters.
func long(word string) string { return strings.Repeat(word+" ", 300) }

func keeping(tokens int) func(*Options) {
	return func(o *Options) { o.Compaction.KeepRecentTokens = tokens }
}

func TestCompactTwice(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{says(long("alfa")), says(long("beta")), says("FIRST NOTES"), says(long("gama")), says("SECOND NOTES")},
		nil, keeping(376))
	if err := r.Compact(testContext(t), ""); !errors.Is(err, compaction.ErrNothing) {
		t.Errorf("an empty session: %v", err)
	}
	r.ask("one")
	r.ask("two")
	if err := r.Compact(testContext(t), "mind the tests"); err != nil {
		t.Fatal(err)
	}
	if err := r.Compact(testContext(t), ""); !errors.Is(err, compaction.ErrNothing) {
		t.Errorf("right after a compaction: %v", err)
	}
	reqs := r.prov.requests()
	if got := reqs[2].Messages[0].Content[0].Text; !strings.Contains(got, "[User]: one") || !strings.Contains(got, "mind the tests") {
		t.Errorf("asked %q", got)
	}
	if n := r.State().ContextTokens; n < 300 || n > 1200 {
		t.Errorf("%d tokens after compaction", n)
	}
	r.ask("three")
	if err := r.Compact(testContext(t), ""); err != nil {
		t.Fatal(err)
	}
	reqs = r.prov.requests()
	if got := reqs[len(reqs)-1].Messages[0].Content[0].Text; !strings.Contains(got, "FIRST NOTES") {
		t.Errorf("the second summary did not read the first: %q", got)
	}
	all, path := r.read()
	if n := len(ofType(all, sessionio.TypeCompaction)); n != 2 {
		t.Errorf("%d compactions", n)
	}
	c := sessionio.BuildContext(path)
	if c.Messages[0].Role != sessionio.RoleCompactionSummary || !strings.Contains(c.Messages[0].Summary, "SECOND NOTES") {
		t.Errorf("context %q", lines(c.Messages))
	}
	r.ask("four")
	if st := r.State(); st.LastError != "" {
		t.Error(st.LastError)
	}
}

func TestCompactFailureChangesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{says(long("alfa")), says(long("beta")), fails(model.Error{Kind: model.Invalid, Status: 400, Message: "no"})},
		nil, keeping(376))
	r.ask("one")
	r.ask("two")
	before := r.context()
	if err := r.Compact(testContext(t), ""); err == nil || !strings.Contains(err.Error(), "no") {
		t.Errorf("err %v", err)
	}
	r.wantContext(before...)
	_, path := r.read()
	if recs, _ := errorsIn(t, path); len(recs) != 1 || recs[0].Kind != sessionio.ErrorCompaction {
		t.Errorf("records %+v", recs)
	}
	if st := r.State(); st.Activity != Idle {
		t.Errorf("activity %q", st.Activity)
	}
}

func TestCompactAborted(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{says(long("alfa")), says(long("beta")), hangs("x")}, nil, keeping(376))
	r.ask("one")
	r.ask("two")
	before, _ := r.read()
	done := make(chan error)
	go func() { done <- r.Compact(testContext(t), "") }()
	r.until("compacting", func(e Event) bool { return e.State != nil && e.State.Activity == Compacting })
	if err := r.Abort(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if err := <-done; !errors.Is(err, ErrAborted) {
		t.Errorf("err %v", err)
	}
	if after, _ := r.read(); len(after) != len(before) {
		t.Errorf("%d entries written", len(after)-len(before))
	}
}

// Near the window's end a compaction comes before the next call, by itself.
func TestCompactsAtThreshold(t *testing.T) {
	t.Parallel()
	full := func(text string) step {
		s := answer(sessionio.StopEnd, textBlock(text))
		s.Usage = &sessionio.Usage{Input: 3500, TotalTokens: 3500}
		return func(_ context.Context, _ model.Request, _ func(model.Delta)) (*sessionio.Message, error) {
			return s, nil
		}
	}
	r := newRig(t, []step{says(long("alfa")), full(long("beta")), says("NOTES"), says("gamma.")}, nil, func(o *Options) {
		o.Model.Model = "small"
		o.Compaction.KeepRecentTokens = 378
	})
	r.ask("one")
	r.ask("two")
	r.ask("three")
	got := r.context()
	if got[0] != "compactionSummary" || got[len(got)-2] != "user three" || got[len(got)-1] != "assistant gamma." {
		t.Errorf("context %q", got)
	}
}

func TestOverflowCompactsOnce(t *testing.T) {
	t.Parallel()
	over := fails(model.Error{Kind: model.Overflow, Status: 400, Message: "prompt is too long"})
	t.Run("helps", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, []step{says(long("alfa")), says(long("beta")), over, says("NOTES"), says("gamma.")}, nil, keeping(378))
		r.ask("one")
		r.ask("two")
		r.ask("three")
		if got := r.context(); got[0] != "compactionSummary" || got[len(got)-1] != "assistant gamma." {
			t.Errorf("context %q", got)
		}
	})
	t.Run("does not help", func(t *testing.T) {
		t.Parallel()
		r := newRig(t, []step{says(long("alfa")), says(long("beta")), over, says("NOTES"), over}, nil, keeping(378))
		r.ask("one")
		r.ask("two")
		r.ask("three")
		if st := r.State(); !strings.Contains(st.LastError, "prompt is too long") {
			t.Errorf("error %q", st.LastError)
		}
		if n := len(r.prov.requests()); n != 5 {
			t.Errorf("%d requests", n)
		}
		got := r.context() // the question is out, the compaction holds on
		if got[0] != "compactionSummary" || strings.Contains(strings.Join(got, "\n"), "three") {
			t.Errorf("context %q", got)
		}
	})
}
