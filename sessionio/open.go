package sessionio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Open indexes a file. Not a session (no header, a folder, a FIFO, not text): ErrNotSession, naming
// file and line, and the file is left as it is. With a Lock it may fail with ErrHeld.
func Open(path string, o Options) (*Session, error) {
	s := &Session{path: path, o: o, held: map[EntryID]Entry{}}
	if err := s.lock(); err != nil {
		return nil, err
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(err, s.unlock())
	}
	return s, nil
}

// Create makes a session whose file appears with the first user message (or with Flush): until then
// appends are kept in memory and leave no trace.
func Create(path string, h Header, o Options) (*Session, error) {
	s := &Session{path: path, o: o, held: map[EntryID]Entry{}, header: h}
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%s exists already", path)
	}
	if err := s.lock(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Session) lock() error {
	if s.o.ReadOnly || s.o.Lock == nil {
		return nil
	}
	release, err := s.o.Lock()
	if err != nil {
		return err
	}
	s.release = release
	return nil
}

func (s *Session) unlock() error {
	if s.release == nil {
		return nil
	}
	release := s.release
	s.release = nil
	return release()
}

func (s *Session) now() time.Time {
	if s.o.Now != nil {
		return s.o.Now()
	}
	return time.Now()
}

// OpenRegular opens a file for reading if it is a regular one, links followed. It never waits: a
// FIFO, a device or a folder is ErrNotSession.
func OpenRegular(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		if st, serr := os.Stat(path); serr == nil && !st.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: %w: it is no regular file", path, ErrNotSession)
		}
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%s: %w: it is no regular file", path, ErrNotSession)
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// load opens the file and indexes all of it.
func (s *Session) load() error {
	if st, err := os.Stat(s.path); err == nil && !st.Mode().IsRegular() {
		return fmt.Errorf("%s: %w: it is no regular file", s.path, ErrNotSession)
	}
	flags := os.O_RDWR | os.O_APPEND
	if s.o.ReadOnly {
		flags = os.O_RDONLY
	}
	f, err := OpenRegular(s.path, flags)
	if err != nil {
		return err
	}
	st, err := f.Stat()
	if err == nil {
		s.file, s.size = f, st.Size()
		err = s.index()
	}
	if err != nil {
		_ = f.Close()
		s.file = nil
		return err
	}
	return nil
}

// index reads the file's lines from its start.
func (s *Session) index() error {
	headed, first := false, 0 // first: the first unreadable line before the header
	var old []Entry
	err := eachLine(io.NewSectionReader(s.file, 0, s.size), 0, 0, func(l line) error {
		s.newline = l.whole
		if !headed {
			if _, ok := parseObject(l.content()); !ok {
				s.bad++
				first = cmp.Or(first, l.no)
				return nil
			}
			if err := s.header.UnmarshalJSON(l.content()); err != nil {
				return noHeader(s.path, cmp.Or(first, l.no))
			}
			headed = true
			return nil
		}
		n := len(s.metas)
		s.take(l)
		if len(s.metas) > n && s.header.Version < CurrentVersion {
			e, _ := parseLine(l.content())
			old = append(old, e)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !headed {
		return noHeader(s.path, max(first, 1))
	}
	if s.header.Version < CurrentVersion {
		s.migrate(old)
	}
	s.leaf = s.treeLocked().LastEntry()
	return nil
}

func noHeader(path string, line int) error {
	return fmt.Errorf("%s:%d: %w: no session header here; the file is left as it is", path, line, ErrNotSession)
}

// take indexes one line after the header. A line that can't be read is counted, unless it is the
// torn end of the file.
func (s *Session) take(l line) {
	f, ok := parseObject(l.content())
	switch {
	case !ok && l.whole:
		s.bad++
		return
	case !ok, f.str("type") == "session": // a torn tail; a second header
		return
	}
	m := glance(f, l)
	if s.header.Version >= 2 && m.ID == "" {
		return // kept in the file; nothing can hang under it
	}
	s.grow(m)
}

// migrate reads a version 1 or 2 file as version 3, in memory. Ids are made from the line's place,
// so that every reading gives the same ones.
func (s *Session) migrate(entries []Entry) {
	s.old = s.header.Version
	migrated := Migrate(s.header.Version, entries)
	for i := range s.metas {
		e := migrated[i]
		s.metas[i].ID, s.metas[i].Parent = e.ID, e.ParentID
		if e.Message != nil {
			s.metas[i].Role = e.Message.Role
		}
		s.held[e.ID] = e
	}
	s.tree = nil
}

// catchUp indexes what another program appended since we looked.
func (s *Session) catchUp(size int64) error {
	from, no := s.size, 0
	if n := len(s.metas); n > 0 {
		no = s.metas[n-1].Line
	}
	err := eachLine(io.NewSectionReader(s.file, from, size-from), from, no, func(l line) error {
		s.newline = l.whole
		s.take(l)
		return nil
	})
	if err == nil {
		s.size = size
	}
	return err
}

// check makes sure that the file is still the one that was opened, and knows its end.
func (s *Session) check() error {
	there, err := os.Stat(s.path)
	if err != nil {
		return fmt.Errorf("%s: %w: %w", s.path, ErrChanged, err)
	}
	ours, err := s.file.Stat()
	if err != nil {
		return err
	}
	switch {
	case !os.SameFile(there, ours):
		return fmt.Errorf("%s: %w: another file stands in its place", s.path, ErrChanged)
	case ours.Size() < s.size:
		return fmt.Errorf("%s: %w: it has %d bytes and had %d", s.path, ErrChanged, ours.Size(), s.size)
	case ours.Size() > s.size:
		return s.catchUp(ours.Size())
	}
	return nil
}

// Close syncs, and releases the lock.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	var errs []error
	if s.file != nil {
		if !s.o.ReadOnly {
			errs = append(errs, s.file.Sync())
		}
		errs = append(errs, s.file.Close())
	}
	errs = append(errs, s.unlock())
	return errors.Join(errs...)
}

// syncDir makes a folder's entries durable.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
