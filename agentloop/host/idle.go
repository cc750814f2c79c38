package host

import (
	"context"
	"dugout/agentloop"
	"errors"
	"os"
	"time"
)

// idleTick is how often the daemon looks whether it is needed.
const idleTick = 5 * time.Second

func pid() int { return os.Getpid() }

// noteQuiet notes, under mu, the moment from which the daemon is of no use to anybody.
func (h *Host) noteQuiet() {
	if len(h.sessions) == 0 && len(h.conns) == 0 {
		h.quietFrom = h.o.Now()
	}
}

// watchIdle closes sessions that nobody looks at, and leaves when nothing is left.
func (h *Host) watchIdle() {
	tick := time.NewTicker(idleTick)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			h.closeIdle()
			if h.idledOut() {
				h.o.Log.Info("nothing is live and nobody is attached: leaving")
				h.leave()
			}
		case <-h.stop:
			return
		}
	}
}

func (h *Host) idledOut() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.o.IdleExit > 0 && len(h.sessions) == 0 && len(h.conns) == 0 && h.o.Now().Sub(h.quietFrom) >= h.o.IdleExit
}

// closeIdle ends the sessions that have been idle and alone for long enough.
func (h *Host) closeIdle() {
	h.mu.Lock()
	var tired []*live
	for _, l := range h.sessions {
		if l.rest(h.o.Now(), h.o.SessionIdle) {
			tired = append(tired, l)
		}
	}
	h.mu.Unlock()
	for _, l := range tired {
		ctx, cancel := context.WithTimeout(context.Background(), closePatience)
		if err := h.end(ctx, l, reasonIdle); err != nil && !errors.Is(err, context.Canceled) {
			h.o.Log.Warn("an idle session could not be closed", "session", l.id, "why", err)
		}
		cancel()
	}
}

// rest lets go of the events that a session at rest keeps, and says whether it may be closed: idle
// and alone for long, with nothing that waits or wants an answer lost by it.
func (l *live) rest(now time.Time, after time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m.state.Activity != agentloop.Idle || len(l.subs) > 0 || len(l.busyKids) > 0 {
		return false
	}
	alone := now.Sub(l.touched)
	if alone > time.Minute {
		l.ring = ring{}
	}
	return after > 0 && len(l.m.queue) == 0 && alone >= after
}
