package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// acknowledged collects the entries that a client was told of: those must be in the file whatever
// happens next. The daemon dies while the client reads.
type acknowledged struct {
	entries map[string]bool
	asked   bool // the question is among them
	words   int  // of the answer
}

func (a *acknowledged) take(line []byte) {
	var ev struct {
		Type  string
		Entry struct {
			ID      string
			Message struct{ Role string }
		}
	}
	if json.Unmarshal(line, &ev) != nil {
		return
	}
	switch ev.Type {
	case "entry":
		a.entries[ev.Entry.ID] = true
		a.asked = a.asked || ev.Entry.Message.Role == "user"
	case "delta":
		a.words++
	}
}

// TestKilledDaemon kills the daemon at several moments of a streaming turn. Each time all that was
// told is in the file, the session is listed at rest as an interrupted one, and takes the next prompt.
func TestKilledDaemon(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	id := ""
	asked := 0
	for _, words := range []int{0, 1, 40, 150} {
		args := []string{"run", "--json", "--model", "scripted/demo"}
		if id != "" {
			args = append(args, "--session", id)
		}
		a := r.killAt(words, append(args, fmt.Sprintf("say: round %d\ntokens: 2000 @ 200", words)))
		asked++
		file := r.onlySession()
		for entry := range a.entries {
			if !strings.Contains(file, `"id":"`+entry+`"`) {
				t.Errorf("after %d words: entry %s was told and is not in the file", words, entry)
			}
		}
		if !strings.Contains(file, fmt.Sprintf("round %d", words)) {
			t.Fatalf("after %d words: the question is lost", words)
		}
		l := r.listed()
		id = l.ID
		if l.Section != "inactive" || !l.Interrupted || l.UserMessages != asked {
			t.Errorf("after %d words: listed as %+v, want an interrupted session at rest with %d questions", words, l, asked)
		}
		r.dugout("show", id)
		if got := r.dugout("run", "--session", id, "say: back again"); got != "back again\n" {
			t.Errorf("after %d words: the next prompt gives %q", words, got)
		}
		asked++
		if l := r.listed(); l.Interrupted || l.UserMessages != asked || l.UnreadableLines != 0 {
			t.Errorf("after %d words and one more prompt: listed as %+v, want %d questions", words, l, asked)
		}
		if err := validSession([]byte(r.onlySession())); err != nil {
			t.Error(err)
		}
	}
}

// killAt starts a turn and kills the daemon as soon as its client has seen the question and that
// many words of the answer. It returns what the client was told.
func (r *rig) killAt(words int, args []string) acknowledged {
	r.t.Helper()
	a := acknowledged{entries: map[string]bool{}}
	r.dugout("daemon", "start")
	var status struct{ PID int }
	if err := json.Unmarshal([]byte(r.dugout("daemon", "status", "--json")), &status); err != nil {
		r.t.Fatal(err)
	}
	cmd := r.command(args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	killed := false
	eachLine(out, func(line []byte) {
		a.take(line)
		if !killed && a.asked && a.words >= words {
			killed = true
			if err := syscall.Kill(status.PID, syscall.SIGKILL); err != nil {
				r.t.Error(err)
			}
		}
	})
	if err := cmd.Wait(); err == nil {
		r.t.Error("the client of a killed daemon succeeds")
	}
	if !killed {
		r.t.Fatalf("the turn ended before %d words", words)
	}
	return a
}

type listedSession struct {
	ID, Section                   string
	Interrupted                   bool
	UserMessages, UnreadableLines int
}

// listed is the one session that there is.
func (r *rig) listed() listedSession {
	r.t.Helper()
	out := r.dugout("ls", "--json")
	var l listedSession
	if err := json.Unmarshal([]byte(out), &l); err != nil {
		r.t.Fatalf("not one session: %v\n%s", err, out)
	}
	return l
}

func (r *rig) onlySession() string {
	r.t.Helper()
	files, err := filepath.Glob(filepath.Join(r.home(), "sessions", "*.jsonl"))
	if err != nil || len(files) != 1 {
		r.t.Fatalf("found %v, want one session", files)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		r.t.Fatal(err)
	}
	return string(b)
}
