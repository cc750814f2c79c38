package sessionio

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// createWhole makes a file that was not there, with its content durably in it, and leaves it open for
// appends. It is written beside under a hidden name (see IsUnfinished) and gets its own name when it
// is whole, so that a process that dies meanwhile leaves no half session.
func createWhole(path string, content []byte) (f *os.File, err error) {
	dir, base := filepath.Split(path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	temp := filepath.Join(dir, fmt.Sprintf(".%s.%08x%s", base, rand.Uint32(), unfinished))
	f, err = os.OpenFile(temp, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = rename(temp, path)
	}
	if err != nil {
		_ = os.Remove(temp) // ours a moment ago, and not whole
		_ = f.Close()
		return nil, err
	}
	if err := syncDir(path); err != nil {
		_ = os.Remove(path)
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

const unfinished = ".tmp"

// IsUnfinished says whether a file's name is that of a session on the way into its file. One that is
// old was left by a process that died.
func IsUnfinished(name string) bool {
	ok, _ := filepath.Match(".*.jsonl.????????"+unfinished, name)
	return ok
}

// rename gives a file another name that nothing has yet. A file system without hard links can't do
// that in one step; there it is looked at first.
func rename(from, to string) error {
	err := os.Link(from, to)
	if err == nil {
		_ = os.Remove(from) // a hidden second name of a whole file harms nobody
		return nil
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return &os.PathError{Op: "create", Path: to, Err: fs.ErrExist}
	}
	return os.Rename(from, to)
}
