package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/google/renameio/v2"
)

// Locks lets one change of a file wait for another, by real path. The zero value is ready; sessions
// of one process share one.
type Locks struct {
	mu   sync.Mutex
	held map[string]*fileLock
}

type fileLock struct {
	sync.Mutex
	users int
}

// lock waits for the file and returns the release.
func (l *Locks) lock(path string) func() {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[string]*fileLock{}
	}
	f := l.held[path]
	if f == nil {
		f = &fileLock{}
		l.held[path] = f
	}
	f.users++
	l.mu.Unlock()
	f.Lock()
	return func() {
		f.Unlock()
		l.mu.Lock()
		defer l.mu.Unlock()
		if f.users--; f.users == 0 {
			delete(l.held, path)
		}
	}
}

// replace puts content into a file at its real path, whole or not at all, and keeps its mode. Where
// no file can be made beside it, or it has other names, it is written in place.
func replace(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("cannot make the folder of %s: %w", path, err)
	}
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return wrote(path, renameio.WriteFile(path, content, 0o644))
	case err != nil:
		return fileError(path, err)
	}
	if err := notAFile(path, fi); err != nil {
		return err
	}
	if fi.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s is read-only: ask the user, or change its mode with bash first", path)
	}
	if keepsInode(fi) {
		return wrote(path, os.WriteFile(path, content, fi.Mode().Perm()))
	}
	err = renameio.WriteFile(path, content, fi.Mode().Perm(), renameio.WithExistingPermissions())
	if errors.Is(err, fs.ErrPermission) {
		err = os.WriteFile(path, content, fi.Mode().Perm())
	}
	return wrote(path, err)
}

func wrote(path string, err error) error {
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
