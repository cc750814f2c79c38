package host

import (
	"dugout/daemonclient/protocol"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// shortHome is a home whose path leaves room for a socket's name.
func shortHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("/tmp", "dugout-host")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	return home
}

func TestListenOfManyStartersOneWins(t *testing.T) {
	t.Parallel()
	home := filepath.Join(shortHome(t), "new")
	socket := filepath.Join(home, "daemon.sock")
	var mu sync.Mutex
	var won []net.Listener
	var all sync.WaitGroup
	for range 20 {
		all.Add(1)
		go func() {
			defer all.Done()
			l, err := Listen(home, socket)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won = append(won, l)
			case !errors.Is(err, ErrRunning):
				t.Errorf("a loser got %v", err)
			}
		}()
	}
	all.Wait()
	if len(won) != 1 {
		t.Fatalf("%d starters won", len(won))
	}
	for path, want := range map[string]os.FileMode{home: 0o700, socket: 0o600} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, st.Mode(), err)
		}
	}
	if got := protocol.LockHolder(home); got != os.Getpid() {
		t.Errorf("the lock names %d", got)
	}
	if err := won[0].Close(); err != nil {
		t.Fatal(err)
	}
	l, err := Listen(home, socket)
	if err != nil {
		t.Fatalf("after the winner left: %v", err)
	}
	l.Close()
}

func TestListenReplacesOnlyADeadSocket(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	socket := filepath.Join(home, "daemon.sock")

	stale, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	stale.(*net.UnixListener).SetUnlinkOnClose(false)
	if l, err := Listen(home, socket); !errors.Is(err, ErrRunning) {
		t.Fatalf("something that listens was replaced: %v, %v", l, err)
	}
	stale.Close()
	var l net.Listener
	for limit := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		// a process that another test is just starting may hold the socket until it execs
		if l, err = Listen(home, socket); err == nil || !errors.Is(err, ErrRunning) || time.Now().After(limit) {
			break
		}
	}
	if err != nil {
		t.Fatalf("a dead socket: %v", err)
	}
	l.Close()

	if err := os.WriteFile(socket, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(home, socket); err == nil || !strings.Contains(err.Error(), "no socket") {
		t.Errorf("a plain file in the way: %v", err)
	}
	if b, err := os.ReadFile(socket); string(b) != "precious" {
		t.Errorf("the file is now %q, %v", b, err)
	}
	os.Remove(socket)
	if l, err = Listen(home, socket); err != nil {
		t.Fatalf("the lock was kept after a failure: %v", err)
	}
	l.Close()
}

func TestListenDistrustsALinkedSocketFolder(t *testing.T) {
	t.Parallel()
	home, elsewhere := shortHome(t), shortHome(t)
	link := filepath.Join(home, "run")
	if err := os.Symlink(elsewhere, link); err != nil {
		t.Fatal(err)
	}
	if l, err := Listen(home, filepath.Join(link, "d.sock")); err == nil {
		l.Close()
		t.Error("a link passed for a folder of ours")
	}
}
