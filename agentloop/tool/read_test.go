package tool

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func lines(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestReadText(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{
		"a.txt": "one\ntwo\nthree", "empty": "", "many": lines(5000), "bom": bom + "x\r\ny\r\n",
		"latin": "caf\xe9\n", "wide": strings.Repeat(strings.Repeat("é", 100)+"\n", 1000),
		"long": "short\n" + strings.Repeat("x", 200_000) + "\nend\n",
	})
	for _, c := range []struct {
		args       args
		has, hasNo string
	}{
		{args{"path": "a.txt"}, "one\ntwo\nthree", "["},
		{args{"path": "@a.txt"}, "one\ntwo\nthree", ""},
		{args{"path": b.dir + "/a.txt", "offset": 2, "limit": 1}, "two\n\n[lines 2-2 of 3; go on with offset=3]", "one"},
		{args{"path": "a.txt", "offset": "3"}, "three", "["},
		{args{"path": "a.txt", "offset": 0}, "one", "["},
		{args{"path": "empty"}, "[the file is empty]", ""},
		{args{"path": "many"}, "line 2000\n\n[lines 1-2000 of 5000; go on with offset=2001]", "line 2001"},
		{args{"path": "many", "offset": 4001}, "line 5000\n", "["},
		{args{"path": "bom"}, "x\ny\n", bom},
		{args{"path": "latin"}, "caf\uFFFD\n\n[not all of it is UTF-8", ""},
		{args{"path": "wide"}, "[lines 1-254 of 1000; go on with offset=255]", ""},
		{args{"path": "long"}, "short\n\n[lines 1-1 of 3; go on with offset=2]", "xx"},
		{args{"path": "long", "offset": 2}, "[line 2 alone is longer", "xx"},
		{args{"path": "long", "offset": 3}, "end\n", "xx"},
	} {
		got := b.text("read", c.args)
		if !strings.Contains(got, c.has) || c.hasNo != "" && strings.Contains(got, c.hasNo) {
			t.Errorf("%v: %.300q, want %q and not %q", c.args, got, c.has, c.hasNo)
		}
	}
	b.fails("read", args{"path": "a.txt", "offset": 4}, "offset 4", "3 lines")
	b.fails("read", args{"path": "empty", "offset": 2}, "0 lines")
	b.fails("read", args{"path": ""}, "path is missing")
	b.fails("read", args{"path": "a\x00b"}, "NUL")
	b.fails("read", args{"path": "A.TXT"}, "does not exist", "a.txt")
	b.fails("read", args{"path": "nowhere"}, "does not exist", "ls or find")
	b.fails("read", args{"path": "."}, "folder", "ls")
}

func TestReadDetails(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"many": lines(5000)})
	res, err := b.run("read", args{"path": "many"})
	if err != nil {
		t.Fatal(err)
	}
	tr, _ := detailsOf(t, res)["truncation"].(map[string]any)
	if tr["truncatedBy"] != "lines" || tr["totalLines"] != 5000.0 || tr["outputLines"] != 2000.0 {
		t.Errorf("truncation %v", tr)
	}
}

func TestReadOfWhatIsNoText(t *testing.T) {
	t.Parallel()
	png := "\x89PNG\r\n\x1a\n\x00\x00"
	b := newBench(t, map[string]string{
		"bin": "ELF\x00\x01", "pic": png, "big.png": png + strings.Repeat("x", maxImage),
	})
	b.fails("read", args{"path": "bin"}, "binary", "bash")
	b.fails("read", args{"path": "big.png"}, "smaller")
	res, err := b.run("read", args{"path": "pic"})
	if err != nil || len(res.Content) != 2 {
		t.Fatalf("an image: %v, %v", res, err)
	}
	if img := res.Content[1]; img.MimeType != "image/png" || img.Data != base64.StdEncoding.EncodeToString([]byte(png)) {
		t.Errorf("image block %v", img)
	}
	fifo := filepath.Join(b.dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	b.fails("read", args{"path": "fifo"}, "pipe")
	b.fails("read", args{"path": "/dev/zero"}, "device")
	b.fails("write", args{"path": "fifo", "content": "x"}, "pipe")
	b.fails("edit", args{"path": "fifo", "oldText": "x", "newText": "y"}, "pipe")
}

func TestReadOfAHugeFileTakesOnlyWhatIsShown(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	f, err := os.Create(filepath.Join(b.dir, "huge"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(lines(3000)); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(1 << 40); err != nil { // reading it all would not end
		t.Skip(err)
	}
	f.Close()
	got := b.text("read", args{"path": "huge", "limit": 2})
	if want := "line 1\nline 2\n\n[lines 1-2 of a file of 1024.0 GiB; go on with offset=3]"; got != want {
		t.Errorf("%q", got)
	}
	got = b.text("read", args{"path": "huge", "offset": 3001})
	if !strings.Contains(got, "[line 3001 alone is longer") {
		t.Errorf("%.200q", got)
	}
}
