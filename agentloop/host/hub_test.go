package host

import (
	"dugout/daemonclient/protocol"
	"testing"
)

func ids(list []protocol.Summary) (s string) {
	for _, one := range list {
		s += string(one.ID)
	}
	return s
}

// However many changes a subscriber sleeps through, what waits for it is one event with the latest.
func TestHubKeepsOnlyTheLatestForASlowSubscriber(t *testing.T) {
	t.Parallel()
	h := newHub("g")
	h.change(protocol.Summary{ID: "a"}, true)
	nudges := 0
	s, snapshot := h.subscribe(func() { nudges++ })
	if ids(snapshot.Sessions) != "a" || snapshot.Cursor.Generation != "g" {
		t.Fatalf("snapshot %+v", snapshot)
	}
	if e := h.take(s); e != nil {
		t.Fatalf("nothing changed, got %+v", e)
	}
	for n := range 10_000 {
		h.change(protocol.Summary{ID: "b", Tokens: n}, true)
	}
	h.change(protocol.Summary{ID: "c"}, true)
	h.remove(protocol.Gone{ID: "c", Reason: "stopped"})
	h.remove(protocol.Gone{ID: "a", Reason: "deleted"})
	h.change(protocol.Summary{ID: "a", Tokens: 7}, true) // it came back
	e := h.take(s)
	if e == nil || e.Cursor.Seq != snapshot.Cursor.Seq+1 || ids(e.Changed) != "ab" || e.Changed[1].Tokens != 9999 {
		t.Fatalf("got %+v", e)
	}
	if len(e.Gone) != 1 || e.Gone[0].ID != "c" {
		t.Errorf("gone %+v", e.Gone)
	}
	if h.take(s) != nil {
		t.Error("the same told twice")
	}
	h.unsubscribe(s)
	before := nudges
	h.change(protocol.Summary{ID: "d"}, true)
	if nudges != before {
		t.Error("an unsubscribed one was nudged")
	}
}

func TestHubHoldsSmallChangesBackAMoment(t *testing.T) {
	t.Parallel()
	h := newHub("g")
	woken := make(chan struct{}, 1)
	s, _ := h.subscribe(func() {
		select {
		case woken <- struct{}{}:
		default:
		}
	})
	h.change(protocol.Summary{ID: "a", Tokens: 1}, false)
	h.change(protocol.Summary{ID: "a", Tokens: 2}, false)
	if e := h.take(s); e != nil {
		t.Fatalf("told at once: %+v", e)
	}
	<-woken
	if e := h.take(s); e == nil || len(e.Changed) != 1 || e.Changed[0].Tokens != 2 {
		t.Errorf("got %+v", e)
	}
}
