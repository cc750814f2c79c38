package tool

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"old.txt": "a\nb\n", "bin": "\x00"})
	res, err := b.run("write", args{"path": "d/e/new.txt", "content": "x\n"})
	if err != nil || b.get("d/e/new.txt") != "x\n" || detailsOf(t, res)["created"] != true {
		t.Errorf("new: %v %v", textOf(res), err)
	}
	res, err = b.run("write", args{"path": "old.txt", "content": "a\nc\n"})
	if err != nil || b.get("old.txt") != "a\nc\n" {
		t.Fatal(err)
	}
	if d, _ := detailsOf(t, res)["diff"].(string); d != "--- old.txt\n+++ old.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n" {
		t.Errorf("diff %q", d)
	}
	if _, err := b.run("write", args{"path": "bin", "content": ""}); err != nil || b.get("bin") != "" {
		t.Errorf("over a binary file: %v", err)
	}
	b.fails("write", args{"path": "old.txt"}, "content is missing")
	b.fails("write", args{"path": "d", "content": ""}, "folder")
	b.fails("write", args{"path": "old.txt/x", "content": ""}, "old.txt")
	if b.get("old.txt") != "a\nc\n" {
		t.Error("a failed write changed the file")
	}
}

func TestWriteKeepsModeLinksAndNames(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"run.sh": "a", "target": "a", "one": "a", "locked": "a"})
	at := func(name string) string { return filepath.Join(b.dir, name) }
	for _, err := range []error{
		os.Chmod(at("run.sh"), 0o751), os.Symlink("target", at("link")), os.Symlink("made", at("dangling")),
		os.Link(at("one"), at("two")), os.Chmod(at("locked"), 0o444),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"run.sh", "link", "one", "dangling"} {
		b.text("write", args{"path": name, "content": "new"})
	}
	b.fails("write", args{"path": "locked", "content": "new"}, "read-only")
	if fi, _ := os.Stat(at("run.sh")); fi.Mode().Perm() != 0o751 {
		t.Errorf("mode %v", fi.Mode())
	}
	if fi, _ := os.Lstat(at("link")); fi.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	for _, name := range []string{"target", "two", "made"} {
		if b.get(name) != "new" {
			t.Errorf("%s is %q", name, b.get(name))
		}
	}
	left, _ := os.ReadDir(b.dir)
	for _, e := range left {
		if strings.HasPrefix(e.Name(), ".") {
			t.Errorf("left behind: %s", e.Name())
		}
	}
}

func TestEffectsOfFileTools(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "a\nb\n", "sub/x": ""})
	outside := newBench(t, map[string]string{"y": ""})
	if err := os.Symlink(outside.dir, filepath.Join(b.dir, "out")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tool    string
		args    args
		kind    EffectKind
		path    string
		title   string
		preview string
	}{
		{"read", args{"path": "sub/../a.txt"}, Reads, b.dir + "/a.txt", "read a.txt", ""},
		{"ls", args{}, Reads, b.dir, "ls .", ""},
		{"write", args{"path": "n", "content": "text"}, Edits, b.dir + "/n", "write n", "text"},
		{"write", args{"path": "a.txt", "content": "a\nc\n"}, Edits, b.dir + "/a.txt", "write a.txt", "-b\n+c"},
		{"edit", args{"path": "a.txt", "oldText": "b", "newText": "c"}, Edits, b.dir + "/a.txt", "edit a.txt", "-b\n+c"},
		{"write", args{"path": "out/new", "content": "x"}, Edits, outside.dir + "/new", "write " + outside.dir + "/new", "x"},
		{"write", args{"path": "a\nb", "content": ""}, Edits, b.dir + "/a\nb", "write a b", ""},
	} {
		e, err := b.tool(c.tool).Effect(b.call(c.args))
		if err != nil || e.Kind != c.kind || len(e.Paths) != 1 || e.Paths[0] != c.path || e.Title != c.title || !strings.Contains(e.Preview, c.preview) {
			t.Errorf("%s %v: %+v, %v", c.tool, c.args, e, err)
		}
	}
	if b.get("a.txt") != "a\nb\n" {
		t.Error("an effect changed the file")
	}
	e, err := b.tool("write").Effect(b.call(args{"path": "n", "content": strings.Repeat("é", 100_000)}))
	if err != nil || len(e.Preview) > maxPreview {
		t.Errorf("a preview of %d bytes, %v", len(e.Preview), err)
	}
}
