package sessionio

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The new form of an old file has every line of it: unreadable ones, ones without an id, a second
// header, both of two entries with one id.
func TestMigrationKeepsEveryLine(t *testing.T) {
	t.Parallel()
	v2 := []string{
		`{"type":"session","version":2,"id":"old","timestamp":"2025-01-01T00:00:00Z","cwd":"/p","odd":1}`,
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"a"}}`,
		`garbage in between`,
		``,
		`{"type":"note","text":"no id"}`,
		`{"type":"message","message":{"role":"hookMessage","content":"no id either"}}`,
		`{"type":"session","version":3,"id":"second"}`,
		`{"type":"message","id":"b","parentId":"a","message":{"role":"hookMessage","content":"first b"}}`,
		`{"type":"message","id":"b","parentId":"a","message":{"role":"hookMessage","content":"second b"}}`,
		`{"type":"torn`,
	}
	path := write(t, v2...)
	before := read(t, path)
	s := open(t, path)
	if got := said(t, s); got != "a|second b" {
		t.Errorf("got %s", got)
	}
	if _, err := s.Append(user("c")); err != nil {
		t.Fatal(err)
	}
	after := string(read(t, path))
	for _, want := range []string{
		"garbage in between\n", `{"type":"note","text":"no id"}` + "\n", `{"role":"custom","content":"no id either"}`,
		`{"type":"session","version":3,"id":"second"}`, `{"role":"custom","content":"first b"}`, `{"role":"custom","content":"second b"}`,
		`{"type":"torn` + "\n", `"version":3,"id":"old","timestamp":"2025-01-01T00:00:00Z","cwd":"/p","odd":1}`,
	} {
		if !strings.Contains(after, want) {
			t.Errorf("%s is gone from\n%s", want, after)
		}
	}
	again := open(t, path)
	if got := said(t, again); got != "a|second b|c" || again.Unreadable() != 2 {
		t.Errorf("loaded again: %s, %d unreadable", got, again.Unreadable())
	}
	sameSession(t, s, again)
	if b := read(t, path+".v2.bak"); !bytes.Equal(b, before) {
		t.Error("the old file is not kept")
	}
}

// Two old files of one name, one after the other: both are kept.
func TestBackupIsNotOverwritten(t *testing.T) {
	t.Parallel()
	art := t.TempDir()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for _, text := range []string{"a", "b", "b"} {
		old := `{"type":"session","id":"s","cwd":"/p"}` + "\n" + `{"type":"message","message":{"role":"user","content":"` + text + `"}}` + "\n"
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, Options{ArtifactDir: art})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(user("new")); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	first, second := read(t, filepath.Join(art, "s.jsonl.v1.bak")), read(t, filepath.Join(art, "s.jsonl.v1.bak.2"))
	if !bytes.Contains(first, []byte(`"a"`)) || !bytes.Contains(second, []byte(`"b"`)) {
		t.Errorf("kept:\n%s\n%s", first, second)
	}
	if names, _ := os.ReadDir(art); len(names) != 2 {
		t.Errorf("%d files kept, want 2", len(names))
	}
}

// Another program may append to an old file that is open and not yet migrated.
func TestOldFileThatGrew(t *testing.T) {
	t.Parallel()
	line := func(text string) string {
		return `{"type":"message","message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	path := write(t, `{"type":"session","id":"s","cwd":"/p"}`+"\n"+line("a")+line("b"))
	s := open(t, path)
	addForeign(t, path, line("c"))
	if _, err := s.Append(user("d")); err != nil {
		t.Fatal(err)
	}
	if got := said(t, s); got != "a|b|c|d" {
		t.Errorf("got %s", got)
	}
	sameSession(t, s, open(t, path))
}

func FuzzMigrate(f *testing.F) {
	f.Add([]byte(`{"type":"session","id":"s"}` + "\n" + `{"type":"message","message":{"role":"hookMessage","content":"b"}}` + "\n" + `{"type":"compaction","firstKeptEntryIndex":1}`))
	f.Add([]byte(`{"type":"session","id":"s","version":2}` + "\n" + `{"type":"message","id":"a","parentId":"a","message":{}}` + "\nx\n" + `{"id":"a","id":"b","type":null}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path, Options{})
		if err != nil {
			return
		}
		defer s.Close()
		n, was := s.Tree().Len(), said(t, s)
		if _, err := s.Append(user("new")); err != nil {
			t.Fatal(err)
		}
		again := open(t, path)
		if again.Tree().Len() != n+1 {
			t.Errorf("%d entries, then %d", n, again.Tree().Len())
		}
		if got := said(t, again); got != "new" && got != was+"|new" {
			t.Errorf("said %q, then %q", was, got)
		}
		sameSession(t, s, again)
	})
}
