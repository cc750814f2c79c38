package sessionio

import (
	"os/exec"
	"testing"
)

func TestGitSnapshot(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	if g := GitSnapshot(t.Context(), dir); g != nil {
		t.Errorf("no repository: %+v", g)
	}
	git("init", "-q", "-b", "trunk")
	git("commit", "-q", "--allow-empty", "-m", "first")
	git("remote", "add", "origin", "https://someone:secret@example.org/t/demo.git")
	g := GitSnapshot(t.Context(), dir)
	if g == nil || g.Branch != "trunk" || len(g.Commit) != 40 || g.RepoURL != "https://example.org/t/demo.git" {
		t.Fatalf("got %+v", g)
	}
	git("checkout", "-q", "--detach")
	if d := GitSnapshot(t.Context(), dir); d == nil || d.Branch != "" || d.Commit != g.Commit {
		t.Errorf("detached: %+v", d)
	}
}

func TestNoCredentials(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://example.org/a.git":            "https://example.org/a.git",
		"https://user:pw@example.org/a.git":    "https://example.org/a.git",
		"https://token@example.org:8443/a.git": "https://example.org:8443/a.git",
		"ssh://git@example.org/a.git":          "ssh://example.org/a.git",
		"git@example.org:t/a.git":              "git@example.org:t/a.git",
		"user:pw@example.org:t/a.git":          "example.org:t/a.git",
		"https://u:p%zz@example.org/a":         "example.org/a",
		"/srv/git/a.git":                       "/srv/git/a.git",
		"":                                     "",
	} {
		if got := withoutCredentials(in); got != want {
			t.Errorf("%q gives %q, want %q", in, got, want)
		}
	}
}
