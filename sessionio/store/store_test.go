package store

import (
	"dugout/sessionio"
	"errors"
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

func TestPick(t *testing.T) {
	t.Parallel()
	infos := []sessionio.Info{
		{ID: "0190aaaa-1111", Name: "plan"},
		{ID: "0190bbbb-2222", Name: "twice"},
		{ID: "0190cccc-3333", Name: "twice"},
		{ID: "beef", Name: "0190aaaa-1111"},
	}
	for selector, want := range map[string]string{
		"0190aaaa-1111": "0190aaaa-1111", "0190AAAA1111": "0190aaaa-1111", "plan": "0190aaaa-1111",
		"0190b": "0190bbbb-2222", "3333": "0190cccc-3333", "beef": "beef",
	} {
		if got, err := pick(infos, selector); err != nil || string(got.ID) != want {
			t.Errorf("%s: got %s, %v", selector, got.ID, err)
		}
	}
	for selector, want := range map[string]struct {
		is   error
		says string
	}{
		"twice": {ErrAmbiguous, "0190bbbb-2222"}, "0190": {ErrAmbiguous, "0190cccc-3333"},
		"plax": {ErrNotFound, "plan"}, "zzzzzz": {ErrNotFound, "ls"}, "": {ErrNotFound, "ls"},
	} {
		if _, err := pick(infos, selector); !errors.Is(err, want.is) || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%q: got %v", selector, err)
		}
	}
}

func program(t *testing.T, dir, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestDelete(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		programs map[string]string
		way, by  string
	}{
		"no program":            {nil, "unlinked", ""},
		"trash":                 {map[string]string{"trash": `mv "$1" "$1.trashed"`}, "trashed", "trash"},
		"gio where trash fails": {map[string]string{"trash": "exit 3", "gio": `[ "$1" = trash ] && mv "$2" "$2.trashed"`}, "trashed", "gio"},
		"one that lies":         {map[string]string{"trash": "exit 0"}, "unlinked", ""},
		"fails but did it":      {map[string]string{"trash": `rm "$1"; exit 1`}, "trashed", "trash"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			for prog, script := range c.programs {
				program(t, bin, prog, "PATH=/usr/bin:/bin; "+script)
			}
			s := newStore(t, Options{Path: bin})
			path := put(t, s, "a", question(1))
			art := s.ArtifactDir(path)
			if err := os.MkdirAll(filepath.Join(art, "deep"), 0o700); err != nil {
				t.Fatal(err)
			}
			list(t, s)
			d, err := s.Delete(t.Context(), path)
			if err != nil || d.Way != c.way || d.Program != c.by || !d.Artifacts {
				t.Errorf("got %+v, %v", d, err)
			}
			if _, err := os.Lstat(path); err == nil {
				t.Error("the file is still there")
			}
			if _, err := os.Lstat(art); err == nil {
				t.Error("the artifacts are still there")
			}
			if infos, _ := list(t, s); len(infos) != 0 {
				t.Error("it is still listed")
			}
		})
	}
}

// While the file is there its artifacts stay; what a link points to stays always.
func TestDeleteSparesWhatItMust(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	if got := s.ArtifactDir(filepath.Join(s.Dirs()[0], ".jsonl")); got != "" {
		t.Errorf("a nameless file has artifacts %s", got)
	}
	if got := s.ArtifactDir(filepath.Join(s.Dirs()[0], "...jsonl")); got != "" {
		t.Errorf("a file called .. has artifacts %s", got)
	}
	elsewhere := t.TempDir()
	if err := os.WriteFile(filepath.Join(elsewhere, "precious"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := put(t, s, "a", question(1))
	if err := os.MkdirAll(filepath.Dir(s.ArtifactDir(path)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, s.ArtifactDir(path)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Delete(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(elsewhere, "precious")); err != nil {
		t.Errorf("a link out of the store was followed: %v", err)
	}
	foreign := newStore(t, Options{Also: []Folder{{Dir: s.Dirs()[0], Source: "pi", ReadOnly: true}}})
	other := put(t, s, "b", question(1))
	if _, err := foreign.Delete(t.Context(), other); !errors.Is(err, sessionio.ErrReadOnly) {
		t.Errorf("deleted in a read-only store: %v", err)
	}
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
