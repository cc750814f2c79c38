package host

import (
	"context"
	"dugout/agentloop"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"errors"
)

// read looks into a session, live or saved, at its leaf.
func (h *Host) read(ctx context.Context, ref protocol.SessionRef, do func(s *sessionio.Session, leaf sessionio.EntryID) error) error {
	l, path, err := h.find(ctx, ref)
	if err != nil {
		return err
	}
	if l != nil {
		l.mu.Lock()
		leaf := l.m.leaf
		l.mu.Unlock()
		return do(l.sess, leaf)
	}
	s, err := h.o.Store.OpenSession(path, true, "")
	if err != nil {
		return err
	}
	return errors.Join(do(s, s.Leaf()), s.Close())
}

// edit appends something small: through the agent of a live session, or to a saved one's file, under
// its lock and without making it live.
func (h *Host) edit(ctx context.Context, ref protocol.SessionRef, onLive func(*live) error, saved func() sessionio.Entry) error {
	for range 3 {
		l, path, err := h.find(ctx, ref)
		if err != nil {
			return err
		}
		if l != nil {
			if err = onLive(l); !errors.Is(err, agentloop.ErrClosed) {
				return err
			}
			if err := h.waitEnded(ctx, l); err != nil {
				return err
			}
			continue
		}
		done, err := h.editSaved(ctx, path, saved)
		if done || err != nil {
			return err
		}
	}
	return errShutdown
}

// editSaved reports false when the session became live while its gate was waited for.
func (h *Host) editSaved(ctx context.Context, path string, saved func() sessionio.Entry) (done bool, err error) {
	leave, err := h.gates.enter(ctx, path)
	if err != nil {
		return false, err
	}
	defer leave()
	h.mu.Lock()
	l := h.byPath[path]
	h.mu.Unlock()
	if l != nil {
		return false, nil
	}
	s, err := h.o.Store.OpenSession(path, false, h.holder())
	if err != nil {
		return false, err
	}
	_, err = s.Append(saved())
	return err == nil, errors.Join(err, s.Close())
}

func (c *conn) rename(p protocol.Rename) (any, error) {
	return nil, c.h.edit(c.ctx, p.SessionRef,
		func(l *live) error { return l.agent.Rename(p.Name) },
		func() sessionio.Entry { return sessionio.Entry{Type: sessionio.TypeSessionInfo, Name: p.Name} })
}

func (c *conn) label(p protocol.Label) (any, error) {
	if err := c.h.read(c.ctx, p.SessionRef, func(s *sessionio.Session, _ sessionio.EntryID) error {
		_, err := s.Entry(p.Entry)
		return err
	}); err != nil {
		return nil, err
	}
	return nil, c.h.edit(c.ctx, p.SessionRef,
		func(l *live) error { return l.agent.Label(p.Entry, p.Label) },
		func() sessionio.Entry {
			return sessionio.Entry{Type: sessionio.TypeLabel, TargetID: p.Entry, Label: p.Label}
		})
}

func (c *conn) archive(p protocol.Archive) (any, error) {
	ctx, cancel := c.lasting()
	defer cancel()
	state := sessionio.State{Status: string(sessionio.LifecycleActive)}
	if p.On {
		state.Status = string(sessionio.LifecycleArchived)
	}
	return nil, c.h.edit(ctx, p.SessionRef,
		func(l *live) error {
			if !p.On {
				return l.agent.Archive(false)
			}
			if err := l.agent.Abort(ctx); err != nil {
				return err
			}
			if err := l.agent.Archive(true); err != nil {
				return err
			}
			return c.h.end(ctx, l, reasonArchived)
		},
		func() sessionio.Entry { return sessionio.Entry{Type: sessionio.TypeSessionState, State: &state} })
}

func (c *conn) entries(p protocol.EntriesRange) (any, error) {
	var got protocol.Entries
	err := c.h.read(c.ctx, p.SessionRef, func(s *sessionio.Session, leaf sessionio.EntryID) (err error) {
		got, err = entriesBefore(s, leaf, p.Before, p.Limit)
		return err
	})
	return got, err
}

