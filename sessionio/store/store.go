// Package store is a folder of session files: it lists them through an index that re-reads only
// what changed, resolves names and ids, locks, and deletes.
//
// Layout of a home:
//
//	sessions/<id>.jsonl           session files, one level deep
//	session-artifacts/<id>/       a session's other files
//	locks/<hash>.lock             who writes a session now; a lock dies with its process
//	cache/sessions.index          what the last listing knew; may be lost at any time
//
// A file is known by its canonical path: links to it are the same session.
package store

import (
	"dugout/sessionio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/google/uuid"
)

// Errors that callers branch on. The command line maps the first two to exit status 3.
var (
	ErrNotFound  = errors.New("no such session")
	ErrAmbiguous = errors.New("ambiguous")
)

// Options of Open.
type Options struct {
	Home string   // DUGOUT_HOME
	Dir  string   // where new sessions go; default Home/sessions
	Also []Folder // further stores to list
	// NoTrash deletes for good, at once.
	NoTrash bool
	Path    string // where programs are looked for; "" is the process's PATH
}

// Store is the set of folders of one home. It may be used from several goroutines.
type Store struct {
	home    string
	folders []Folder // the first is where new sessions go
	noTrash bool
	path    string

	mu    sync.Mutex
	cache *index // loaded when first needed
}

const fileSuffix = ".jsonl"

// Open makes the folders (0700).
func Open(o Options) (*Store, error) {
	home, err := filepath.Abs(o.Home)
	if err != nil {
		return nil, err
	}
	dir := o.Dir
	if dir == "" {
		dir = filepath.Join(home, "sessions")
	}
	for _, d := range []string{home, dir} {
		if err := makeFolder(d); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	s := &Store{home: home, path: o.Path, noTrash: o.NoTrash, folders: []Folder{{Dir: canonical(dir), Source: "dugout"}}}
	for _, f := range o.Also {
		f.Dir = canonical(f.Dir)
		if f.Source == "" {
			f.Source = "dugout"
		}
		if f.Dir != s.folders[0].Dir {
			s.folders = append(s.folders, f)
		}
	}
	return s, nil
}

// makeFolder makes a folder and those above it that lack, 0700 whatever the umask. One that is
// there stays as its owner made it.
func makeFolder(dir string) error {
	if st, err := os.Stat(dir); err == nil && st.IsDir() {
		return nil
	}
	if up := filepath.Dir(dir); up != dir {
		if err := makeFolder(up); err != nil {
			return err
		}
	}
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) { // made by another in between, or no folder
		return os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// canonical is a path with its links resolved, as far as it exists.
func canonical(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	if dir := filepath.Dir(abs); dir != abs {
		return filepath.Join(canonical(dir), filepath.Base(abs))
	}
	return abs
}

// NewID makes a session id: a UUID of version 7.
func NewID() sessionio.ID {
	id, err := uuid.NewV7()
	if err != nil { // no randomness: no id that could be trusted
		panic(err)
	}
	return sessionio.ID(id.String())
}

// NewPath is where a new session's file goes. The id must be one that can name a file, as those of
// NewID do; CreateSession refuses others.
func (s *Store) NewPath(id sessionio.ID) string {
	return filepath.Join(s.folders[0].Dir, string(id)+fileSuffix)
}
