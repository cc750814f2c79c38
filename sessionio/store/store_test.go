package store

import (
	"dugout/sessionio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newStore(t testing.TB, o Options) *Store {
	t.Helper()
	if o.Home == "" {
		o.Home = t.TempDir()
	}
	if o.Path == "" {
		o.Path = t.TempDir() // no programs
	}
	s, err := Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func header(id string) string {
	return fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-11-02T12:00:00.000Z","cwd":"/p"}`, id)
}

func question(n int) string {
	return fmt.Sprintf(`{"type":"message","id":"%08x","parentId":null,"timestamp":"2026-11-02T12:00:01.000Z","message":{"role":"user","content":"question %d","timestamp":%d}}`, n, n, 1762084801000+n)
}

func put(t testing.TB, s *Store, id string, lines ...string) string {
	t.Helper()
	path := s.NewPath(sessionio.ID(id))
	text := strings.Join(append([]string{header(id)}, lines...), "\n") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func extend(t testing.TB, path string, line string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		t.Fatal(err)
	}
}

func list(t testing.TB, s *Store) ([]sessionio.Info, []Problem) {
	t.Helper()
	infos, problems, err := s.List(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return infos, problems
}

func mustWrite(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestFoldersAreTheOwners(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	shared := filepath.Join(base, "shared")
	if err := os.Mkdir(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(shared, 0o755); err != nil {
		t.Fatal(err)
	}
	s := newStore(t, Options{Home: filepath.Join(base, "deep", "home"), Dir: filepath.Join(shared, "own", "sessions")})
	put(t, s, "a", question(1))
	list(t, s)
	for dir, want := range map[string]fs.FileMode{
		"deep": 0o700, "deep/home": 0o700, "deep/home/cache": 0o700, "shared": 0o755, "shared/own": 0o700, "shared/own/sessions": 0o700,
	} {
		st, err := os.Stat(filepath.Join(base, dir))
		if err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", dir, st.Mode(), err)
		}
	}
	if _, err := Open(Options{Home: filepath.Join(s.NewPath("a"), "under-a-file")}); err == nil {
		t.Error("a home under a file was opened")
	}
}

func TestNewIDsAreInOrderAndNameFiles(t *testing.T) {
	t.Parallel()
	var last sessionio.ID
	for range 1000 {
		id := NewID()
		if id <= last || len(id) != 36 || id[14] != '7' || !canNameFile(id) {
			t.Fatalf("%s after %s", id, last)
		}
		last = id
	}
}
