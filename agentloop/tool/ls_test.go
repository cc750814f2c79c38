package tool

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLs(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"b": "", "A": "", ".hid": "", "sub/x": "", "c\nd": "", "bad\xff": ""})
	if err := os.Symlink("sub", filepath.Join(b.dir, "link")); err != nil {
		t.Fatal(err)
	}
	if got, want := b.text("ls", args{}), "\"c\\nd\"\n.hid\nA\nb\nbad\uFFFD\nlink/\nsub/"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := b.text("ls", args{"path": "sub", "limit": 5}); got != "x" {
		t.Errorf("%q", got)
	}
	if got := b.text("ls", args{"limit": 2}); !strings.HasPrefix(got, "\"c\\nd\"\n.hid\n[the first 2 of 7") {
		t.Errorf("%q", got)
	}
	b.fails("ls", args{"path": "A"}, "not a folder")
	b.fails("ls", args{"path": "nowhere"}, "does not exist")
	if err := os.Mkdir(filepath.Join(b.dir, "none"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := b.text("ls", args{"path": "none"}); got != "[no names]" {
		t.Errorf("%q", got)
	}
}

func TestLsOfManyLongNames(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for i := range 600 {
		b.put(fmt.Sprintf("%04d%s", i, strings.Repeat("n", 200)), "")
	}
	got := b.text("ls", args{"limit": 600})
	if !strings.Contains(got, "of 600 names") || strings.Count(got, "\n") != 249 {
		t.Errorf("%d lines, end %q", strings.Count(got, "\n"), got[len(got)-100:])
	}
}
