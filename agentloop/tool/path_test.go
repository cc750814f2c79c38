package tool

import (
	"os"
	"path/filepath"
	"testing"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a b": "", "@real": "", "d/f": ""})
	for link, to := range map[string]string{
		"to-d": "d", "dangling": "d/new", "chain": "dangling", "loop": "loop", "up": "../nowhere/x", "abs": b.dir + "/d",
	} {
		if err := os.Symlink(to, filepath.Join(b.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	call := b.call("{}")
	call.Env = []string{"HOME=/old", "HOME=" + b.dir}
	for arg, want := range map[string]string{
		"d/f":          "d/f",
		"./d/../d/f":   "d/f",
		"@d/f":         "d/f",
		"@real":        "@real",
		"@new":         "new",
		"a\u00a0b":     "a b",
		"~/d":          "d",
		"~":            "",
		"to-d/f":       "d/f",
		"to-d/no/such": "d/no/such",
		"dangling":     "d/new",
		"chain":        "d/new",
		"up":           "../nowhere/x",
		"abs/x":        "d/x",
		"loop/x":       "loop/x",
	} {
		got, err := call.resolve(arg)
		if err != nil || got != filepath.Join(b.dir, want) {
			t.Errorf("%q: %q, %v; want %q", arg, got, err, want)
		}
	}
}
