package agentloop

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"errors"
	"strings"
	"testing"
)

func (r *rig) entryOf(text string) sessionio.Entry {
	r.t.Helper()
	all, _ := r.read()
	for _, e := range all {
		if e.Message != nil && len(e.Message.Content) > 0 && e.Message.Content[0].Text == text {
			return e
		}
	}
	r.t.Fatalf("no entry says %q", text)
	return sessionio.Entry{}
}

func TestNavigate(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{says("one."), says("two.")}, nil, nil)
	r.ask("first")
	r.ask("second")
	n, err := r.Navigate(testContext(t), r.entryOf("second").ID, false)
	if err != nil || n.EditorText != "second" {
		t.Fatalf("%+v, %v", n, err)
	}
	r.wantContext("user first", "assistant one.") // for every reader of the file
	if e := r.until("the move", func(e Event) bool { return e.Leaf != nil }); *e.Leaf != n.Leaf || n.Leaf != r.sess.Leaf() {
		t.Errorf("leaf %v, want %v", *e.Leaf, n.Leaf)
	}
	r.ask("third")
	r.wantContext("user first", "assistant one.", "user third", "assistant done.")

	if n, err = r.Navigate(testContext(t), r.entryOf("two.").ID, false); err != nil || n.EditorText != "" {
		t.Fatalf("%+v, %v", n, err)
	}
	r.wantContext("user first", "assistant one.", "user second", "assistant two.")
	if n, err = r.Navigate(testContext(t), r.entryOf("first").ID, false); err != nil || n.EditorText != "first" {
		t.Fatalf("%+v, %v", n, err)
	}
	r.wantContext()
	if _, err := r.Navigate(testContext(t), "nowhere", false); !errors.Is(err, sessionio.ErrNoEntry) {
		t.Errorf("nowhere: %v", err)
	}
}

func TestNavigateBusy(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{hangs("x")}, nil, nil)
	r.prompt("go")
	r.untilDelta()
	if _, err := r.Navigate(testContext(t), "", false); !errors.Is(err, ErrBusy) {
		t.Errorf("navigate: %v", err)
	}
	if err := r.Compact(testContext(t), ""); !errors.Is(err, ErrBusy) {
		t.Errorf("compact: %v", err)
	}
	if err := r.Abort(testContext(t)); err != nil {
		t.Fatal(err)
	}
}

func TestNavigateSummarises(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{says("one."), says("two."), says("the notes")}, nil, nil)
	r.ask("first")
	r.ask("second")
	if _, err := r.Navigate(testContext(t), r.entryOf("second").ID, true); err != nil {
		t.Fatal(err)
	}
	r.wantContext("user first", "assistant one.", "branchSummary")
	reqs := r.prov.requests()
	asked := reqs[len(reqs)-1].Messages[0].Content[0].Text
	if !strings.Contains(asked, "[User]: second") || strings.Contains(asked, "first") {
		t.Errorf("asked %q", asked)
	}
	_, path := r.read()
	e := ofType(path, sessionio.TypeBranchSummary)[0]
	if !strings.Contains(e.Summary, "the notes") || e.FromID != string(e.ParentID) {
		t.Errorf("summary %+v", e)
	}
}

func TestNavigateFailedSummaryMovesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{says("one."), says("two."), fails(model.Error{Kind: model.Auth, Message: "no key"})}, nil, nil)
	r.ask("first")
	r.ask("second")
	before, _ := r.read()
	if _, err := r.Navigate(testContext(t), r.entryOf("first").ID, true); err == nil || !strings.Contains(err.Error(), "no key") {
		t.Errorf("err %v", err)
	}
	if after, _ := r.read(); len(after) != len(before) {
		t.Errorf("%d entries written", len(after)-len(before))
	}
}

// A prompt that comes while a branch is summarised is delivered afterwards, once.
func TestPromptDuringSummary(t *testing.T) {
	t.Parallel()
	asked, gate := make(chan struct{}), make(chan struct{})
	r := newRig(t, []step{says("one."), says("two."), func(context.Context, model.Request, func(model.Delta)) (*sessionio.Message, error) {
		close(asked)
		<-gate
		return answer(sessionio.StopEnd, textBlock("notes")), nil
	}}, nil, nil)
	r.ask("first")
	r.ask("second")
	moved := make(chan error)
	to := r.entryOf("second").ID
	go func() { _, err := r.Navigate(testContext(t), to, true); moved <- err }()
	<-asked
	if queued, err := r.Prompt(testContext(t), Input{Text: "third"}); err != nil || !queued {
		t.Fatal(queued, err)
	}
	close(gate)
	if err := <-moved; err != nil {
		t.Fatal(err)
	}
	r.wait()
	r.wantContext("user first", "assistant one.", "branchSummary", "user third", "assistant done.")
}

// What an abort left in the queue waits for the person: a move of the leaf does not send it.
func TestMoveSendsNothing(t *testing.T) {
	t.Parallel()
	started := make(chan struct{})
	r := newRig(t, []step{says("one."), func(ctx context.Context, req model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
		close(started)
		return hangs("")(ctx, req, emit)
	}}, nil, nil)
	r.ask("first")
	r.prompt("second")
	<-started
	if _, err := r.Prompt(testContext(t), Input{Text: "later"}); err != nil {
		t.Fatal(err)
	}
	if err := r.Abort(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Navigate(testContext(t), r.entryOf("second").ID, false); err != nil {
		t.Fatal(err)
	}
	r.wait()
	r.wantContext("user first", "assistant one.")
	if q := r.Queue(); len(q) != 1 || q[0].Text != "later" {
		t.Errorf("queue %v", q)
	}
}
