package tool

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// sniffed is how much of a file is looked at to tell text from binary.
const sniffed = 8000

// openRegular opens a file for reading and nothing else: a pipe or device would block, or worse.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, nil, fileError(path, err)
	}
	if err := notAFile(path, fi); err != nil {
		return nil, nil, err
	}
	// Were it replaced by a pipe just now, opening it would not block either.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, fileError(path, err)
	}
	fi, err = f.Stat()
	if err == nil {
		err = notAFile(path, fi)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

func notAFile(path string, fi fs.FileInfo) error {
	switch {
	case fi.Mode().IsRegular():
		return nil
	case fi.IsDir():
		return fmt.Errorf("%s is a folder: list it with ls", path)
	}
	return fmt.Errorf("%s is not a regular file but a pipe, socket or device: it cannot be read or written here", path)
}

// fileError says what is wrong with a path and what to try.
func fileError(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		msg := fmt.Sprintf("%s does not exist", path)
		if near := nearName(path); near != "" {
			return fmt.Errorf("%s; there is %s", msg, near)
		}
		return fmt.Errorf("%s: look for it with ls or find", msg)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: permission denied for this user", path)
	}
	return err
}

// nearName looks beside a missing file for one whose name differs in letter case or ending only.
func nearName(path string) string {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return ""
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(1000)
	want := strings.ToLower(filepath.Base(path))
	stem := strings.TrimSuffix(want, filepath.Ext(want))
	for _, n := range names {
		if strings.ToLower(n) == want {
			return filepath.Join(filepath.Dir(path), n)
		}
	}
	for _, n := range names {
		low := strings.ToLower(n)
		if stem != "" && strings.TrimSuffix(low, filepath.Ext(low)) == stem {
			return filepath.Join(filepath.Dir(path), n)
		}
	}
	return ""
}

// binary says that the beginning of a file is not text.
func binary(start []byte) bool {
	return bytes.IndexByte(start[:min(len(start), sniffed)], 0) >= 0
}

// imageType tells an image that a model can see by its first bytes, "" for anything else.
func imageType(start []byte) string {
	switch {
	case bytes.HasPrefix(start, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(start, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(start, []byte("GIF87a")), bytes.HasPrefix(start, []byte("GIF89a")):
		return "image/gif"
	case len(start) >= 12 && string(start[:4]) == "RIFF" && string(start[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}
