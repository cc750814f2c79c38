package host

import (
	"context"
	"dugout/agentloop"
	"dugout/agentloop/permission"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
)

// withLive does something in a live session, opened if it is saved. One that is just being closed is
// waited for and opened anew.
func (h *Host) withLive(ctx context.Context, ref protocol.SessionRef, s settings, do func(l *live) error) error {
	for range 3 {
		l, _, err := h.open(ctx, ref, s)
		if err != nil {
			return err
		}
		if err = do(l); !errors.Is(err, agentloop.ErrClosed) {
			return err
		}
		if err := h.waitEnded(ctx, l); err != nil {
			return err
		}
	}
	return errShutdown
}

// waitEnded returns when the one who closes a session is done with it.
func (h *Host) waitEnded(ctx context.Context, l *live) error {
	leave, err := h.gates.enter(ctx, l.path)
	if err != nil {
		return err
	}
	leave()
	return nil
}

func (c *conn) newSession(p protocol.NewSession) (any, error) {
	if !filepath.IsAbs(p.CWD) {
		return nil, refuse(protocol.CodeParams, "a session needs an absolute working folder, not %q", p.CWD)
	}
	if err := checkFolder(p.CWD); err != nil {
		return nil, err
	}
	depth := 0
	l, err := c.h.create(sessionio.Header{CWD: filepath.Clean(p.CWD), Depth: &depth},
		settings{Model: p.Model, Permission: p.Permission, Headless: p.Headless}, p.NoSession)
	if err != nil {
		return nil, err
	}
	if p.Name != "" {
		err = l.agent.Rename(p.Name)
	}
	if err == nil && p.Prompt != "" {
		_, err = l.agent.Prompt(c.ctx, agentloop.Input{Text: p.Prompt, ClientID: p.ClientID})
	}
	if err != nil { // nobody knows of it yet
		return nil, errors.Join(err, c.h.end(context.WithoutCancel(c.ctx), l, reasonStopped))
	}
	return protocol.Opened{Summary: l.current()}, nil
}

func (c *conn) openSession(p protocol.OpenSession) (any, error) {
	s := settings{Model: p.Model, Permission: p.Permission, CWD: p.CWD, Headless: p.Headless}
	if p.CWD != "" {
		if err := checkFolder(p.CWD); err != nil {
			return nil, err
		}
	}
	var opened protocol.Opened
	err := c.h.withLive(c.ctx, p.SessionRef, s, func(l *live) error {
		if p.CWD != "" && p.CWD != l.cwd && checkFolder(l.cwd) != nil {
			// its folder is gone: closed here, and by the next try opened in the other
			if err := c.h.end(c.ctx, l, reasonMoved); err != nil {
				return err
			}
			return agentloop.ErrClosed
		}
		err := l.apply(protocol.Set{Model: p.Model, Permission: p.Permission})
		opened.Summary = l.current()
		return err
	})
	return opened, err
}

// apply changes the settings that are given and differ.
func (l *live) apply(p protocol.Set) error {
	st := l.agent.State()
	if p.Model != "" && p.Model != refText(st.Model) {
		ref, err := l.h.modelRef(p.Model)
		if err != nil {
			return err
		}
		if err := l.agent.SetModel(ref); err != nil {
			return err
		}
	}
	if p.ThinkingLevel != "" && p.ThinkingLevel != st.ThinkingLevel {
		if err := l.agent.SetThinking(p.ThinkingLevel); err != nil {
			return err
		}
	}
	if p.Permission != "" && p.Permission != st.Permission {
		mode, err := permission.ParseMode(p.Permission)
		if err != nil {
			return refuse(protocol.CodeParams, "%v", err)
		}
		return l.agent.SetPermission(mode)
	}
	return nil
}

func (c *conn) set(p protocol.Set) (any, error) {
	return nil, c.h.withLive(c.ctx, p.SessionRef, settings{}, func(l *live) error { return l.apply(p) })
}

