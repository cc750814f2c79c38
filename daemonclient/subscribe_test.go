package daemonclient_test

import (
	"dugout/daemonclient/clienttest"
	"dugout/daemonclient/protocol"
	"encoding/json"
	"net"
	"testing"
)

func pipe() (net.Conn, net.Conn) { return net.Pipe() }

func TestEventsBehindTheResponseAreNotLost(t *testing.T) {
	t.Parallel()
	d, c := clienttest.New(t)
	d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: "s"}})
	ctx := within(t)
	for range 50 { // a race would lose the first event now and then
		att, err := c.Attach(ctx, protocol.Attach{})
		if err != nil {
			t.Fatal(err)
		}
		d.Emit(protocol.Event{Session: "s", Type: protocol.EventDelta, Delta: &protocol.Delta{Text: "x"}})
		if e := <-att.Events; e.Seq != att.Attached.Cursor.Seq+1 {
			t.Fatalf("got seq %d after cursor %d", e.Seq, att.Attached.Cursor.Seq)
		}
	}
}

// A reader that sleeps through a flood gets, in place of what was dropped, one snapshot whose place
// the next event continues; calls are answered all the while.
func TestSlowReaderGetsASnapshot(t *testing.T) {
	t.Parallel()
	d, c := clienttest.New(t)
	d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: "s", Recap: "all of it"}})
	ctx := within(t)
	att, err := c.Attach(ctx, protocol.Attach{Tail: 7})
	if err != nil {
		t.Fatal(err)
	}
	const flood = 20_000
	for range flood {
		d.Emit(protocol.Event{Session: "s", Type: protocol.EventDelta, Delta: &protocol.Delta{Text: "x"}})
	}
	if err := c.Call(ctx, "anything", nil, nil); err != nil {
		t.Fatal(err)
	}
	seq, seen := att.Attached.Cursor.Seq, 0
	for e := range att.Events {
		seen++
		if e.Type == protocol.EventSnapshot {
			if e.Seq != flood || e.Snapshot.Summary.Recap != "all of it" {
				t.Fatalf("snapshot at %d: %+v", e.Seq, e.Snapshot)
			}
			break
		}
		if e.Seq != seq+1 {
			t.Fatalf("seq %d after %d without a snapshot", e.Seq, seq)
		}
		seq = e.Seq
	}
	if seen > 10 {
		t.Errorf("%d events before the snapshot: the flood was kept", seen)
	}
	if got := d.Calls(protocol.MethodSessionAttach); len(got) != 2 {
		t.Errorf("%d attaches, want 2", len(got))
	}
	d.Emit(protocol.Event{Session: "s", Type: protocol.EventAnswerEnd})
	if e := <-att.Events; e.Seq != flood+1 {
		t.Errorf("after the snapshot came %d", e.Seq)
	}
}

func TestSlowRosterReaderGetsASnapshot(t *testing.T) {
	t.Parallel()
	d, c := clienttest.New(t)
	d.HandleRoster(protocol.Summary{ID: "s"})
	ctx := within(t)
	r, err := c.SubscribeRoster(ctx)
	if err != nil {
		t.Fatal(err)
	}
	const flood = 10_000
	for range flood {
		d.EmitRoster(protocol.RosterEvent{Changed: []protocol.Summary{{ID: "s"}}})
	}
	if err := c.Call(ctx, "anything", nil, nil); err != nil {
		t.Fatal(err)
	}
	for e := range r.Events {
		if e.Snapshot != nil {
			if e.Cursor.Seq != flood || len(e.Snapshot.Sessions) != 1 {
				t.Errorf("got %+v", e)
			}
			return
		}
	}
	t.Fatal("no snapshot")
}

func TestDetachEndsTheStream(t *testing.T) {
	t.Parallel()
	d, c := clienttest.New(t)
	d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: "s"}})
	d.Handle(protocol.MethodSessionDetach, func(json.RawMessage) (any, error) { return protocol.Detached{Session: "s"}, nil })
	ctx := within(t)
	att, err := c.Attach(ctx, protocol.Attach{SessionRef: protocol.SessionRef{Path: "/x/s.jsonl"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Detach(ctx, protocol.SessionRef{Path: "/x/s.jsonl"}); err != nil {
		t.Fatal(err)
	}
	d.Emit(protocol.Event{Session: "s", Type: protocol.EventAnswerEnd})
	for e := range att.Events {
		t.Errorf("after detach: %+v", e)
	}
}
