package tool

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// engines runs a test with the search of our own and, where it is installed, with ripgrep.
func engines(t *testing.T, test func(t *testing.T, o Options)) {
	t.Helper()
	t.Run("own", func(t *testing.T) { t.Parallel(); test(t, Options{}) })
	t.Run("ripgrep", func(t *testing.T) {
		t.Parallel()
		rg, err := exec.LookPath("rg")
		if err != nil {
			t.Skip("rg is not installed")
		}
		test(t, Options{Ripgrep: rg})
	})
}

func TestGrep(t *testing.T) {
	t.Parallel()
	engines(t, func(t *testing.T, o Options) {
		b := newBench(t, map[string]string{
			"a.txt":        "one\ntwo\nThree\nfour\nfive\nsix\nseven\ntwo more",
			"sub/b.go":     "func two() {}\r\nend\r\n",
			".hidden":      "two\n",
			".git/config":  "two\n",
			".gitignore":   "ignored\n",
			"ignored":      "two\n",
			"bin":          "two\x00\n",
			"latin":        "caf\xe9 deux\n",
			"long":         strings.Repeat("é", 600) + "\n",
			"meta":         "a.b*c\naxbbc\n",
			"secret/.keys": "password two\n",
		})
		if err := syscall.Mkfifo(filepath.Join(b.dir, "fifo"), 0o600); err != nil {
			t.Fatal(err)
		}
		b.opts = o
		b.opts.Private = func(p string) bool { return strings.HasSuffix(p, ".keys") }
		for _, c := range []struct {
			args args
			want string
		}{
			{args{"pattern": "two"}, ".hidden:1: two\na.txt:2: two\na.txt:8: two more\nsub/b.go:1: func two() {}"},
			{args{"pattern": "two$"}, ".hidden:1: two\na.txt:2: two"},
			{args{"pattern": "end$"}, "sub/b.go:2: end"},
			{args{"pattern": "^t", "ignoreCase": true, "path": "a.txt"}, "a.txt:2: two\na.txt:3: Three\na.txt:8: two more"},
			{args{"pattern": "two", "glob": "*.go"}, "sub/b.go:1: func two() {}"},
			{args{"pattern": "two", "glob": "!*.txt"}, ".hidden:1: two\nsub/b.go:1: func two() {}"},
			{args{"pattern": "two", "glob": "sub/**"}, "sub/b.go:1: func two() {}"},
			{args{"pattern": "two", "path": "sub"}, "sub/b.go:1: func two() {}"},
			{args{"pattern": "a.b*c", "literal": true}, "meta:1: a.b*c"},
			{args{"pattern": "a.b*c", "path": "meta"}, "meta:2: axbbc"},
			{args{"pattern": "-x"}, "[no matches]"},
			{args{"pattern": "deux"}, "latin:1: caf\uFFFD deux"},
			{args{"pattern": "two|four", "path": "a.txt", "context": 1}, "a.txt-1- one\na.txt:2: two\na.txt-3- Three\na.txt:4: four\na.txt-5- five\n--\na.txt-7- seven\na.txt:8: two more"},
			{args{"pattern": "o", "path": "a.txt", "limit": 2}, "a.txt:1: one\na.txt:2: two\n[only the first 2 matches: give a narrower pattern, path or glob, or a higher limit]"},
			{args{"pattern": "é+$", "path": "long"}, "long:1: " + strings.Repeat("é", 500) + "…\n[lines are cut at 500 characters: read shows them whole]"},
			{args{"pattern": "password", "path": "secret/.keys"}, "secret/.keys:1: password two"},
		} {
			if got := b.text("grep", c.args); got != c.want {
				t.Errorf("%v:\n%q, want\n%q", c.args, got, c.want)
			}
		}
		b.fails("grep", args{"pattern": "("}, "not valid")
		b.fails("grep", args{"pattern": "(?=x)"}, "not valid")
		b.fails("grep", args{"pattern": ""}, "missing")
		b.fails("grep", args{"pattern": "x", "glob": "["}, "not valid")
		b.fails("grep", args{"pattern": "x", "path": "gone"}, "does not exist")
		b.fails("grep", args{"pattern": "x", "path": "fifo"}, "pipe")
		e, err := b.tool("grep").Effect(b.call(args{"pattern": "a\nb", "path": "sub"}))
		if err != nil || e.Kind != Reads || e.Paths[0] != filepath.Join(b.dir, "sub") || e.Title != "grep a b in sub" {
			t.Errorf("%+v, %v", e, err)
		}
	})
}

func TestGrepIsBounded(t *testing.T) {
	t.Parallel()
	engines(t, func(t *testing.T, o Options) {
		b := newBench(t, map[string]string{"many": strings.Repeat(strings.Repeat("x", 400)+"\n", 3000)})
		b.opts = o
		res, err := b.run("grep", args{"pattern": "x", "limit": 2000})
		if err != nil || !strings.Contains(textOf(res), "only the first 50.0 KiB") {
			t.Errorf("%d bytes, %v", len(textOf(res)), err)
		}
		res, err = b.run("grep", args{"pattern": "x"})
		if err != nil || detailsOf(t, res)["matches"] != 100.0 {
			t.Errorf("details %s, %v", res.Details, err)
		}
	})
}