// attach subscribes the connection to a session. Its response is followed by the session's events.
func (c *conn) attach(raw json.RawMessage) (any, func(), error) {
	p, err := decode[protocol.Attach](raw)
	if err != nil {
		return nil, nil, err
	}
	if p.LiveOnly {
		if _, err := c.h.findLive(c.ctx, p.SessionRef); err != nil {
			return nil, nil, err
		}
	}
	var at protocol.Attached
	var s *sub
	err = c.h.withLive(c.ctx, p.SessionRef, settings{}, func(l *live) error {
		var snapshot *sealed
		var ok bool
		if s, at, snapshot, ok = l.attach(c.nudge, p); !ok {
			return agentloop.ErrClosed
		}
		if snapshot == nil {
			return nil
		}
		if err := snapshot.fill(&snapshot.event); err != nil {
			l.drop(s)
			return err
		}
		at.Snapshot = snapshot.event.Snapshot
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return at, func() { c.subscribe(s) }, nil
}

func (c *conn) detach(p protocol.SessionRef) (any, error) {
	l, err := c.h.findLive(c.ctx, p)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	s := c.subs[l.id]
	c.mu.Unlock()
	if s != nil {
		c.forget(s)
		l.drop(s)
	}
	return protocol.Detached{Session: l.id}, nil
}

func (c *conn) prompt(p protocol.Prompt) (any, error) {
	if strings.TrimSpace(p.Text) == "" && len(p.Images) == 0 {
		return nil, refuse(protocol.CodeParams, "the message is empty")
	}
	var taken protocol.Prompted
	err := c.h.withLive(c.ctx, p.SessionRef, settings{}, func(l *live) (err error) {
		if err := checkFolder(l.cwd); err != nil && !l.headless { // headless, the tools alone refuse
			return err
		}
		if l.sess.Info().State == sessionio.LifecycleArchived {
			if err := l.agent.Archive(false); err != nil {
				return err
			}
		}
		in := agentloop.Input{Text: p.Text, Images: p.Images, ClientID: p.ClientID}
		if p.FollowUp {
			in.Kind = agentloop.FollowUp
		}
		taken.Queued, err = l.agent.Prompt(c.ctx, in)
		return err
	})
	return taken, err
}

func (c *conn) dequeue(p protocol.Dequeue) (any, error) {
	l, err := c.h.findLive(c.ctx, p.SessionRef)
	if err != nil {
		return nil, err
	}
	q, ok := l.agent.Dequeue(p.QueueID)
	if !ok {
		return nil, refuse(protocol.CodeNotFound, "no such message waits any more")
	}
	return wireQueue([]agentloop.Queued{q})[0], nil
}

func (c *conn) answer(p protocol.Answer) (any, error) {
	l, err := c.h.findLive(c.ctx, p.SessionRef)
	if err != nil {
		return nil, err
	}
	if p.PermissionID == "" {
		open := l.agent.Pending()
		if len(open) == 0 {
			return nil, refuse(protocol.CodeNotFound, "no question is open in this session")
		}
		p.PermissionID = open[0].ID
	}
	ok := l.agent.Answer(p.PermissionID, agentloop.Answer{Allow: p.Allow, Always: p.Always, Reason: p.Reason, By: c.name})
	if !ok {
		return nil, refuse(protocol.CodeNotFound, "the question is not open any more")
	}
	return nil, nil
}

// abort, stop and the like go on when the client that asked for them is gone.
func (c *conn) lasting() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(c.ctx), closePatience)
}

func (c *conn) abort(p protocol.SessionRef) (any, error) {
	ctx, cancel := c.lasting()
	defer cancel()
	l, err := c.h.findLive(ctx, p)
	if err != nil {
		return nil, err
	}
	return nil, l.agent.Abort(ctx)
}

func (c *conn) stop(p protocol.SessionRef) (any, error) {
	ctx, cancel := c.lasting()
	defer cancel()
	l, err := c.h.findLive(ctx, p)
	if err != nil {
		return nil, err
	}
	return nil, c.h.end(ctx, l, reasonStopped)
}

func (c *conn) remove(p protocol.SessionRef) (any, error) {
	ctx, cancel := c.lasting()
	defer cancel()
	return c.h.remove(ctx, p)
}

// current is the live summary now.
func (l *live) current() protocol.Summary {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.summarizeLocked(l.info)
}
