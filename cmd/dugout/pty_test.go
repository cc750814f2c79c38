package main

import (
	"bytes"
	"dugout/views/tui/tuitest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

const columns, rows = 120, 34

// console is a program on a terminal of its own that answers no question, as some do not.
type console struct {
	t        *testing.T
	cmd      *exec.Cmd
	ptm, tty *os.File
	screen   *tuitest.Terminal
	before   *term.State // of the terminal
	read     sync.WaitGroup

	mu  sync.Mutex
	raw bytes.Buffer // all that the program wrote
}

func (r *rig) console(args ...string) *console {
	r.t.Helper()
	ptm, tty, err := pty.Open()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := pty.Setsize(ptm, &pty.Winsize{Rows: rows, Cols: columns}); err != nil {
		r.t.Fatal(err)
	}
	c := &console{t: r.t, cmd: r.command(args...), ptm: ptm, tty: tty, screen: tuitest.NewTerminal(columns, rows)}
	if c.before, err = term.GetState(tty.Fd()); err != nil {
		r.t.Fatal(err)
	}
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = tty, tty, tty
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	c.read.Add(1)
	go func() {
		defer c.read.Done()
		b := make([]byte, 32<<10)
		for {
			n, err := ptm.Read(b)
			if err != nil {
				return
			}
			c.mu.Lock()
			c.raw.Write(b[:n])
			c.mu.Unlock()
			_, _ = c.screen.Write(b[:n]) // an emulator's memory does not fail
		}
	}()
	r.t.Cleanup(c.close)
	return c
}

func (c *console) close() {
	if c.cmd.ProcessState == nil {
		_ = c.cmd.Process.Kill() // it may have ended by now
		_ = c.cmd.Wait()
	}
	c.hangUp()
	c.screen.Close()
}

// hangUp closes both ends of the terminal, once all was read.
func (c *console) hangUp() {
	c.tty.Close()
	c.read.Wait()
	c.ptm.Close()
}

func (c *console) types(keys string) {
	c.t.Helper()
	if _, err := c.ptm.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}

// shows waits until every one of the words is on the screen.
func (c *console) shows(words ...string) string {
	c.t.Helper()
	return c.screen.Wait(c.t, strings.Join(words, " and "), func(screen string) bool {
		for _, w := range words {
			if !strings.Contains(screen, w) {
				return false
			}
		}
		return true
	})
}

// ends waits for the program's end and returns all that it wrote.
func (c *console) ends() string {
	c.t.Helper()
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("it ends with %v", err)
	}
	after, err := term.GetState(c.tty.Fd())
	if err != nil {
		c.t.Fatal(err)
	}
	if *after != *c.before {
		c.t.Error("the terminal is left in another state than it was found in")
	}
	c.hangUp()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.raw.String()
}

// TestVersionIsSilent: on a terminal that answers nothing, not a byte is written but the line, and
// nobody waits for an answer.
func TestVersionIsSilent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, args := range [][]string{{"--version"}, {"ls", "--summary"}} {
		want := map[string]string{"--version": "dugout " + version, "ls": "0 running, 0 idle, 0 inactive, 0 need you"}[args[0]]
		if got := r.console(args...).ends(); got != want+"\r\n" {
			t.Errorf("dugout %v wrote %q, want %q alone", args, got, want)
		}
	}
}

func TestRosterOnATerminal(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.dugout("run", "say: seen from the roster")
	c := r.console()
	c.shows("running", "idle", "inactive", "seen from the roster")
	c.types("\x03")
	c.shows("ctrl+c again leaves")
	c.types("\x03")
	raw := c.ends()
	for what, pair := range map[string][2]string{
		"the alternate screen": {"\x1b[?1049h", "\x1b[?1049l"},
		"the hidden cursor":    {"\x1b[?25l", "\x1b[?25h"},
		"bracketed paste":      {"\x1b[?2004h", "\x1b[?2004l"},
	} {
		on, off := strings.LastIndex(raw, pair[0]), strings.LastIndex(raw, pair[1])
		if on < 0 || off < on {
			t.Errorf("%s: set at %d, reset at %d", what, on, off)
		}
	}
}
