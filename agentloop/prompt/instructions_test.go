package prompt

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"
)

func newWorld(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestInstructions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{
		"AGENTS.md":         "outside the repository",
		"home/CLAUDE.md":    "home",
		"r/.git":            "gitdir: elsewhere",
		"r/AGENTS.md":       "root",
		"r/CLAUDE.md":       "not this beside the other",
		"r/a/CLAUDE.md":     "\ufeffmiddle\n",
		"r/a/b/AGENTS.md":   " \n",
		"r/a/b/CLAUDE.md":   "inner caf\xe9",
		"r/a/b/c/file":      "",
		"r/other/AGENTS.md": "beside",
		"plain/x/CLAUDE.md": "plain",
		"open/AGENTS.md":    "anybody's",
		"open/mine/y":       "",
	})
	if err := os.Chmod(filepath.Join(w, "open"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cwd, home string
		want      []string
	}{
		{"r/a/b/c", "home", []string{"home", "root", "middle", "inner caf\uFFFD"}},
		{"r/a", "", []string{"root", "middle"}},
		{"r", "r", []string{"root"}},
		{"plain/x", "home", []string{"home", "outside the repository", "plain"}},
		{"open/mine", "", []string{"outside the repository"}},
		{"open", "", []string{"outside the repository", "anybody's"}},
	} {
		o := Options{CWD: filepath.Join(w, c.cwd)}
		if c.home != "" {
			o.Home = filepath.Join(w, c.home)
		}
		var got []string
		for _, in := range instructions(o) {
			if strings.HasPrefix(in.path, w) { // what lies above the temporary folder is not ours
				got = append(got, in.text)
			}
		}
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: %q, want %q", c.cwd, got, c.want)
		}
	}
}

func TestInstructionsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a line with é in it\n", 10_000)
	files := map[string]string{"r/.git/HEAD": ""}
	dir := "r"
	for range 6 {
		files[dir+"/AGENTS.md"] = long
		dir += "/d"
	}
	files[dir+"/AGENTS.md"] = "nearest"
	w := newWorld(t, files)
	got := System(Options{CWD: filepath.Join(w, dir)})
	if len(got) > maxAll+8*1024 || !utf8.ValidString(got) {
		t.Errorf("%d bytes", len(got))
	}
	if !strings.Contains(got, "\nnearest\n") || strings.Count(got, "is longer than this") != 6 {
		t.Errorf("%d cuts; the nearest: %v", strings.Count(got, "is longer than this"), strings.Contains(got, "nearest"))
	}
}

func TestInstructionsThatAreNoFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"r/.git/HEAD": "", "r/a/AGENTS.md/x": "", "r/k/x": "", "r/a/b/x": "", "target.md": "linked", "id_rsa": "secret"})
	for _, err := range []error{
		syscall.Mkfifo(filepath.Join(w, "r", "AGENTS.md"), 0o600),
		os.Symlink("../../../target.md", filepath.Join(w, "r", "a", "b", "AGENTS.md")),
		os.Symlink("../../id_rsa", filepath.Join(w, "r", "k", "AGENTS.md")),
		os.Symlink("AGENTS.md", filepath.Join(w, "r", "a", "b", "CLAUDE.md")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := instructions(Options{CWD: filepath.Join(w, "r", "a", "b")})
	if len(got) != 1 || got[0].text != "linked" {
		t.Errorf("%+v", got)
	}
	if got := instructions(Options{CWD: filepath.Join(w, "r", "k")}); len(got) != 0 {
		t.Errorf("a link to a key was followed: %+v", got)
	}
}
