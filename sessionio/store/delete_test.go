package store

import (
	"context"
	"dugout/sessionio"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		off      bool
	}{
		"no program":            {nil, "unlinked", "", false},
		"trash":                 {map[string]string{"trash": `mv "$1" "$1.trashed"`}, "trashed", "trash", false},
		"gio where trash fails": {map[string]string{"trash": "exit 3", "gio": `[ "$1" = trash ] && mv "$2" "$2.trashed"`}, "trashed", "gio", false},
		"one that lies":         {map[string]string{"trash": "exit 0"}, "unlinked", "", false},
		"fails but did it":      {map[string]string{"trash": `rm "$1"; exit 1`}, "trashed", "trash", false},
		"turned off":            {map[string]string{"trash": `mv "$1" "$1.trashed"`}, "unlinked", "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bin := t.TempDir()
			for prog, script := range c.programs {
				program(t, bin, prog, "PATH=/usr/bin:/bin; "+script)
			}
			s := newStore(t, Options{Path: bin, NoTrash: c.off})
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

// The artifacts are found by the id in the header; a file's name may be pi's.
func TestArtifactsAreTheHeaders(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	root := filepath.Join(filepath.Dir(s.Dirs()[0]), artifactsName)
	path := filepath.Join(s.Dirs()[0], "2026-01-02T03-04-05-678Z_abc.jsonl")
	mustWrite(t, path, header("abc")+"\n"+question(1)+"\n")
	mine, others := filepath.Join(root, "abc"), filepath.Join(root, "2026-01-02T03-04-05-678Z_abc")
	mustWrite(t, filepath.Join(mine, "f"), "x")
	mustWrite(t, filepath.Join(others, "f"), "x")
	if got := s.ArtifactDir(path); got != mine {
		t.Errorf("artifacts in %s", got)
	}
	d, err := s.Delete(t.Context(), path)
	if err != nil || !d.Artifacts || isThere(mine) || !isThere(others) {
		t.Errorf("got %+v, %v; its own there %v, another's there %v", d, err, isThere(mine), isThere(others))
	}
	for _, id := range []string{"", ".", "..", "a/b", "/etc", "../../x", "a\x00b", strings.Repeat("x", 300)} {
		if got := s.artifactDirOf(path, sessionio.ID(id)); got != "" {
			t.Errorf("the id %q has artifacts %s", id, got)
		}
		if _, err := s.CreateSession(sessionio.Header{ID: sessionio.ID(id)}, "x"); err == nil {
			t.Errorf("a session %q was made", id)
		}
	}
}

// An id of "..", however it came into a header, must not cost what it leads to.
func TestDeleteWithAHostileID(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"..", ".", "", "../sessions", "../../x"} {
		s := newStore(t, Options{})
		keep := put(t, s, "keep", question(1))
		art := s.ArtifactDir(keep)
		mustWrite(t, filepath.Join(art, "f"), "x")
		path := s.NewPath("bad")
		mustWrite(t, path, header(id)+"\n"+question(1)+"\n")
		d, err := s.Delete(t.Context(), path)
		if err != nil || d.Artifacts || isThere(path) || !isThere(keep) || !isThere(filepath.Join(art, "f")) {
			t.Errorf("%q: %+v, %v", id, d, err)
		}
	}
}

func TestDeleteOfACopyLeavesTheOriginalsArtifacts(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	path := put(t, s, "a", question(1))
	art := s.ArtifactDir(path)
	mustWrite(t, filepath.Join(art, "f"), "x")
	outside := filepath.Join(t.TempDir(), "a.jsonl")
	inside := filepath.Join(s.Dirs()[0], "a-1.jsonl")
	for _, c := range []string{outside, inside} {
		mustWrite(t, c, header("a")+"\n"+question(1)+"\n")
		if d, err := s.Delete(t.Context(), c); err != nil || d.Artifacts || isThere(c) || !isThere(art) {
			t.Errorf("%s: %+v, %v", c, d, err)
		}
	}
	if d, err := s.Delete(t.Context(), path); err != nil || !d.Artifacts || isThere(art) {
		t.Errorf("the last one: %+v, %v", d, err)
	}
}

func TestDeleteByALink(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	path := put(t, s, "a", question(1))
	link, far := s.NewPath("alias"), filepath.Join(t.TempDir(), "far.jsonl")
	for _, l := range []string{link, far} {
		if err := os.Symlink(path, l); err != nil {
			t.Fatal(err)
		}
	}
	d, err := s.Delete(t.Context(), link)
	if err != nil || d.Path != path || isThere(path) || isThere(link) || !isThere(far) {
		t.Errorf("got %+v, %v; a link from outside the store stays", d, err)
	}
	if infos, problems := list(t, s); len(infos)+len(problems) != 0 {
		t.Errorf("left: %v, %v", infos, problems)
	}
}

func TestDeleteOfWhatIsNoSession(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	at := func(name string) string { return filepath.Join(s.Dirs()[0], name) }
	mustWrite(t, at("torn.jsonl"), `{"type":"sess`)
	mustWrite(t, at("empty.jsonl"), "")
	if err := errors.Join(os.Symlink(at("nowhere"), at("dangling.jsonl")), os.Symlink(at("loop.jsonl"), at("loop.jsonl"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"torn.jsonl", "empty.jsonl", "dangling.jsonl", "loop.jsonl"} {
		if d, err := s.Delete(t.Context(), at(name)); err != nil || d.Way != "unlinked" || isThere(at(name)) {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	if err := os.Mkdir(at("folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"folder.jsonl", "missing.jsonl"} {
		if _, err := s.Delete(t.Context(), at(name)); err == nil {
			t.Errorf("%s was deleted", name)
		}
	}
}

// A file that can't be removed keeps everything that is its own.
func TestDeleteThatFails(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	path := put(t, s, "a", question(1))
	art := s.ArtifactDir(path)
	mustWrite(t, filepath.Join(art, "f"), "x")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Delete(ctx, path); !errors.Is(err, context.Canceled) || !isThere(path) || !isThere(art) {
		t.Errorf("given up: %v", err)
	}
	if os.Getuid() == 0 {
		t.Skip("root removes everything")
	}
	if err := os.Chmod(s.Dirs()[0], 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := s.Delete(t.Context(), path)
	if cerr := os.Chmod(s.Dirs()[0], 0o700); cerr != nil {
		t.Fatal(cerr)
	}
	if err == nil || !isThere(path) || !isThere(filepath.Join(art, "f")) {
		t.Errorf("in a read-only folder: %v", err)
	}
}
