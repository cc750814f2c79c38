package sessionio

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

func write(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	head = `{"type":"session","version":3,"id":"s1","timestamp":"2026-11-02T12:00:00.000Z","cwd":"/p"}`
	ask  = `{"type":"message","id":"a1","parentId":null,"timestamp":"2026-11-02T12:00:01.000Z","message":{"role":"user","content":"one","timestamp":1}}`
	tell = `{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-11-02T12:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"two"}],"provider":"p","model":"m","stopReason":"stop","timestamp":2}}`
)

func open(t *testing.T, path string) *Session {
	t.Helper()
	s, err := Open(path, Options{Now: func() time.Time { return noon }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func user(text string) Entry {
	return Entry{Type: TypeMessage, Message: &Message{Role: RoleUser, Content: []Block{{Type: BlockText, Text: text}}, Timestamp: 5}}
}

func said(t *testing.T, s *Session) string {
	t.Helper()
	c, err := s.Context()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range c.Messages {
		out = append(out, textOf(m.Content)+m.Summary)
	}
	return strings.Join(out, "|")
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// However a file ends, its bytes stay and the next entry stands on a line of its own, under the
// last whole one.
func TestAppendAfterAnyEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ end, want string }{
		"newline":            {tell + "\n", "one|two|three"},
		"no newline":         {tell, "one|two|three"},
		"torn":               {tell + "\n" + `{"type":"message","id":"a3","par`, "one|two|three"},
		"torn in a rune":     {tell + "\n" + `{"type":"message","id":"a3","x":"` + "\xc3", "one|two|three"},
		"zeros":              {tell + "\n\x00\x00\x00\x00", "one|two|three"},
		"CRLF":               {strings.ReplaceAll(tell, "\n", "\r\n") + "\r\n", "one|two|three"},
		"garbage in between": {"not json\n" + tell + "\n", "one|two|three"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, head, ask, c.end)
			before := read(t, path)
			s := open(t, path)
			if _, err := s.Append(user("three")); err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(read(t, path), before) {
				t.Error("the old bytes changed")
			}
			if got := said(t, s); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			if got := said(t, open(t, path)); got != c.want {
				t.Errorf("loaded again: got %s, want %s", got, c.want)
			}
		})
	}
}

func TestFileComesWithTheFirstQuestion(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions", "s.jsonl")
	s, err := Create(path, Header{Version: CurrentVersion, ID: "s", Timestamp: noon, CWD: "/p"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(Entry{Type: TypeModelChange, Provider: "p", ModelID: "m"}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); err == nil || s.OnDisk() {
		t.Error("a launch that asked nothing left a trace")
	}
	if _, err := s.Append(user("q")); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(path)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Fatalf("file: %v, %v", st, err)
	}
	r := open(t, path)
	if got := len(r.Tree().Path(r.Leaf())); got != 2 {
		t.Errorf("%d entries on the path, want 2", got)
	}
}

func TestNotASession(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fifo := filepath.Join(dir, "f.jsonl")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"folder": dir, "FIFO": fifo, "empty": write(t), "garbage": write(t, "\x01\x02\x03"),
		"torn header": write(t, head[:40], ask), "no header": write(t, ask, tell),
	} {
		var before []byte
		if name != "FIFO" { // reading it would wait for a writer
			before, _ = os.ReadFile(path)
		}
		_, err := Open(path, Options{})
		if !errors.Is(err, ErrNotSession) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v", name, err)
		}
		if name == "FIFO" || name == "folder" {
			continue
		}
		if !strings.Contains(err.Error(), path+":1") {
			t.Errorf("%s: no line in %v", name, err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s: the file changed", name)
		}
	}
}

// A file that was deleted, replaced or cut under an open session is not written to or brought back.
func TestChangedBehindOurBack(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(string) error{
		"deleted": os.Remove,
		"cut":     func(p string) error { return os.Truncate(p, 10) },
		"replaced": func(p string) error {
			if err := os.WriteFile(p+".new", []byte(head+"\n"+ask+"\n"+tell+"\n"), 0o600); err != nil {
				return err
			}
			return os.Rename(p+".new", p)
		},
	} {
		path := write(t, head, ask, tell, "")
		s := open(t, path)
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(path)
		if _, err := s.Append(user("x")); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: got %v", name, err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
			t.Errorf("%s: written to", name)
		}
	}
}

