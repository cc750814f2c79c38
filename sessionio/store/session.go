package store

import (
	"dugout/sessionio"
	"fmt"
)

// OpenSession opens a session for writing, under its lock, or read-only. The file may lie anywhere.
func (s *Store) OpenSession(path string, readOnly bool, holder string) (*sessionio.Session, error) {
	path = canonical(path)
	if f, _ := s.folderOf(path); f.ReadOnly && !readOnly {
		return nil, fmt.Errorf("%s: %w: it belongs to %s", path, sessionio.ErrReadOnly, f.Source)
	}
	return sessionio.Open(path, s.sessionOptions(path, s.ArtifactDir(path), readOnly, holder))
}

// CreateSession makes a new session in the store; its file appears with the first question.
func (s *Store) CreateSession(h sessionio.Header, holder string) (*sessionio.Session, error) {
	if !canNameFile(h.ID) {
		return nil, fmt.Errorf("a new session: the id %q can't name a file", h.ID)
	}
	path := s.NewPath(h.ID)
	return sessionio.Create(path, h, s.sessionOptions(path, s.artifactDirOf(path, h.ID), false, holder))
}

// ForkSession forks an open session into a new file of the store.
func (s *Store) ForkSession(from *sessionio.Session, at sessionio.EntryID, holder string) (*sessionio.Session, error) {
	id := NewID()
	path := s.NewPath(id)
	return from.Fork(at, path, id, s.sessionOptions(path, s.artifactDirOf(path, id), false, holder))
}

func (s *Store) sessionOptions(path, artifacts string, readOnly bool, holder string) sessionio.Options {
	return sessionio.Options{
		ReadOnly: readOnly, ArtifactDir: artifacts, Holder: holder,
		Lock: func() (func() error, error) { return s.lock(path, holder) },
	}
}
