package host

import (
	"dugout/daemonclient/protocol"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/gofrs/flock"
)

// Listen makes the home's socket: folder 0700, socket 0600, under a lock that is held as long as the
// listener is open, so that of two starters one wins. A stale socket is replaced, a live daemon is
// ErrRunning, anything else at the path is an error and left alone.
func Listen(home, socket string) (net.Listener, error) {
	if err := ownFolder(home, os.Stat); err != nil {
		return nil, err
	}
	if err := ownFolder(filepath.Dir(socket), os.Lstat); err != nil {
		return nil, err
	}
	lock := flock.New(protocol.LockPath(home), flock.SetPermissions(0o600))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", lock.Path(), err)
	}
	if !got {
		return nil, fmt.Errorf("%w for %s (pid %d)", ErrRunning, home, protocol.LockHolder(home))
	}
	l, err := listenLocked(home, socket)
	if err != nil {
		_ = lock.Unlock()
		return nil, err
	}
	return &lockedListener{l, lock}, nil
}

func listenLocked(home, socket string) (net.Listener, error) {
	if err := clearStale(socket); err != nil {
		return nil, err
	}
	if err := os.WriteFile(protocol.LockPath(home), []byte(strconv.Itoa(pid())+"\n"), 0o600); err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", socket, err)
	}
	if err := os.Chmod(socket, 0o600); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// lockedListener lets go of the lock when the socket is gone.
type lockedListener struct {
	net.Listener
	lock *flock.Flock
}

func (l *lockedListener) Close() error {
	return errors.Join(l.Listener.Close(), l.lock.Unlock())
}

// clearStale removes a socket that nobody listens at.
func clearStale(socket string) error {
	st, err := os.Lstat(socket)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case st.Mode().Type() != fs.ModeSocket:
		return fmt.Errorf("%s is in the way and is no socket: move it, the daemon does not touch it", socket)
	}
	c, err := net.DialTimeout("unix", socket, time.Second)
	switch {
	case err == nil:
		c.Close()
		return fmt.Errorf("%w: something listens at %s without holding the home's lock", ErrRunning, socket)
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(socket)
	}
	return fmt.Errorf("%w: something at %s does not answer: %w", ErrRunning, socket, err)
}

// ownFolder makes a folder that only its owner may enter, and sees that the owner is us. With Lstat a
// link in its place, which another user may have laid, is no folder.
func ownFolder(dir string, stat func(string) (fs.FileInfo, error)) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	st, err := stat(dir)
	if err != nil {
		return err
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); ok && int(sys.Uid) != os.Getuid() {
		return fmt.Errorf("%s belongs to another user (uid %d): the daemon keeps its socket in no such folder", dir, sys.Uid)
	}
	if !st.IsDir() {
		return fmt.Errorf("%s is no folder", dir)
	}
	if st.Mode().Perm() != 0o700 {
		return os.Chmod(dir, 0o700)
	}
	return nil
}
