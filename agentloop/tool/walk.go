package tool

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// errEnough ends a walk early.
var errEnough = errors.New("enough")

// walk visits all below root in the order of names, but what git ignores, .git itself, and the
// kernel's file systems. Links are visited, not followed. Folders that can't be read are passed over.
func walk(ctx context.Context, root string, visit func(path string, e fs.DirEntry) error) error {
	err := walkFolder(ctx, root, ignoresAbove(root), visit)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func walkFolder(ctx context.Context, dir string, ig *ignores, visit func(string, fs.DirEntry) error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	entries := readFolder(ctx, dir)
	ig = ig.with(dir, filepath.Join(dir, ".gitignore"))
	for _, e := range entries {
		p := filepath.Join(dir, e.Name())
		if e.Name() == ".git" || ig.ignored(p, e.IsDir()) || kernels(p) {
			continue
		}
		if err := visit(p, e); err != nil {
			return err
		}
		if e.IsDir() {
			if err := walkFolder(ctx, p, ig, visit); err != nil {
				return err
			}
		}
	}
	return nil
}

// readFolder reads the entries, and what it can of those when ctx ends or an error comes.
func readFolder(ctx context.Context, dir string) []fs.DirEntry {
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	var all []fs.DirEntry
	for ctx.Err() == nil {
		entries, err := f.ReadDir(4096)
		all = append(all, entries...)
		if err != nil || errors.Is(err, io.EOF) || len(entries) == 0 {
			break
		}
	}
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return all
}

// kernels says that a folder holds no files but views of the machine, some of which never end.
func kernels(p string) bool { return p == "/proc" || p == "/sys" || p == "/dev" }

// glob is a pattern for the paths below a folder: without a slash it is for names at any depth.
// A leading ! turns it round.
type glob struct {
	pattern string
	negate  bool
}

func newGlob(pattern string) (glob, error) {
	var g glob
	pattern, g.negate = strings.CutPrefix(pattern, "!")
	g.pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
	if !strings.Contains(pattern, "/") {
		g.pattern = "**/" + pattern
	}
	if !doublestar.ValidatePattern(g.pattern) {
		return g, errors.New("the glob " + pattern + " is not valid: close its brackets, or escape them with \\")
	}
	return g, nil
}

func (g glob) matches(rel string) bool {
	ok, _ := doublestar.Match(g.pattern, rel)
	return ok != g.negate
}
