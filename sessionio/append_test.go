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

func addForeign(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// Another program may go on with a last line that lacked its LF, or its end.
func TestForeignEndOfALine(t *testing.T) {
	t.Parallel()
	half := len(tell) / 2
	for name, c := range map[string]struct {
		first, then, want string
		unreadable        int
	}{
		"the rest of a torn line":   {tell[:half], tell[half:] + "\n", "one|two|three", 0},
		"a part of the rest":        {tell[:half], tell[half : half+5], "one|three", 1},
		"the LF of a whole line":    {tell, "\n", "one|two|three", 0},
		"glued to a torn line":      {tell[:half], tell + "\n", "one|three", 1},
		"glued to a whole line":     {tell, tell + "\n", "one|three", 1},
		"blank lines and a new one": {"", "\n \n" + tell + "\n", "one|two|three", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := write(t, head, ask, c.first)
			s := open(t, path)
			addForeign(t, path, c.then)
			e, err := s.Append(user("three"))
			if err != nil {
				t.Fatal(err)
			}
			if got := said(t, s); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
			again := open(t, path)
			if got := said(t, again); got != c.want || again.Unreadable() != c.unreadable {
				t.Errorf("loaded again: %s with %d unreadable, want %s with %d", got, again.Unreadable(), c.want, c.unreadable)
			}
			sameSession(t, s, again)
			if m, _ := s.Tree().Get(e.ID); m.Line != strings.Count(string(read(t, path)), "\n") {
				t.Errorf("the appended entry is said to be on line %d", m.Line)
			}
		})
	}
}

// A long torn end counts as one unreadable line from the next append on.
func TestLongTornEnd(t *testing.T) {
	t.Parallel()
	path := write(t, head, ask, `{"type":"message","x":"`+strings.Repeat("x", longLine))
	s := open(t, path)
	if s.Unreadable() != 0 {
		t.Errorf("%d unreadable before", s.Unreadable())
	}
	if _, err := s.Append(user("two")); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if got := said(t, again); got != "one|two" || again.Unreadable() != 1 {
		t.Errorf("got %s, %d unreadable", got, again.Unreadable())
	}
	sameSession(t, s, again)
}

// sameSession checks that what is in memory is what the file says.
func sameSession(t *testing.T, s, loaded *Session) {
	t.Helper()
	if s.Leaf() != loaded.Leaf() {
		t.Errorf("leaf %s, loaded %s", s.Leaf(), loaded.Leaf())
	}
	a, b := s.Tree().All(), loaded.Tree().All()
	if len(a) != len(b) {
		t.Fatalf("%d entries, loaded %d", len(a), len(b))
	}
	for i := range a {
		if !a[i].Time.Equal(b[i].Time) {
			t.Errorf("entry %d at %s, loaded %s", i, a[i].Time, b[i].Time)
		}
		a[i].Time = b[i].Time
		if a[i] != b[i] {
			t.Errorf("entry %d\n%+v, loaded\n%+v", i, a[i], b[i])
		}
	}
	if a, b := s.Info(), loaded.Info(); a.Modified != b.Modified || a.MessageCount != b.MessageCount || a.UserMessages != b.UserMessages ||
		a.Name != b.Name || a.Interrupted != b.Interrupted || a.Tokens != b.Tokens || a.UnreadableLines != b.UnreadableLines || a.Size != b.Size {
		t.Errorf("info\n%+v, loaded\n%+v", a, b)
	}
}

// A disk that fills up in the middle of a line: not saved, the leaf stays, and when there is room
// again the next entry stands on a line of its own.
func TestPartOfALineWritten(t *testing.T) {
	path := write(t, head, ask, "")
	s := open(t, path)
	leaf := s.Leaf()
	limit := func(n uint64) func() {
		var old syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: old.Max}); err != nil {
			t.Fatal(err)
		}
		return func() { _ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old) }
	}
	back := limit(uint64(len(read(t, path)) + 20))
	_, err := s.Append(user("lost"))
	back()
	if !errors.Is(err, syscall.EFBIG) || !strings.Contains(err.Error(), path) {
		t.Fatalf("got %v", err)
	}
	if s.Leaf() != leaf || said(t, s) != "one" {
		t.Errorf("leaf %s, %s", s.Leaf(), said(t, s))
	}
	if _, err := s.Append(user("kept")); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if got := said(t, again); got != "one|kept" || again.Unreadable() != 1 {
		t.Errorf("got %s, %d unreadable", got, again.Unreadable())
	}
	sameSession(t, s, again)
}

// A first question that can't be written leaves no half file, and can be asked again.
func TestFirstQuestionNotSaved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "s.jsonl")
	s, err := Create(path, Header{Version: CurrentVersion, ID: "s", CWD: "/p"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	first, err := s.Append(Entry{Type: TypeModelChange, Provider: "p", ModelID: "m"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	if _, err := s.Append(user("q")); err == nil || s.Leaf() != first.ID || s.OnDisk() {
		t.Fatalf("got %v, leaf %s", err, s.Leaf())
	}
	if err := os.Remove(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(user("q")); err != nil {
		t.Fatal(err)
	}
	again := open(t, path)
	if got := said(t, again); got != "q" || again.Tree().Len() != 2 {
		t.Errorf("got %s of %d entries", got, again.Tree().Len())
	}
	sameSession(t, s, again)
	st, err := os.Stat(filepath.Dir(path))
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("folder: %v, %v", st.Mode(), err)
	}
}

// What Append gives back is what a later reading gives.
func TestAppendedAsRead(t *testing.T) {
	t.Parallel()
	path := write(t, head, ask, "")
	s, err := Open(path, Options{Now: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 6_789_999, time.FixedZone("east", 7200)) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	e, err := s.Append(user("<b> & \u2028 ünï"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := open(t, path).Entry(e.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Timestamp.Equal(e.Timestamp) || !bytes.Equal(got.Raw, e.Raw) || got.ParentID != "a1" {
		t.Errorf("read %+v, appended %+v", got, e)
	}
	if line := string(got.Raw); !strings.HasPrefix(line, `{"type":"message","id":"`) || !strings.Contains(line, `"timestamp":"2026-01-02T01:04:05.006Z"`) || !strings.Contains(line, "<b> & ") {
		t.Errorf("written as %s", line)
	}
}

func TestRootIsNull(t *testing.T) {
	t.Parallel()
	s := open(t, write(t, head, ask, ""))
	e, err := s.AppendUnder("", Entry{Type: TypeServiceTierChange})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"service_tier_change","id":"` + string(e.ID) + `","parentId":null,"timestamp":"2026-11-02T12:00:00.000Z","serviceTier":null}`
	if string(e.Raw) != want {
		t.Errorf("got  %s\nwant %s", e.Raw, want)
	}
}
