// Package trash moves a file to the desktop's trash by the programs at hand, tried in turn.
package trash

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrNone is told when no program is at hand.
var ErrNone = errors.New("no trash program is installed")

// patience is how long one program may take. One that asks a question gets no answer and no longer.
const patience = 10 * time.Second

// program is a way to the trash, with its arguments before and after the path. The path is
// absolute, so it can't be taken for an option.
type program struct {
	name          string
	before, after []string
}

// programs are tried in this order.
func programs() []program {
	return []program{
		{name: "trash"},
		{name: "gio", before: []string{"trash"}},
		{name: "trash-put"},
		{name: "kioclient", before: []string{"move"}, after: []string{"trash:/"}},
		{name: "kioclient5", before: []string{"move"}, after: []string{"trash:/"}},
	}
}

// Put moves one file, by absolute path, to the trash and says by which program. It believes no exit
// status: only a file that is gone is trashed. An error means that the file is still there, and says
// what each program made of it. path is where programs are looked for, "" the process's own PATH.
func Put(ctx context.Context, file, path string) (program string, err error) {
	return put(ctx, file, path, patience)
}

func put(ctx context.Context, file, path string, each time.Duration) (string, error) {
	if !filepath.IsAbs(file) {
		return "", fmt.Errorf("trash: %s is no absolute path", file)
	}
	if _, err := os.Lstat(file); err != nil {
		return "", fmt.Errorf("trash: %w", err)
	}
	var tried []string
	for _, p := range programs() {
		exe := find(p.name, path)
		if exe == "" {
			continue
		}
		args := append(append(append([]string{}, p.before...), file), p.after...)
		err := run(ctx, exe, args, each)
		if _, statErr := os.Lstat(file); errors.Is(statErr, fs.ErrNotExist) {
			return p.name, nil
		}
		if err == nil {
			err = errors.New("said that it was done, and the file is still there")
		}
		tried = append(tried, fmt.Sprintf("%s: %s", p.name, err))
		if ctx.Err() != nil {
			break
		}
	}
	if len(tried) == 0 {
		return "", ErrNone
	}
	return "", errors.New(strings.Join(tried, "; "))
}

func find(name, path string) string {
	if path == "" {
		exe, err := exec.LookPath(name)
		if err != nil {
			return ""
		}
		return exe
	}
	for _, dir := range filepath.SplitList(path) {
		exe := filepath.Join(dir, name)
		if st, err := os.Stat(exe); err == nil && st.Mode().IsRegular() && st.Mode().Perm()&0o111 != 0 {
			return exe
		}
	}
	return ""
}
