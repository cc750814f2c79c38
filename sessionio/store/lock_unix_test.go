package store

import (
	"bufio"
	"dugout/sessionio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestLock(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	path := put(t, s, "a", question(1))
	one, err := s.OpenSession(path, false, "first")
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := s.OpenSession(link, false, "second"); !errors.Is(err, sessionio.ErrHeld) || !strings.Contains(err.Error(), "first") {
		t.Errorf("a second writer: %v", err)
	}
	if _, err := s.Delete(t.Context(), path); !errors.Is(err, sessionio.ErrHeld) {
		t.Errorf("deleted while held: %v", err)
	}
	reader, err := s.OpenSession(path, true, "")
	if err != nil {
		t.Fatalf("a reader: %v", err)
	}
	_ = reader.Close()
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	two, err := s.OpenSession(path, false, "second")
	if err != nil {
		t.Fatal(err)
	}
	_ = two.Close()
	if left, _ := os.ReadDir(filepath.Join(s.home, "locks")); len(left) != 0 {
		t.Errorf("%d lock files are left", len(left))
	}
}

// TestHolder is no test: it is the process that TestLockDiesWithItsProcess kills.
func TestHolder(t *testing.T) {
	home, path := os.Getenv("DUGOUT_TEST_HOME"), os.Getenv("DUGOUT_TEST_FILE")
	if home == "" {
		t.Skip("a helper of another test")
	}
	s := newStore(t, Options{Home: home})
	if _, err := s.OpenSession(path, false, "the other one"); err != nil {
		t.Fatal(err)
	}
	fmt.Println("held")
	_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until it is killed
}

func TestLockDiesWithItsProcess(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	path := put(t, s, "a", question(1))
	cmd := exec.Command(os.Args[0], "-test.run=^TestHolder$", "-test.v")
	cmd.Env = append(os.Environ(), "DUGOUT_TEST_HOME="+s.home, "DUGOUT_TEST_FILE="+path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	held := false
	for lines := bufio.NewScanner(stdout); !held && lines.Scan(); {
		held = lines.Text() == "held"
	}
	_, err = s.OpenSession(path, false, "this one")
	killed := cmd.Process.Kill()
	_ = cmd.Wait()
	if !held || killed != nil {
		t.Fatalf("held %v, %v", held, killed)
	}
	want := fmt.Sprintf("the other one (pid %d)", cmd.Process.Pid)
	if !errors.Is(err, sessionio.ErrHeld) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	one, err := s.OpenSession(path, false, "this one")
	if err != nil {
		t.Fatalf("after its holder was killed: %v", err)
	}
	_ = one.Close()
}

// The lock file goes with each release, and still there is never more than one holder.
func TestLockHasOneHolder(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	var inside, took atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				release, err := s.lock("/any/file", "one of many")
				if errors.Is(err, sessionio.ErrHeld) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				took.Add(1)
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d holders", n)
				}
				inside.Add(-1)
				if err := release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if took.Load() == 0 {
		t.Error("nobody ever held it")
	}
}

func TestTidyLocks(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	dir := filepath.Join(s.home, "locks")
	release, err := s.lock("/held", "x")
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * staleAfter)
	age := func() {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			_ = os.Chtimes(filepath.Join(dir, e.Name()), old, old)
		}
	}
	for i := range manyLocks {
		mustWrite(t, filepath.Join(dir, fmt.Sprintf("%d.lock", i)), "killed (pid 1)")
	}
	age()
	mustWrite(t, filepath.Join(dir, "young.lock"), "killed (pid 1)")
	again, err := s.lock("/another", "y")
	if err != nil {
		t.Fatal(err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 3 || !isThere(filepath.Join(dir, "young.lock")) {
		t.Errorf("%d lock files; the held one, the young one and the new one should be left", len(entries))
	}
	if _, err := s.lock("/held", "z"); !errors.Is(err, sessionio.ErrHeld) {
		t.Errorf("an old lock that is held: %v", err)
	}
	if err := errors.Join(release(), again()); err != nil {
		t.Error(err)
	}
}
