package host

import (
	"context"
	"dugout/daemonclient/protocol"
	"fmt"
)

// Why a session is no longer live.
const (
	reasonStopped  = "stopped"
	reasonDeleted  = "deleted"
	reasonArchived = "archived"
	reasonIdle     = "idle"
	reasonMoved    = "moved" // to another folder: it is live again in a moment
	reasonShutdown = "shutdown"
)

// end stops a live session: its turn is aborted, what was said is kept, everybody is told.
func (h *Host) end(ctx context.Context, l *live, reason string) error {
	leave, err := h.gates.enter(ctx, l.path)
	if err != nil {
		return err
	}
	defer leave()
	return h.endInside(ctx, l, reason)
}

// endInside is end for one who is inside the gate of the session's path.
func (h *Host) endInside(ctx context.Context, l *live, reason string) error {
	if l.isEnded() {
		return nil
	}
	err := l.agent.Close(ctx)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("session %s does not stop: %w", l.id, err)
	}
	l.finish(reason)
	h.mu.Lock()
	delete(h.sessions, l.id)
	delete(h.byPath, l.path)
	h.noteQuiet()
	h.mu.Unlock()
	h.hub.remove(protocol.Gone{ID: l.id, Path: l.path, Reason: reason})
	if l.cleanup != nil {
		l.cleanup()
	}
	if err != nil {
		return fmt.Errorf("close session %s: %w", l.id, err)
	}
	return nil
}

// liveChildren counts the live sessions that l started.
func (h *Host) liveChildren(l *live) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, other := range h.sessions {
		if other.spawnedBy == l || other.sess.Header().ParentSession == l.path && other.depth() > 0 {
			n++
		}
	}
	return n
}

// remove deletes a session's file and what belongs to it; a live one is stopped first.
func (h *Host) remove(ctx context.Context, ref protocol.SessionRef) (protocol.Deleted, error) {
	var gone protocol.Deleted
	_, path, err := h.find(ctx, ref)
	if err != nil {
		return gone, err
	}
	leave, err := h.gates.enter(ctx, path)
	if err != nil {
		return gone, err
	}
	defer leave()
	gone.Path = path
	h.mu.Lock()
	l := h.byPath[path]
	h.mu.Unlock()
	if l != nil {
		if n := h.liveChildren(l); n > 0 {
			return gone, refuse(protocol.CodeChildren, "the session has %d live child sessions: stop them first", n)
		}
		onDisk := l.sess.OnDisk()
		if err := h.endInside(ctx, l, reasonDeleted); err != nil {
			return gone, err
		}
		if !onDisk {
			return gone, nil
		}
	}
	d, err := h.o.Store.Delete(ctx, path)
	if err != nil {
		return gone, err
	}
	return protocol.Deleted{Path: d.Path, Way: d.Way, Program: d.Program, Artifacts: d.Artifacts}, nil
}
