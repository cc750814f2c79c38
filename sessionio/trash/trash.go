// Package trash moves a file to the desktop's trash by the programs at hand, tried in turn.
package trash

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// patience is how long one program may take. One that asks a question gets no answer and no longer.
const patience = 10 * time.Second

// programs are tried in this order, each with its arguments before and after the path. The path is
// absolute, so it can't be taken for an option.
var programs = []struct {
	name          string
	before, after []string
}{
	{name: "trash"},
	{name: "gio", before: []string{"trash"}},
	{name: "trash-put"},
	{name: "kioclient", before: []string{"move"}, after: []string{"trash:/"}},
}

// ErrNone is told when no program is at hand.
var ErrNone = errors.New("no trash program is installed")

// Put moves one file, by absolute path, to the trash and says by which program. It believes no exit
// status: only a file that is gone is trashed. An error means that the file is still there, and says
// what each program made of it. path is where programs are looked for, "" the process's own PATH.
func Put(ctx context.Context, file, path string) (program string, err error) {
	var tried []error
	for _, p := range programs {
		exe := find(p.name, path)
		if exe == "" {
			continue
		}
		args := append(append(append([]string{}, p.before...), file), p.after...)
		err := run(ctx, exe, args)
		if _, statErr := os.Lstat(file); errors.Is(statErr, os.ErrNotExist) {
			return p.name, nil
		}
		if err == nil {
			err = errors.New("said that it was done, and the file is still there")
		}
		tried = append(tried, fmt.Errorf("%s: %w", p.name, err))
		if ctx.Err() != nil {
			break
		}
	}
	if len(tried) == 0 {
		return "", ErrNone
	}
	return "", errors.Join(tried...)
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

func run(ctx context.Context, exe string, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.WaitDelay = time.Second // a child of it that keeps the pipe must not keep us
	var said bytes.Buffer
	cmd.Stderr = &limited{b: &said}
	err := cmd.Run()
	if ctx.Err() != nil {
		return fmt.Errorf("no end within %s", patience)
	}
	if err == nil {
		return nil
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n"); line != "" {
		return fmt.Errorf("%w: %s", err, line)
	}
	return err
}

// limited keeps the first 200 bytes of what a program says.
type limited struct{ b *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	if room := 200 - l.b.Len(); room > 0 {
		l.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}
