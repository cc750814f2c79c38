package host

import (
	"dugout/daemonclient/protocol"
	"sync"
	"testing"
	"time"
)

// hand is a clock moved by hand.
type hand struct {
	mu sync.Mutex
	at time.Time
}

func (h *hand) now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at
}

func (h *hand) move(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.at = h.at.Add(d)
}

func TestIdleSessionsAreClosedAndThenTheDaemonLeaves(t *testing.T) {
	t.Parallel()
	clock := &hand{at: time.Now()}
	r := newRig(t, func(o *Options) { o.Now, o.SessionIdle, o.IdleExit = clock.now, time.Hour, 15*time.Minute })
	c := r.client("a")
	watched, alone, busy := c.start("say: a"), c.start("say: b"), c.start("wait: 10m")
	s := c.attach(protocol.Attach{SessionRef: byID(watched.ID)})
	s.idle()
	r.until("rest", func() bool { return c.live()[alone.ID].State == protocol.StateIdle })
	clock.move(59 * time.Minute)
	if r.h.closeIdle(); len(c.live()) != 3 {
		t.Fatalf("too early: %+v", c.live())
	}
	clock.move(2 * time.Minute)
	r.h.closeIdle()
	live := c.live()
	if _, there := live[alone.ID]; there || len(live) != 2 {
		t.Errorf("live: %+v", live)
	}
	c.must(protocol.MethodSessionStop, byID(busy.ID), nil)
	c.must(protocol.MethodSessionStop, byID(watched.ID), nil)
	clock.move(time.Hour)
	if r.h.idledOut() {
		t.Error("leaves while somebody is attached")
	}
	_ = c.Close()
	r.until("the client's end", func() bool {
		r.h.mu.Lock()
		defer r.h.mu.Unlock()
		return len(r.h.conns) == 0
	})
	if clock.move(14 * time.Minute); r.h.idledOut() {
		t.Error("leaves too early")
	}
	if clock.move(2 * time.Minute); !r.h.idledOut() {
		t.Error("stays")
	}
}
