package trash

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// desk is a folder with a file to delete and a PATH of its own.
type desk struct{ dir, bin, file string }

func newDesk(t *testing.T, programs map[string]string) desk {
	t.Helper()
	d := desk{dir: t.TempDir(), bin: t.TempDir()}
	d.file = filepath.Join(d.dir, "-rf it's a \"file\".jsonl")
	for name, text := range programs {
		script := fmt.Sprintf("#!/bin/sh\nPATH=/usr/bin:/bin; HERE=%q\n%s\n", d.dir, text)
		if err := os.WriteFile(filepath.Join(d.bin, name), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(d.file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPut(t *testing.T) {
	t.Parallel()
	const lies, fails = "exit 0", `echo "no trash on this disk" >&2; exit 2`
	for name, c := range map[string]struct {
		programs map[string]string
		by       string
		says     []string
	}{
		"trash":                    {map[string]string{"trash": `mv -- "$1" "$HERE/t"`, "gio": "exit 1"}, "trash", nil},
		"gio":                      {map[string]string{"gio": `[ "$1" = trash ] && mv -- "$2" "$HERE/t"`}, "gio", nil},
		"trash-put after a fail":   {map[string]string{"trash": fails, "gio": fails, "trash-put": `mv -- "$1" "$HERE/t"`}, "trash-put", nil},
		"kioclient after a lie":    {map[string]string{"trash": lies, "kioclient": `[ "$1$3" = movetrash:/ ] && mv -- "$2" "$HERE/t"`}, "kioclient", nil},
		"fails, and it is gone":    {map[string]string{"trash": `mv -- "$1" "$HERE/t"; exit 9`}, "trash", nil},
		"none":                     {nil, "", []string{ErrNone.Error()}},
		"all fail":                 {map[string]string{"trash": fails, "gio": lies}, "", []string{"trash: exit status 2: no trash on this disk", "gio: said that it was done"}},
		"much to say":              {map[string]string{"trash": `yes | head -c 1000000 >&2; exit 1`}, "", []string{"exit status 1: y"}},
		"asks, and gets no answer": {map[string]string{"trash": `read answer || exit 7`}, "", []string{"exit status 7"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, c.programs)
			by, err := Put(t.Context(), d.file, d.bin)
			_, statErr := os.Lstat(d.file)
			gone := errors.Is(statErr, os.ErrNotExist)
			if by != c.by || (err == nil) != gone || gone != (c.by != "") {
				t.Errorf("by %q, gone %v, %v", by, gone, err)
			}
			for _, part := range c.says {
				if err == nil || !strings.Contains(err.Error(), part) || len(err.Error()) > 600 {
					t.Errorf("%v does not say %q", err, part)
				}
			}
		})
	}
}

// One that hangs is ended with everything that it started, and the next one has its turn.
func TestPutBoundsTime(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]string{"trash": `sleep 1000 & echo $! >"$HERE/pid"; wait`, "gio": `mv -- "$2" "$HERE/t"`})
	by, err := put(t.Context(), d.file, d.bin, 500*time.Millisecond)
	if by != "gio" || err != nil {
		t.Errorf("by %q, %v", by, err)
	}
	if b, err := os.ReadFile(filepath.Join(d.dir, "pid")); err == nil {
		waitGone(t, strings.TrimSpace(string(b)))
	}
}

func TestPutIsGivenUp(t *testing.T) {
	t.Parallel()
	d := newDesk(t, map[string]string{"trash": `mkfifo "$HERE/p"; read x <"$HERE/p"`, "gio": `mv -- "$2" "$HERE/t"`})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := put(ctx, d.file, d.bin, time.Minute)
		done <- err
	}()
	within(t, "the program runs", func() bool { _, err := os.Stat(filepath.Join(d.dir, "p")); return err == nil })
	cancel()
	if err := <-done; err == nil {
		t.Error("no error")
	}
	if _, err := os.Lstat(d.file); err != nil {
		t.Errorf("the next program ran all the same: %v", err)
	}
}

func TestPutRefuses(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"relative.jsonl", "-rf", "", filepath.Join(t.TempDir(), "missing")} {
		if by, err := Put(t.Context(), file, t.TempDir()); err == nil || errors.Is(err, ErrNone) {
			t.Errorf("%q: by %q, %v", file, by, err)
		}
	}
}

func waitGone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "its child ends", func() bool {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", n))
		zombie := err == nil && strings.Contains(string(b), ") Z")
		return zombie || errors.Is(syscall.Kill(n, 0), syscall.ESRCH)
	})
}

func within(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within 10 s", what)
		}
	}
}