func (c *conn) errors(p protocol.SessionRef) (any, error) {
	var got protocol.Errors
	err := c.h.read(c.ctx, p, func(s *sessionio.Session, _ sessionio.EntryID) (err error) {
		got.Errors, err = s.Errors()
		return err
	})
	return got, err
}

func (c *conn) tree(p protocol.SessionRef) (any, error) {
	var got protocol.Tree
	err := c.h.read(c.ctx, p, func(s *sessionio.Session, leaf sessionio.EntryID) error {
		got = wireTree(s.Tree(), leaf, s.Labels())
		return nil
	})
	return got, err
}

func wireTree(t *sessionio.Tree, leaf sessionio.EntryID, labels map[sessionio.EntryID]string) protocol.Tree {
	onPath := map[sessionio.EntryID]bool{}
	for _, m := range t.Path(leaf) {
		onPath[m.ID] = true
	}
	got := protocol.Tree{Leaf: leaf, Nodes: make([]protocol.TreeNode, 0, t.Len())}
	for _, m := range t.All() {
		got.Nodes = append(got.Nodes, protocol.TreeNode{
			ID: m.ID, Parent: m.Parent, Type: m.Type, Role: m.Role, Time: m.Time, Preview: m.Preview,
			Label: labels[m.ID], OnLeafPath: onPath[m.ID], HasTools: m.HasTools,
		})
	}
	return got
}

func (c *conn) navigate(p protocol.Navigate) (any, error) {
	var at protocol.Navigated
	err := c.h.withLive(c.ctx, p.SessionRef, settings{}, func(l *live) error {
		n, err := l.agent.Navigate(c.ctx, p.To, p.Summarise)
		at = protocol.Navigated{Leaf: n.Leaf, EditorText: n.EditorText}
		return err
	})
	return at, err
}

func (c *conn) compact(p protocol.Compact) (any, error) {
	return nil, c.h.withLive(c.ctx, p.SessionRef, settings{}, func(l *live) error { return l.agent.Compact(c.ctx, p.Focus) })
}

func (c *conn) fork(p protocol.Fork) (any, error) {
	if p.At == "" {
		return nil, refuse(protocol.CodeParams, "a fork needs an entry to fork at")
	}
	return c.forkAt(p.SessionRef, func(s *sessionio.Session, _ sessionio.EntryID) (sessionio.EntryID, string, error) {
		e, err := s.Entry(p.At)
		if err != nil {
			return "", "", err
		}
		if e.Type != sessionio.TypeMessage || e.Message == nil || e.Message.Role != sessionio.RoleUser {
			return e.ID, "", nil
		}
		m, _ := s.Tree().Get(e.ID) // its parent as repaired
		return m.Parent, plainText(e.Message.Content), nil
	})
}

func (c *conn) clone(p protocol.SessionRef) (any, error) {
	return c.forkAt(p, func(_ *sessionio.Session, leaf sessionio.EntryID) (sessionio.EntryID, string, error) {
		return leaf, "", nil
	})
}

// forkAt makes a new saved session from the path to the entry that where names.
func (c *conn) forkAt(ref protocol.SessionRef, where func(*sessionio.Session, sessionio.EntryID) (sessionio.EntryID, string, error)) (any, error) {
	var made protocol.Forked
	err := c.h.read(c.ctx, ref, func(s *sessionio.Session, leaf sessionio.EntryID) error {
		at, text, err := where(s, leaf)
		if err != nil {
			return err
		}
		fresh, err := c.h.o.Store.ForkSession(s, at, c.h.holder())
		if err != nil {
			return err
		}
		made = protocol.Forked{ID: fresh.Header().ID, Path: fresh.Path(), EditorText: text}
		if fresh.OnDisk() {
			return fresh.Close()
		}
		// nothing is asked in it, so it has no file yet: it lives on here until its first question
		path, err := canonical(fresh.Path())
		if err == nil {
			_, err = c.h.start(fresh, path, settings{})
		}
		if err != nil {
			return errors.Join(err, fresh.Close())
		}
		return nil
	})
	return made, err
}

// plainText is the text blocks of a message.
func plainText(blocks []sessionio.Block) string {
	var text []byte
	for _, b := range blocks {
		if b.Type == sessionio.BlockText {
			text = append(text, b.Text...)
		}
	}
	return string(text)
}
