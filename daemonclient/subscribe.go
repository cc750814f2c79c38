package daemonclient

import (
	"context"
	"dugout/daemonclient/protocol"
	"encoding/json"
)

// Attachment is a stream of one session's events.
type Attachment struct {
	Attached protocol.Attached
	Events   <-chan protocol.Event // closed by Detach, after a "closed" event, and when the connection is lost
}

// sessionFeed is the subscription to one session.
type sessionFeed struct {
	*feed[protocol.Event]
	ask protocol.Attach
}

// Attach subscribes to a session. Reading slowly is allowed: what piles up is bounded, and a
// snapshot takes the place of what was dropped. A client has one subscription to a session: a
// second Attach takes the place of the first, whose Events close.
func (c *Client) Attach(ctx context.Context, a protocol.Attach) (*Attachment, error) {
	att := &Attachment{}
	var fresh *sessionFeed
	err := c.call(ctx, protocol.MethodSessionAttach, a, func(raw json.RawMessage) error {
		if err := json.Unmarshal(raw, &att.Attached); err != nil {
			return err
		}
		fresh = c.addSession(a, att.Attached)
		return nil
	})
	if err != nil {
		if ctx.Err() != nil && fresh == nil { // it may be granted yet, to nobody
			go func() { _ = c.Detach(context.Background(), a.SessionRef) }()
		}
		return nil, err
	}
	att.Events = fresh.out
	return att, nil
}

// addSession runs in the reading goroutine: the events behind the response find their feed.
func (c *Client) addSession(a protocol.Attach, at protocol.Attached) *sessionFeed {
	id := at.Session
	ask := protocol.Attach{SessionRef: protocol.SessionRef{ID: id}, Tail: a.Tail, LiveOnly: true}
	f := &sessionFeed{ask: ask}
	f.feed = newFeed[protocol.Event](func() { c.resyncSession(f) })
	c.mu.Lock()
	old := c.sessions[id]
	c.sessions[id] = f
	if c.err != nil {
		f.finish()
	}
	c.mu.Unlock()
	if old != nil {
		old.end()
	}
	go f.run(c.closed)
	return f
}

// resyncSession attaches anew for a reader that had fallen behind.
func (c *Client) resyncSession(f *sessionFeed) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-f.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := c.call(ctx, protocol.MethodSessionAttach, f.ask, func(raw json.RawMessage) error {
		var at protocol.Attached
		if err := json.Unmarshal(raw, &at); err != nil {
			return err
		}
		f.revive(protocol.Event{
			Session: at.Session, Generation: at.Cursor.Generation, Seq: at.Cursor.Seq,
			Type: protocol.EventSnapshot, Snapshot: at.Snapshot,
		}, len(raw))
		return nil
	})
	if err != nil {
		f.finish()
	}
}

// Detach ends a subscription.
func (c *Client) Detach(ctx context.Context, ref protocol.SessionRef) error {
	var detached protocol.Detached
	if err := c.Call(ctx, protocol.MethodSessionDetach, ref, &detached); err != nil {
		return err
	}
	c.mu.Lock()
	f := c.sessions[detached.Session]
	delete(c.sessions, detached.Session)
	c.mu.Unlock()
	if f != nil {
		f.end()
	}
	return nil
}

func (c *Client) receiveEvent(params json.RawMessage, size int) {
	var e protocol.Event
	if json.Unmarshal(params, &e) != nil { // a newer daemon's event: the reader goes on without it
		return
	}
	c.mu.Lock()
	f := c.sessions[e.Session]
	if e.Type == protocol.EventClosed {
		delete(c.sessions, e.Session)
	}
	c.mu.Unlock()
	switch {
	case f == nil:
	case e.Type == protocol.EventClosed:
		f.last(e)
	default:
		f.put(e, size)
	}
}

// Roster is a stream of changes of the set of live sessions.
type Roster struct {
	Snapshot protocol.RosterSnapshot
	Events   <-chan protocol.RosterEvent // closed when the connection is lost
}

// SubscribeRoster subscribes to the live sessions. A client has one such subscription: a second
// takes the place of the first.
func (c *Client) SubscribeRoster(ctx context.Context) (*Roster, error) {
	r := &Roster{}
	var fresh *feed[protocol.RosterEvent]
	err := c.call(ctx, protocol.MethodRosterSubscribe, nil, func(raw json.RawMessage) error {
		if err := json.Unmarshal(raw, &r.Snapshot); err != nil {
			return err
		}
		fresh = newFeed[protocol.RosterEvent](func() { c.resyncRoster(fresh) })
		c.mu.Lock()
		old := c.roster
		c.roster = fresh
		if c.err != nil {
			fresh.finish()
		}
		c.mu.Unlock()
		if old != nil {
			old.end()
		}
		go fresh.run(c.closed)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.Events = fresh.out
	return r, nil
}

func (c *Client) resyncRoster(f *feed[protocol.RosterEvent]) {
	err := c.call(context.Background(), protocol.MethodRosterSubscribe, nil, func(raw json.RawMessage) error {
		var s protocol.RosterSnapshot
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		f.revive(protocol.RosterEvent{Cursor: s.Cursor, Snapshot: &s}, len(raw))
		return nil
	})
	if err != nil {
		f.finish()
	}
}

func (c *Client) receiveRoster(params json.RawMessage, size int) {
	var e protocol.RosterEvent
	if json.Unmarshal(params, &e) != nil {
		return
	}
	c.mu.Lock()
	f := c.roster
	c.mu.Unlock()
	if f != nil {
		f.put(e, size)
	}
}
