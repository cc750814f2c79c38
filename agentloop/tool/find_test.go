package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{
		"a.go": "", "cmd/b.go": "", "cmd/x/c_test.go": "", ".hid/d.go": "", ".git/e.go": "", "README.md": "", "n\nl.go": "",
	})
	for _, err := range []error{
		os.Symlink(".", filepath.Join(b.dir, "loop")), os.Symlink("nowhere", filepath.Join(b.dir, "z.go")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"*.go":          ".hid/d.go\na.go\ncmd/b.go\ncmd/x/c_test.go\n\"n\\nl.go\"\nz.go",
		"cmd/**/*.go":   "cmd/b.go\ncmd/x/c_test.go",
		"./cmd/*.go":    "cmd/b.go",
		"x":             "cmd/x/",
		"loop":          "loop",
		"*.{md,txt}":    "README.md",
		"[a-b].go":      "a.go\ncmd/b.go",
		"nothing":       "[nothing found]",
		"**/x/*_test.*": "cmd/x/c_test.go",
	} {
		if got := b.text("find", args{"pattern": pattern}); got != want {
			t.Errorf("%s: %q, want %q", pattern, got, want)
		}
	}
	if got := b.text("find", args{"pattern": "*.go", "path": "cmd", "limit": 1}); !strings.HasPrefix(got, "cmd/b.go\n[only the first 1") {
		t.Errorf("limit: %q", got)
	}
	b.fails("find", args{"pattern": "["}, "not valid")
	b.fails("find", args{"pattern": ""}, "missing")
	b.fails("find", args{"pattern": "*", "path": "a.go"}, "not a folder")
	b.fails("find", args{"pattern": "*", "path": "gone"}, "does not exist")
}

func TestFindOutsideTheProject(t *testing.T) {
	t.Parallel()
	b, other := newBench(t, nil), newBench(t, map[string]string{"q": ""})
	if got := b.text("find", args{"pattern": "q", "path": other.dir}); got != other.dir+"/q" {
		t.Errorf("%q", got)
	}
}

func TestWalkEndsWithItsContext(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a/b/c": ""})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, name := range []string{"find", "grep"} {
		if _, err := b.tool(name).Run(ctx, b.call(args{"pattern": "c"})); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkFind(b *testing.B) {
	dir := b.TempDir()
	for i := range 50 {
		for j := range 20 {
			p := filepath.Join(dir, fmt.Sprint("d", i), fmt.Sprint("f", j, ".go"))
			_ = os.MkdirAll(filepath.Dir(p), 0o755)
			_ = os.WriteFile(p, nil, 0o600)
		}
	}
	call := Call{CWD: dir, Args: []byte(`{"pattern":"f1*.go"}`)}
	for b.Loop() {
		if _, err := (findTool{}).Run(context.Background(), call); err != nil {
			b.Fatal(err)
		}
	}
}