func TestForeignGrowth(t *testing.T) {
	t.Parallel()
	path := write(t, head, ask, "")
	s := open(t, path)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(tell + "\n"); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if _, err := s.Append(user("three")); err != nil {
		t.Fatal(err)
	}
	if got := said(t, s); got != "one|two|three" {
		t.Errorf("got %s", got)
	}
}

// A write that fails saves nothing, and the next one is on a line of its own.
func TestFailedWrite(t *testing.T) {
	t.Parallel()
	path := write(t, head, ask, "")
	s := open(t, path)
	broken, err := os.Open(path) // no permission to write through this one
	if err != nil {
		t.Fatal(err)
	}
	good := s.file
	s.file = broken
	leaf := s.Leaf()
	if _, err := s.Append(user("lost")); err == nil || !strings.Contains(err.Error(), "not saved") {
		t.Errorf("got %v", err)
	}
	if s.Leaf() != leaf {
		t.Error("the leaf moved")
	}
	s.file = good
	_ = broken.Close()
	if _, err := s.Append(user("kept")); err != nil {
		t.Fatal(err)
	}
	if got := said(t, open(t, path)); got != "one|kept" {
		t.Errorf("got %s", got)
	}
}

func TestMigration(t *testing.T) {
	t.Parallel()
	v1 := []string{
		`{"type":"session","id":"old","timestamp":"2025-01-01T00:00:00Z","cwd":"/p"}`,
		`{"type":"message","timestamp":"2025-01-01T00:00:01Z","message":{"role":"user","content":"a"},"odd":[1]}`,
		`{"type":"message","timestamp":"2025-01-01T00:00:02Z","message":{"role":"hookMessage","content":"b"}}`,
		`{"type":"compaction","timestamp":"2025-01-01T00:00:03Z","summary":"sum","firstKeptEntryIndex":2,"tokensBefore":9}`,
		`{"type":"message","timestamp":"2025-01-01T00:00:04Z","message":{"role":"user","content":"c"}}`, "",
	}
	path := write(t, v1...)
	before := read(t, path)
	art := filepath.Join(t.TempDir(), "art")
	s, err := Open(path, Options{ArtifactDir: art})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got := said(t, s); got != "sum|b|c" {
		t.Errorf("got %s", got)
	}
	if !bytes.Equal(before, read(t, path)) {
		t.Error("reading wrote")
	}
	if _, err := s.Append(user("d")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(art, "s.jsonl.v1.bak")); !bytes.Equal(got, before) {
		t.Error("the old file is not kept")
	}
	if got := said(t, s); got != "sum|b|c|d" {
		t.Errorf("after the append: %s", got)
	}
	again := open(t, path)
	if got := said(t, again); got != "sum|b|c|d" || again.Header().Version != 3 {
		t.Errorf("loaded again: %s, version %d", got, again.Header().Version)
	}
	if !bytes.Contains(read(t, path), []byte(`"odd":[1]`)) {
		t.Error("an unknown field is gone")
	}
}

func TestMoveLeafLasts(t *testing.T) {
	t.Parallel()
	path := write(t, head, ask, tell, "")
	s := open(t, path)
	if err := s.MoveLeaf("a1"); err != nil {
		t.Fatal(err)
	}
	if got := said(t, open(t, path)); got != "one" {
		t.Errorf("got %s", got)
	}
	if err := s.MoveLeaf("nobody"); !errors.Is(err, ErrNoEntry) {
		t.Errorf("got %v", err)
	}
}

func TestFork(t *testing.T) {
	t.Parallel()
	label := `{"type":"label","id":"l1","parentId":"a1","timestamp":"2026-11-02T12:00:01.500Z","targetId":"a1","label":"start"}`
	odd := strings.Replace(tell, `"parentId":"a1"`, `"parentId":"l1","future":{"x":[1,2]}`, 1)
	path := write(t, head, ask, label, odd, "")
	s := open(t, path)
	f, err := s.Fork("a2", filepath.Join(filepath.Dir(path), "f.jsonl"), "f", Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := said(t, f); got != "one|two" {
		t.Errorf("got %s", got)
	}
	again := open(t, f.Path())
	if got := again.Labels()["a1"]; got != "start" || again.Header().ParentSession != path {
		t.Errorf("label %q, parent %q", got, again.Header().ParentSession)
	}
	if n := len(again.Tree().Roots()); n != 1 {
		t.Errorf("%d roots", n)
	}
	if !bytes.Contains(read(t, f.Path()), []byte(`"future":{"x":[1,2]}`)) {
		t.Error("an unknown field is gone")
	}
}
