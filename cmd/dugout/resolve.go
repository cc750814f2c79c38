package main

import (
	"context"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"fmt"
	"path/filepath"
	"strings"
)

// resolve finds the session that a selector means: among the live ones of a running daemon, which
// need not have a file yet, else in the stores.
func (e *env) resolve(ctx context.Context, selector string) (protocol.SessionRef, error) {
	live, err := e.live(ctx)
	if err != nil {
		return protocol.SessionRef{}, err
	}
	s, err := e.sessions()
	if err != nil {
		return protocol.SessionRef{}, err
	}
	if !isPath(selector) {
		for _, l := range live {
			if string(l.ID) == selector {
				return protocol.SessionRef{ID: l.ID, Path: l.Path}, nil
			}
		}
	}
	info, err := s.Resolve(ctx, selector)
	if err == nil {
		return protocol.SessionRef{ID: info.ID, Path: info.Path}, nil
	}
	if isPath(selector) {
		return protocol.SessionRef{}, err
	}
	// A live session that is not on disk yet is not in the stores.
	var found []protocol.Summary
	for _, l := range live {
		if !l.OnDisk && (l.Name == selector || matchesID(l.ID, selector)) {
			found = append(found, l)
		}
	}
	switch len(found) {
	case 0:
		return protocol.SessionRef{}, err
	case 1:
		return protocol.SessionRef{ID: found[0].ID, Path: found[0].Path}, nil
	default:
		return protocol.SessionRef{}, fmt.Errorf("%q is %w: %s and %s", selector, store.ErrAmbiguous, found[0].ID, found[1].ID)
	}
}

func isPath(selector string) bool {
	return strings.ContainsRune(selector, filepath.Separator) || strings.HasSuffix(selector, ".jsonl")
}

func matchesID(id sessionio.ID, selector string) bool {
	bare := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "-", "")) }
	want := bare(selector)
	return len(want) >= 4 && (strings.HasPrefix(bare(string(id)), want) || strings.HasSuffix(bare(string(id)), want))
}

// live are the summaries of a running daemon; none when none runs.
func (e *env) live(ctx context.Context) ([]protocol.Summary, error) {
	c, err := e.running(ctx)
	if c == nil || err != nil {
		return nil, err
	}
	var snap protocol.RosterSnapshot
	err = c.Call(ctx, protocol.MethodSessionList, nil, &snap)
	return snap.Sessions, err
}

// read opens the file of a session for reading.
func (e *env) read(ctx context.Context, selector string) (*sessionio.Session, error) {
	ref, err := e.resolve(ctx, selector)
	if err != nil {
		return nil, err
	}
	return e.store.OpenSession(ref.Path, true, "")
}
