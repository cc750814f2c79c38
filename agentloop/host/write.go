package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"slices"
)

// write sends what waits until the connection ends: responses first, then the roster, then one
// batch of each attached session in turn.
func (c *conn) write() {
	w := protocol.NewWriter(c.rw)
	for {
		sent, ok := c.writeRound(w)
		switch {
		case !ok:
			return
		case sent:
			continue
		}
		c.mu.Lock()
		over := c.ending && len(c.responses) == 0
		c.mu.Unlock()
		if over {
			return
		}
		select {
		case <-c.wake:
		case <-c.ctx.Done():
			return
		}
	}
}

func (c *conn) writeRound(w *protocol.Writer) (sent, ok bool) {
	// looked at before the responses: a subscription that is seen here has its response in line
	c.mu.Lock()
	roster, ids := c.roster, slices.Clone(c.order)
	subs := make([]*sub, 0, len(ids))
	for _, id := range ids {
		subs = append(subs, c.subs[id])
	}
	c.mu.Unlock()
	if sent, ok = c.writeResponses(w); !ok || sent {
		return sent, ok
	}
	if roster != nil {
		if e := c.h.hub.take(roster); e != nil {
			frame, err := protocol.EncodeNotification(protocol.NotifyRoster, e)
			if err != nil {
				c.h.o.Log.Error("a roster event could not be made", "why", err)
				return false, false
			}
			if w.Write(frame) != nil {
				return false, false
			}
			sent = true
		}
	}
	for _, s := range subs {
		more, ok := c.writeEvents(w, s)
		if !ok {
			return false, false
		}
		sent = sent || more
	}
	return sent, true
}

func (c *conn) writeResponses(w *protocol.Writer) (sent, ok bool) {
	c.mu.Lock()
	list := c.responses
	c.responses = nil
	c.mu.Unlock()
	for _, r := range list {
		if len(r.frame) > 0 && w.Write(r.frame) != nil {
			return false, false
		}
		if r.then != nil {
			r.then()
		}
	}
	return len(list) > 0, true
}

func (c *conn) writeEvents(w *protocol.Writer, s *sub) (sent, ok bool) {
	events, over := s.take()
	for _, e := range events {
		frame, err := e.frame()
		if err != nil { // a snapshot of a session that closed meanwhile: its last event follows
			c.h.o.Log.Warn("an event could not be made", "type", e.event.Type, "why", err)
			continue
		}
		if w.Write(frame) != nil {
			return false, false
		}
	}
	if over {
		c.forget(s)
	}
	return len(events) > 0, true
}

// subscribe takes a subscription in, in place of an earlier one to the same session.
func (c *conn) subscribe(s *sub) {
	c.mu.Lock()
	old := c.subs[s.l.id]
	if old == nil {
		c.order = append(c.order, s.l.id)
	}
	c.subs[s.l.id] = s
	gone := c.ctx.Err() != nil
	c.mu.Unlock()
	if old != nil {
		old.l.drop(old)
	}
	if gone { // leaveAll may be over
		s.l.drop(s)
	}
	c.nudge()
}

// forget removes a subscription that is over or given up.
func (c *conn) forget(s *sub) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.subs[s.l.id] == s {
		delete(c.subs, s.l.id)
		c.order = slices.DeleteFunc(c.order, func(id sessionio.ID) bool { return id == s.l.id })
	}
}
