// Package store is a folder of session files: it lists them through an index that re-reads only
// what changed, resolves names and ids, locks, and deletes.
package store

import (
	"context"
	"dugout/sessionio"
	"errors"
)

// Errors that callers branch on. The command line maps the first two to exit status 3.
var (
	ErrNotFound  = errors.New("no such session")
	ErrAmbiguous = errors.New("ambiguous")
	ErrLive      = errors.New("session is live")
)

// Options of Open.
type Options struct {
	Home string   // DUGOUT_HOME
	Dir  string   // where new sessions go; default Home/sessions
	Also []Folder // further stores to list
}

// Folder is a further store.
type Folder struct {
	Dir      string
	Source   string // dugout, prime, pi
	ReadOnly bool
}

// Store is the set of folders of one home.
type Store struct{ _ struct{} }

// Open makes the folders (0700) and loads the index, a cache that may be lost at any time.
func Open(o Options) (*Store, error) { panic("contract") }

// Problem is a file that a listing passed over, and why.
type Problem struct {
	Path string
	Line int // 0 when the whole file
	Err  error
}

// Progress is told as a listing goes.
type Progress func(done, total int)

// List returns every session, newest activity first, reading only files that changed since the
// index was last written. It never waits on a FIFO and never fails for one bad file.
func (s *Store) List(ctx context.Context, p Progress) ([]sessionio.Info, []Problem, error) {
	panic("contract")
}

// Refresh looks at one file again, in time proportional to what was appended. ok is false when it
// is no session (any more).
func (s *Store) Refresh(path string) (info sessionio.Info, ok bool, err error) { panic("contract") }

// Resolve finds the session that a selector means: a path, a full id, a unique beginning or end of
// one (dashes and case ignored), or a name. ErrNotFound and ErrAmbiguous name the nearest candidates.
func (s *Store) Resolve(ctx context.Context, selector string) (sessionio.Info, error) {
	panic("contract")
}

// Dirs are the folders to watch.
func (s *Store) Dirs() []string { panic("contract") }

// NewPath is where a new session's file goes.
func (s *Store) NewPath(id sessionio.ID) string { panic("contract") }

// ArtifactDir is a session's artifact folder (not made).
func (s *Store) ArtifactDir(path string) string { panic("contract") }

// OpenSession opens a session for writing, under its lock, or read-only.
func (s *Store) OpenSession(path string, readOnly bool, holder string) (*sessionio.Session, error) {
	panic("contract")
}

// CreateSession makes a new session in the store; its file appears with the first question.
func (s *Store) CreateSession(h sessionio.Header, holder string) (*sessionio.Session, error) {
	panic("contract")
}

// ForkSession forks an open session into a new file of the store.
func (s *Store) ForkSession(from *sessionio.Session, at sessionio.EntryID, holder string) (*sessionio.Session, error) {
	panic("contract")
}

// Deleted says which way a file went.
type Deleted struct {
	Path      string
	Way       string // trashed, unlinked
	Program   string // the trash program, when trashed
	Artifacts bool   // an artifact folder was removed
}

// Delete moves a session's file to the trash, or unlinks it where no trash program works; only once
// the file is gone, its artifact folder. A session whose lock is held is refused with ErrHeld.
func (s *Store) Delete(ctx context.Context, path string) (Deleted, error) { panic("contract") }
