package daemonclient

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSocketPath(t *testing.T) {
	t.Parallel()
	short := filepath.Join(realPath(t.TempDir()), "h")
	if got := SocketPath(short); len(short) < 80 && got != filepath.Join(short, "daemon.sock") {
		t.Errorf("short home: %s", got)
	}
	base := t.TempDir()
	long := filepath.Join(base, strings.Repeat("long", 40))
	before := SocketPath(long)
	if len(before) > maxSocketPath || !strings.HasPrefix(before, "/tmp/dugout-") {
		t.Errorf("long home: %s", before)
	}
	if err := os.MkdirAll(long, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(long, link); err != nil {
		t.Fatal(err)
	}
	for name, home := range map[string]string{"once it exists": long, "through a link": link, "untidy": long + "/./"} {
		if got := SocketPath(home); got != before {
			t.Errorf("%s: %s, was %s", name, got, before)
		}
	}
	if other := SocketPath(long + "er"); other == before {
		t.Error("two homes share a socket")
	}
}
