package sessionio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// A file that somebody else put in a new session's place stays, and nothing else is left.
func TestCreateOverwritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	s, err := Create(path, Header{Version: CurrentVersion, ID: "s", CWD: "/p"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(user("q")); !errors.Is(err, fs.ErrExist) || s.OnDisk() {
		t.Errorf("got %v", err)
	}
	if got := string(read(t, path)); got != "theirs" {
		t.Errorf("now it says %q", got)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestIsUnfinished(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		".s.jsonl.0123abcd.tmp": true, ".-x y.jsonl.0123abcd.tmp": true,
		"s.jsonl": false, "s.jsonl.0123abcd.tmp": false, ".s.jsonl.tmp": false, ".s.jsonl.0123abcd": false, ".tmp": false,
	} {
		if IsUnfinished(name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}
