package store

import (
	"bytes"
	"dugout/sessionio"
	"errors"
	"maps"
	"os"
	"syscall"
	"time"
)

// known is what the index keeps of one file: how it looked, and what its lines folded to.
type known struct {
	Folder  string // the store that lists it
	Size    int64
	MTime   int64 // Unix nanoseconds
	Inode   uint64
	Fold    sessionio.Fold
	Before  []byte // the last bytes that were folded: they stand there still in a file that only grew
	Info    sessionio.Info
	Problem string // why it is no session, "" when it is one
	Line    int    // of the problem
}

// same says whether a file still looks as it did.
func (k *known) same(st os.FileInfo) bool {
	return k.Size == st.Size() && k.MTime == st.ModTime().UnixNano() && k.Inode == inodeOf(st)
}

// info is the saved info as a folder shows it: where a file lies is not kept, so that a store that
// is set up otherwise tomorrow is shown so.
func (k *known) info(path string, f Folder) sessionio.Info {
	i := k.Info
	i.Path, i.Store, i.Source, i.ReadOnly = path, f.Dir, f.Source, f.ReadOnly
	if i.Modified.IsZero() {
		i.Modified = time.Unix(0, k.MTime).UTC()
	}
	return i
}

// look gives a file's info: from the index when nothing changed, else by folding what is new. What
// no folder lists is not kept.
func (s *Store) look(path string, folder Folder, keep bool) (sessionio.Info, *Problem) {
	st, err := os.Stat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		s.drop(path)
		return sessionio.Info{}, &Problem{Path: path, Err: errors.New(bareError(err))}
	}
	k, seen := s.known(path)
	if !seen || !k.same(st) || k.Folder != folder.Dir {
		var old known
		if seen {
			old = *k
		}
		k, err = fold(path, old, st)
		if err != nil { // it may be readable the next time, and look the same
			s.drop(path)
			return sessionio.Info{}, &Problem{Path: path, Err: errors.New(bareError(err))}
		}
		k.Folder = folder.Dir
		if keep {
			s.put(path, k, seen, max(0, k.Fold.Scanned-old.Fold.Scanned))
		}
	}
	if k.Problem != "" {
		return sessionio.Info{}, &Problem{Path: path, Line: k.Line, Err: errors.New(k.Problem)}
	}
	return k.info(path, folder), nil
}

var errNotRegular = errors.New("it is no regular file")

// fold reads what a file holds beyond what is known of it; one that was replaced or cut is read
// from its start. That it is no session is known of it like anything else.
func fold(path string, k known, st os.FileInfo) (*known, error) {
	f, err := sessionio.OpenRegular(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, inode := st.Size(), inodeOf(st)
	if k.Inode != inode || size < k.Fold.Scanned || k.Problem != "" || !bytes.Equal(k.Before, lastBefore(f, k.Fold.Scanned)) {
		k = known{}
	}
	k.Fold.Calls = maps.Clone(k.Fold.Calls) // the index and other readers hold the one it came with
	k.Size, k.MTime, k.Inode = size, st.ModTime().UnixNano(), inode
	k.Info, err = k.Fold.ScanFile(f, size)
	var at *sessionio.LineError
	switch {
	case errors.As(err, &at):
		return &known{Size: size, MTime: k.MTime, Inode: inode, Problem: at.Err.Error(), Line: at.Line}, nil
	case err != nil:
		return nil, err
	}
	k.Before = lastBefore(f, k.Fold.Scanned)
	return &k, nil
}

// lastBefore reads the bytes before a place in a file; nil before the first.
func lastBefore(f *os.File, at int64) []byte {
	b := make([]byte, min(at, 64))
	if _, err := f.ReadAt(b, at-int64(len(b))); err != nil || len(b) == 0 {
		return nil
	}
	return b
}

func inodeOf(st os.FileInfo) uint64 {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return sys.Ino
	}
	return 0
}
