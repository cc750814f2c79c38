package sessionio_test

import (
	"bufio"
	"bytes"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const crashFile = "DUGOUT_TEST_CRASH_FILE"

// receipt is what the writing process tells of an entry once it may be relied on.
type receipt struct {
	ID, Parent sessionio.EntryID
	Text       string
	Size       int // of the whole text, which begins with Text
}

// TestCrashWriter is no test: it is the process that TestCrash kills. It writes as fast as it can,
// questions made durable, and long answers among short ones, which a kill can cut in the middle.
func TestCrashWriter(t *testing.T) {
	path := os.Getenv(crashFile)
	if path == "" {
		t.Skip("a helper of another test")
	}
	s, err := sessionio.Open(path, sessionio.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		s, err = sessionio.Create(path, sessionio.Header{Version: sessionio.CurrentVersion, ID: "s", CWD: "/p"}, sessionio.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	out := json.NewEncoder(os.Stdout)
	for i := 0; ; i++ {
		role, size := sessionio.RoleUser, 20
		if i%3 != 0 {
			role, size = sessionio.RoleAssistant, rand.IntN(2000)
		}
		if i%8 == 5 {
			size = 200_000
		}
		text := fmt.Sprintf("%d of %d:", i, os.Getpid())
		e, err := s.Append(said(role, text+strings.Repeat("x", size)))
		if err != nil {
			t.Fatal(err)
		}
		if role == sessionio.RoleUser {
			if err := s.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.Encode(receipt{e.ID, e.ParentID, text, len(text) + size}); err != nil {
			t.Fatal(err)
		}
	}
}

func said(role sessionio.Role, text string) sessionio.Entry {
	return sessionio.Entry{Type: sessionio.TypeMessage, Message: &sessionio.Message{
		Role: role, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: text}}, Timestamp: 5,
	}}
}

// TestCrash kills a writing process at random instants. Each time every entry that it told of is
// there, the file loads, and the next entry stands on a line of its own under the last one.
func TestCrash(t *testing.T) {
	t.Parallel()
	files := 20
	if testing.Short() {
		files = 3
	}
	for i := range files {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "s.jsonl")
			var told []receipt
			for round := range 10 {
				told = append(told, killedWriter(t, path, rand.IntN(12))...)
				next, ok := checkCrashed(t, path, told)
				if ok {
					told = append(told, next)
				}
				if t.Failed() {
					t.Fatalf("after round %d", round)
				}
			}
		})
	}
}

// killedWriter lets a process write until it told of so many entries and a moment longer, and
// returns all that it told.
func killedWriter(t *testing.T, path string, most int) []receipt {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrashWriter$")
	cmd.Env = append(os.Environ(), crashFile+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var told []receipt
	var lines bufio.Reader
	lines.Reset(out)
	killed := false
	for {
		if !killed && len(told) >= most {
			moment := 2 * time.Millisecond // a part of the next append
			if most == 0 {
				moment = 20 * time.Millisecond // a part of its start
			}
			time.Sleep(rand.N(moment))
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			killed = true
		}
		line, err := lines.ReadBytes('\n')
		if err != nil { // a piece of a line tells nothing
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			break
		}
		var r receipt
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("the writer says %q", line)
		}
		told = append(told, r)
	}
	_ = cmd.Wait() // killed
	if !killed {
		t.Fatal("the writer ended by itself")
	}
	return told
}

// checkCrashed appends to what a killed writer left, and tells the entry.
func checkCrashed(t *testing.T, path string, told []receipt) (next receipt, ok bool) {
	t.Helper()
	before, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && len(told) == 0 {
		return next, false
	}
	if err != nil {
		t.Error(err)
		return next, false
	}
	s, err := sessionio.Open(path, sessionio.Options{})
	if err != nil {
		t.Errorf("with %d entries told: %v", len(told), err)
		return next, false
	}
	defer s.Close()
	checkTold(t, s, told)
	leaf := s.Leaf()
	e, err := s.Append(said(sessionio.RoleUser, "next"))
	if err != nil {
		t.Error(err)
		return next, false
	}
	after, err := os.ReadFile(path)
	if err != nil {
		t.Error(err)
		return next, false
	}
	rest, kept := bytes.CutPrefix(after, before)
	if len(before) > 0 && before[len(before)-1] != '\n' {
		rest, ok = bytes.CutPrefix(rest, []byte("\n"))
		kept = kept && ok
	}
	var line struct{ ID, ParentID sessionio.EntryID }
	err = json.Unmarshal(rest, &line)
	if !kept || err != nil || bytes.Count(rest, []byte("\n")) != 1 || line.ID != e.ID || line.ParentID != leaf {
		t.Errorf("kept %v, %v, appended %q under %s", kept, err, rest, leaf)
	}
	return receipt{e.ID, leaf, "next", 4}, true
}

func checkTold(t *testing.T, s *sessionio.Session, told []receipt) {
	t.Helper()
	for _, r := range told {
		e, err := s.Entry(r.ID)
		if err != nil || e.ParentID != r.Parent {
			t.Errorf("%s under %s: there under %q, %v", r.ID, r.Parent, e.ParentID, err)
			continue
		}
		if text := e.Message.Content[0].Text; len(text) != r.Size || !strings.HasPrefix(text, r.Text) {
			t.Errorf("%s: %d bytes %.40q, told %d %q", r.ID, len(text), text, r.Size, r.Text)
		}
	}
	if n := len(told); n > 0 { // what was written and not told hangs below
		found := false
		for _, m := range s.Tree().Path(s.Leaf()) {
			found = found || m.ID == told[n-1].ID
		}
		if !found {
			t.Errorf("the leaf %s is not below the last entry told, %s", s.Leaf(), told[n-1].ID)
		}
	}
}
