package demo

import (
	"context"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)

// build makes a world in a folder of the test's own.
func build(t *testing.T) World {
	t.Helper()
	w, err := Build(context.Background(), t.TempDir(), now)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func saved(t *testing.T, w World) []sessionio.Info {
	t.Helper()
	st, err := store.Open(store.Options{Home: w.Home})
	if err != nil {
		t.Fatal(err)
	}
	infos, problems, err := st.List(context.Background(), nil)
	if err != nil || len(problems) > 0 {
		t.Fatalf("%v, %v", problems, err)
	}
	return infos
}

// TestSavedSessionsReadBack opens every saved session as dugout would.
func TestSavedSessionsReadBack(t *testing.T) {
	t.Parallel()
	w := build(t)
	infos := saved(t, w)
	if len(infos) != len(pasts) {
		t.Fatalf("%d sessions, want %d", len(infos), len(pasts))
	}
	archived, failed := 0, 0
	for _, i := range infos {
		s, err := sessionio.Open(i.Path, sessionio.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Context()
		if err != nil {
			t.Error(err)
		}
		if len(c.Messages) < 2 || i.UnreadableLines != 0 || i.Interrupted {
			t.Errorf("%s: %d messages, %d unreadable lines", i.Path, len(c.Messages), i.UnreadableLines)
		}
		if i.Modified.After(now) || i.Created.After(now) {
			t.Errorf("%s is from the future: %s", i.Path, i.Modified)
		}
		if st, err := os.Stat(i.CWD); err != nil || !st.IsDir() {
			t.Errorf("%s: its folder is not there: %v", i.Path, err)
		}
		failed += i.Errors
		if i.State == sessionio.LifecycleArchived {
			archived++
		}
		s.Close()
	}
	if archived != 2 || failed != 1 {
		t.Errorf("%d archived and %d errors, want 2 and 1", archived, failed)
	}
}

// TestWorldIsPrivate: one folder, for the owner alone, with projects that hang together.
func TestWorldIsPrivate(t *testing.T) {
	t.Parallel()
	w := build(t)
	for _, dir := range []string{w.Root, w.Home, w.Projects} {
		if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, st.Mode(), err)
		}
		if !strings.HasPrefix(dir, w.Root) {
			t.Errorf("%s is not below %s", dir, w.Root)
		}
	}
	for _, a := range agents {
		if st, err := os.Stat(filepath.Join(w.Projects, a.project)); err != nil || !st.IsDir() {
			t.Errorf("the project of %q is not there: %v", a.name, err)
		}
	}
	b, err := os.ReadFile(filepath.Join(w.Home, "settings.json"))
	if err != nil || !json.Valid(b) {
		t.Errorf("settings: %s, %v", b, err)
	}
}

// TestProjectsHaveBranches where git is at hand; without it they are folders. Tests that change PATH
// do not run in parallel.
func TestProjectsHaveBranches(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	w := build(t)
	cmd := exec.Command(git, "status", "--porcelain", "--branch")
	cmd.Dir = filepath.Join(w.Projects, "shop")
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "## new-cart\n" {
		t.Errorf("got %q, %v", out, err)
	}

	t.Setenv("PATH", t.TempDir())
	w = build(t)
	if _, err := os.Stat(filepath.Join(w.Projects, "shop", ".git")); !os.IsNotExist(err) {
		t.Errorf("a repository without git: %v", err)
	}
	if len(saved(t, w)) != len(pasts) {
		t.Error("sessions are missing")
	}
}

// TestBuildFailsWhole leaves no half a world.
func TestBuildFailsWhole(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\necho 'no room' >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(context.Background(), dir, now); err == nil || !strings.Contains(err.Error(), "git init: ") || !strings.Contains(err.Error(), "no room") {
		t.Errorf("got %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

func TestAtAndRemove(t *testing.T) {
	t.Parallel()
	w := build(t)
	again, err := At(w.Root)
	if err != nil || again != w {
		t.Errorf("At gives %+v, %v; want %+v", again, err, w)
	}
	other := t.TempDir()
	for _, root := range []string{"", "/", ".", other, prefix, filepath.Join(w.Root, ".."), filepath.Join(w.Root, "home"), other + "/x" + prefix + "1"} {
		if _, err := At(root); err == nil {
			t.Errorf("At accepts %q", root)
		}
		if err := (World{Root: root}).Remove(); err == nil {
			t.Errorf("Remove accepts %q", root)
		}
	}
	for _, dir := range []string{other, w.Home} {
		if _, err := os.Stat(dir); err != nil {
			t.Fatal(err)
		}
	}
	if err := again.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(w.Root); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}
