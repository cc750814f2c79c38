package store

import (
	"crypto/sha256"
	"dugout/sessionio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// lock takes the writer's lock of a session file: an advisory lock of the system on a file of its
// own, which dies with its process and can be found by no recycled pid. The file says who holds it.
func (s *Store) lock(path, holder string) (release func() error, err error) {
	dir := filepath.Join(s.home, "locks")
	if err := makeFolder(dir); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	tidyLocks(dir, time.Now().Add(-staleAfter))
	sum := sha256.Sum256([]byte(path))
	name := filepath.Join(dir, hex.EncodeToString(sum[:12])+".lock")
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_CLOEXEC, 0o600)
		if err != nil {
			return nil, fmt.Errorf("lock: %w", err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
			who := readHolder(f)
			_ = f.Close()
			if errors.Is(err, syscall.EWOULDBLOCK) {
				return nil, fmt.Errorf("%s: %w: %s", path, sessionio.ErrHeld, who)
			}
			return nil, fmt.Errorf("lock: %w", err)
		}
		if !stillThere(f, name) { // its last holder removed it between our open and our lock
			_ = f.Close()
			continue
		}
		if err := writeHolder(f, holder); err != nil {
			_ = f.Close()
			return nil, fmt.Errorf("lock: %w", err)
		}
		return func() error {
			err := os.Remove(name) // under the lock: a waiter sees that its file is gone and asks again
			return errors.Join(err, f.Close())
		}, nil
	}
}

// Lock files of processes that were killed stay behind. They harm nobody, so that they are looked at
// only when they are many, and only the old ones: a young one may be about to be locked.
const (
	manyLocks  = 64
	staleAfter = 24 * time.Hour
)

// tidyLocks removes the lock files that nobody holds and nobody touched since then.
func tidyLocks(dir string, since time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < manyLocks {
		return
	}
	for _, e := range entries {
		st, err := e.Info()
		if err != nil || !st.Mode().IsRegular() || st.ModTime().After(since) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		f, err := os.OpenFile(name, os.O_RDWR|syscall.O_CLOEXEC, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && stillThere(f, name) {
			_ = os.Remove(name) // the next one tries again
		}
		_ = f.Close()
	}
}

func stillThere(f *os.File, name string) bool {
	ours, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(ours, there)
}

func readHolder(f *os.File) string {
	b, _ := io.ReadAll(io.NewSectionReader(f, 0, 200)) // a missing word is no error
	if who := strings.TrimSpace(string(b)); who != "" {
		return who
	}
	return "another process"
}

func writeHolder(f *os.File, holder string) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt([]byte(fmt.Sprintf("%s (pid %d)\n", holder, os.Getpid())), 0)
	return err
}
