package compaction

import (
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// path builds entries from short words: u(ser) a(ssistant) t(ool result) b(ookkeeping) c(ustom
// message) k (compaction), each with a size in tokens: "u10 a20 t500".
func path(t *testing.T, words string) []sessionio.Entry {
	t.Helper()
	var list []sessionio.Entry
	for i, w := range strings.Fields(words) {
		var n int
		if _, err := fmt.Sscanf(w[1:], "%d", &n); err != nil {
			t.Fatalf("%q: %v", w, err)
		}
		text := []sessionio.Block{{Type: sessionio.BlockText, Text: strings.Repeat("x", 4*n)}}
		e := sessionio.Entry{ID: sessionio.EntryID(fmt.Sprintf("%c%d", w[0], i)), Type: sessionio.TypeMessage}
		if i > 0 {
			e.ParentID = list[i-1].ID
		}
		switch w[0] {
		case 'u':
			e.Message = &sessionio.Message{Role: sessionio.RoleUser, Content: text}
		case 'a':
			e.Message = &sessionio.Message{Role: sessionio.RoleAssistant, Content: text, StopReason: sessionio.StopEnd}
		case 't':
			e.Message = &sessionio.Message{Role: sessionio.RoleToolResult, Content: text}
		case 'c':
			e.Type, e.Content = sessionio.TypeCustomMessage, text
		case 'b':
			e.Type = sessionio.TypeGitState
		case 'k': // the number is the index of the first kept entry
			e.Type, e.Summary, e.FirstKeptEntryID = sessionio.TypeCompaction, "earlier", list[n].ID
		}
		list = append(list, e)
	}
	return list
}

func TestPrepareCuts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path      string
		keep            int
		first           sessionio.EntryID // "" when there is nothing to do
		history, prefix int
	}{
		{"nothing", "", 10, "", 0, 0},
		{"all is recent", "u10 a10", 100, "", 0, 0},
		{"at a user message", "u50 a50 u50 a50", 100, "u2", 2, 0},
		{"next place after the budget", "u50 a50 u50 t60 u30", 80, "u4", 4, 0},
		{"splits a turn", "u10 a10 u10 a10 a100 a100", 150, "a4", 2, 2},
		{"splits the only turn", "u10 a10 a100", 50, "a2", 0, 2},
		{"big results at the end: back to their call", "u10 a10 u10 a10 t300 t300", 100, "a3", 2, 1},
		{"bookkeeping before a user message is no split", "u50 a50 b0 u100 a10", 100, "u3", 2, 0},
		{"custom message goes with its question", "u50 a50 c20 u100", 90, "c2", 2, 0},
		{"custom message counts", "u50 a50 u10 c200", 100, "c3", 3, 0},
		{"after a compaction", "u50 a50 u50 k2 a50 u50 a60", 100, "u5", 2, 0},
		{"right after a compaction", "u50 a50 u50 a50 k2", 60, "", 0, 0},
		{"only bookkeeping after a compaction", "u50 a50 u50 a50 k2 b0", 60, "", 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := Prepare(path(t, c.path), c.keep)
			if c.first == "" {
				if !errors.Is(err, ErrNothing) {
					t.Fatalf("want nothing to do, got %+v, %v", p, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.FirstKept != c.first || len(p.History) != c.history || len(p.Prefix) != c.prefix {
				t.Errorf("kept from %s, %d in history, %d in prefix", p.FirstKept, len(p.History), len(p.Prefix))
			}
			if p.TokensBefore == 0 {
				t.Error("no tokens before")
			}
		})
	}
}

func TestPrepareFiles(t *testing.T) {
	t.Parallel()
	list := path(t, "u50 a50 u50 k2 a50 u50 a60")
	list[3].Details = json.RawMessage(`{"readFiles":["old.go","b.go"],"modifiedFiles":["m.go"]}`)
	list[4].Message.Content = []sessionio.Block{
		{Type: sessionio.BlockToolCall, Name: "read", Arguments: json.RawMessage(`{"path":"a.go"}`)},
		{Type: sessionio.BlockToolCall, Name: "edit", Arguments: json.RawMessage(`{"path":"b.go"}`)},
		{Type: sessionio.BlockToolCall, Name: "read", Arguments: json.RawMessage(`{"path":["odd"]}`)},
	}
	p, err := Prepare(list, 100)
	if err != nil {
		t.Fatal(err)
	}
	f := p.Files.tidy()
	if !slices.Equal(f.Read, []string{"a.go", "old.go"}) || !slices.Equal(f.Modified, []string{"b.go", "m.go"}) {
		t.Errorf("files %+v", f)
	}
	if p.Previous != "earlier" {
		t.Errorf("previous %q", p.Previous)
	}
	hook := true
	list[3].FromHook = &hook
	if p, err = Prepare(list, 100); err != nil || slices.Contains(p.Files.Read, "old.go") {
		t.Errorf("a hook's details were read: %+v, %v", p.Files, err)
	}
}
