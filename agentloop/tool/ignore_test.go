package tool

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Each line of want: a path, and whether git passes over it.
func TestIgnored(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ rules, ignored, kept string }{
		"name":             {"x.log", "x.log d/x.log", "x.logs ax.log"},
		"glob":             {"*.log", "a.log d/b.log .log", "log"},
		"folder":           {"build/", "build/ d/build/", "build"},
		"anchored":         {"/a", "a", "d/a"},
		"with slash":       {"d/a", "d/a", "e/d/a a"},
		"negated":          {"*.log\n!keep.log", "a.log", "keep.log d/keep.log"},
		"comment":          {"# a\n\\#b", "#b", "a"},
		"bang":             {"\\!a", "!a", "a"},
		"stars":            {"a/**/z", "a/z a/b/z a/b/c/z", "z b/a/z"},
		"leading stars":    {"**/q", "q d/q", "qq"},
		"trailing stars":   {"a/**", "a/b a/b/c", "a/ b"},
		"question mark":    {"?.x", "a.x", "ab.x"},
		"class":            {"[ab].x", "a.x b.x", "c.x"},
		"braces are plain": {"{a,b}", "{a,b}", "a b"},
		"blanks":           {"a  \nb\\ ", "a", "b"},
		"crlf":             {"a\r\nb\r\n", "a b", "c"},
		"broken":           {"[\na", "a", "["},
		"star and slash":   {"d/*.x", "d/a.x", "d/e/a.x a.x"},
		"later wins":       {"!a\na", "a", "b"},
	} {
		ig := &ignores{dir: "/r", rules: parseIgnore(c.rules)}
		check := func(list string, want bool) {
			for _, p := range strings.Fields(list) {
				rel, isDir := strings.CutSuffix(p, "/")
				if got := ig.ignored("/r/"+rel, isDir); got != want {
					t.Errorf("%s: %q ignored: %v", name, p, got)
				}
				if git := gitIgnores(t, c.rules, rel, isDir); git != nil && *git != want {
					t.Errorf("%s: git says of %q: %v", name, p, *git)
				}
			}
		}
		check(c.ignored, true)
		check(c.kept, false)
	}
}

func gitIgnores(t *testing.T, rules, rel string, isDir bool) *bool {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		return nil
	}
	b := newBench(t, map[string]string{".gitignore": rules})
	if isDir {
		b.put(rel+"/f", "")
	} else {
		b.put(rel, "")
	}
	for _, args := range [][]string{{"init", "-q"}, {"check-ignore", "-q", "--no-index", rel}} {
		cmd := exec.Command(git, args...)
		cmd.Dir = b.dir
		err = cmd.Run()
	}
	ignored := err == nil
	return &ignored
}

func TestIgnoresOfFoldersAboveAndBelow(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{
		".git/info/exclude": "excluded\n", ".gitignore": "*.log\nout/\n", "sub/.gitignore": "!keep.log\nown\n",
		"sub/keep.log": "", "sub/a.log": "", "sub/own": "", "sub/x": "", "sub/deep/own": "", "sub/deep/keep.log": "",
		"sub/out/y": "", "sub/excluded": "", "other/own": "",
	})
	got := b.text("find", args{"pattern": "**", "path": "sub"})
	if want := "sub/.gitignore\nsub/deep/\nsub/deep/keep.log\nsub/keep.log\nsub/x"; got != want {
		t.Errorf("below sub: %q, want %q", got, want)
	}
	if got := b.text("find", args{"pattern": "own"}); got != "other/own" {
		t.Errorf("own: %q", got)
	}
	if got := b.text("find", args{"pattern": "y", "path": filepath.Join("sub", "out")}); got != "sub/out/y" {
		t.Errorf("an ignored folder that was asked for: %q", got)
	}
}
