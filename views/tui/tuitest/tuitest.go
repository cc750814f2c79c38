// Package tuitest is for tests of screens: keys by name, frames as a terminal shows them, and golden
// files, which `go test -update` writes.
package tuitest

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

var update = flag.Bool("update", false, "write the golden files")

// Fits fails when a view is not at most h lines of at most w cells.
func Fits(t testing.TB, view string, w, h int) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) > h {
		t.Errorf("%d lines in a window of %d", len(lines), h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Errorf("line %d is %d cells in a window of %d: %q", i+1, n, w, ansi.Strip(l))
		}
	}
}

// Frame draws a view on a terminal of w by h cells and returns what it shows, without colours and
// blanks at line ends.
func Frame(t testing.TB, view string, w, h int) string {
	t.Helper()
	Fits(t, view, w, h)
	term := NewTerminal(w, h)
	defer term.Close()
	if _, err := io.WriteString(term, strings.ReplaceAll(view, "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	return term.Screen()
}

// Golden compares text with testdata/golden/<name>.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	got += "\n"
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test -update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update rewrites it)\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}

// Terminal is an emulated terminal: write to it, look at its screen.
type Terminal struct {
	mu       sync.Mutex
	emulator *vt.Emulator
	drained  chan struct{}
}

// NewTerminal makes a terminal of w by h cells. Close it.
func NewTerminal(w, h int) *Terminal {
	t := &Terminal{emulator: vt.NewEmulator(w, h), drained: make(chan struct{})}
	go func() { // a query blocks the writer until its reply is read
		defer close(t.drained)
		_, _ = io.Copy(io.Discard, t.emulator)
	}()
	return t
}

// Write feeds the terminal.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emulator.Write(p)
}

// Screen is the text on the screen, without blanks at line ends.
func (t *Terminal) Screen() string {
	t.mu.Lock()
	lines := strings.Split(ansi.Strip(t.emulator.String()), "\n")
	t.mu.Unlock()
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// Close ends the terminal and waits for its reader. It closes the pipe of replies and not the
// emulator, whose own Close races with a reader.
func (t *Terminal) Close() {
	if c, ok := t.emulator.InputPipe().(io.Closer); ok {
		_ = c.Close()
	}
	<-t.drained
}

// Wait waits until the screen passes a test; it fails with what the screen shows after ten seconds.
func (t *Terminal) Wait(tb testing.TB, what string, ok func(screen string) bool) string {
	tb.Helper()
	deadline := time.Now().Add(10 * time.Second)
	for {
		s := t.Screen()
		if ok(s) {
			return s
		}
		if time.Now().After(deadline) {
			tb.Fatalf("never on the screen: %s\n%s", what, s)
		}
		time.Sleep(5 * time.Millisecond)
	}
}
