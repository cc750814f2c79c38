package main

import (
	"context"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/sessionio/store"
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
	var info sessionio.Info
	if isPath(selector) {
		info, err = s.Resolve(ctx, selector)
	} else {
		var infos []sessionio.Info
		if infos, _, err = s.List(ctx, nil); err != nil {
			return protocol.SessionRef{}, err
		}
		for _, l := range live {
			if !l.OnDisk { // it is in no store yet
				infos = append(infos, sessionio.Info{ID: l.ID, Path: l.Path, Name: l.Name})
			}
		}
		info, err = store.Pick(infos, selector)
	}
	return protocol.SessionRef{ID: info.ID, Path: info.Path}, err
}

func isPath(selector string) bool {
	return strings.ContainsRune(selector, filepath.Separator) || strings.HasSuffix(selector, ".jsonl")
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
