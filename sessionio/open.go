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
	if h.Timestamp.IsZero() {
		h.Timestamp = o.now()
	}
	h.Timestamp = h.Timestamp.UTC().Truncate(time.Millisecond) // as it will be read
	s := &Session{path: path, o: o, held: map[EntryID]Entry{}, header: h}
	if _, err := os.Lstat(path); err == nil {
		return nil, fmt.Errorf("%s exists already", path)
	}
	if err := s.lock(); err != nil {
		return nil, err
	}
	s.fold.header(h)
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

func (o Options) now() time.Time {
	if o.Now != nil {
		return o.Now()
	}
	return time.Now()
}

func (s *Session) now() time.Time { return s.o.now() }

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
	lines, err := eachLine(io.NewSectionReader(s.file, 0, s.size), 0, 0, func(l line) error {
		if headed || l.blank() {
			return s.take(l)
		}
		if _, ok := parseObject(l.content()); !ok {
			s.unreadable()
			first = cmp.Or(first, l.no)
			return nil
		}
		if err := s.readHeader(l); err != nil {
			return noHeader(s.path, cmp.Or(first, l.no))
		}
		headed = true
		return nil
	})
	if err != nil {
		return err
	}
	if !headed {
		return noHeader(s.path, max(first, 1))
	}
	s.lines = lines
	if s.header.Version < CurrentVersion {
		s.migrate()
	}
	s.leaf = s.treeLocked().LastEntry()
	return nil
}

func (s *Session) readHeader(l line) error {
	full, err := s.readLine(l.offset, l.length)
	if err != nil {
		return err
	}
	if err := s.header.UnmarshalJSON(full); err != nil {
		return err
	}
	if !l.whole {
		s.tail = &tail{offset: l.offset}
	}
	s.fold.header(s.header)
	return nil
}

// readLine reads a line's JSON from the file.
func (s *Session) readLine(offset, length int64) ([]byte, error) {
	b := make([]byte, length)
	if _, err := s.file.ReadAt(b, offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return line{offset: offset, text: b}.content(), nil
}

func noHeader(path string, line int) error {
	return fmt.Errorf("%s:%d: %w: no session header here; the file is left as it is", path, line, ErrNotSession)
}

// take indexes one line after the header. One that can't be read is counted, unless it is the torn
// end of the file. A line without an id is folded and kept; nothing can hang under it.
func (s *Session) take(l line) error {
	f, ok := parseObject(l.content())
	if !l.whole {
		s.tail = &tail{offset: l.offset, torn: !ok && !l.blank(), fold: s.fold.clone()}
	}
	switch {
	case !ok && l.whole:
		s.unreadable()
		return nil
	case !ok, f.str("type") == "session": // a torn tail; a second header
		return nil
	}
	s.fold.entryLine(f)
	m := glance(f, l)
	if s.header.Version >= 2 && m.ID == "" {
		return nil
	}
	if s.header.Version < CurrentVersion {
		full, err := s.readLine(l.offset, l.length)
		if err != nil {
			return err
		}
		e, _ := parseLine(full)
		s.migrated = append(s.migrated, e)
	}
	if s.tail != nil {
		s.tail.entry = true
	}
	s.grow(m)
	return nil
}

// migrate reads a version 1 or 2 file as version 3, in memory. Ids are made from the line's place,
// so that every reading gives the same ones.
func (s *Session) migrate() {
	s.old = s.header.Version
	s.migrated = Migrate(s.header.Version, s.migrated)
	for i, e := range s.migrated {
		s.metas[i].ID, s.metas[i].Parent = e.ID, e.ParentID
		if e.Message != nil {
			s.metas[i].Role = e.Message.Role
		}
		s.held[e.ID] = e
	}
	s.tree = nil
}

// catchUp indexes what another program appended since we looked. It may have gone on with a last
// line that had no LF: that one is read again.
func (s *Session) catchUp(size int64) error {
	if s.old != 0 || s.tail != nil && s.tail.offset == 0 { // no place to go on from
		return s.reindex(size)
	}
	from, no := s.size, s.lines
	if t := s.tail; t != nil {
		from, no = t.offset, no-1
		s.fold, s.tail = t.fold, nil
		if t.entry {
			s.metas = s.metas[:len(s.metas)-1]
			s.tree = nil
			s.leaf = s.treeLocked().LastEntry()
		}
	}
	lines, err := eachLine(io.NewSectionReader(s.file, from, size-from), from, no, s.take)
	if err == nil {
		s.size, s.lines = size, lines
	}
	return err
}

// reindex reads the file from its start again.
func (s *Session) reindex(size int64) error {
	n := &Session{path: s.path, file: s.file, size: size, held: map[EntryID]Entry{}}
	if err := n.index(); err != nil {
		return err
	}
	s.adopt(n)
	return nil
}

// adopt takes over what another reading of the file found.
func (s *Session) adopt(n *Session) {
	s.file, s.size, s.lines, s.tail, s.bad, s.old = n.file, n.size, n.lines, n.tail, n.bad, n.old
	s.header, s.metas, s.tree, s.leaf, s.fold = n.header, n.metas, n.tree, n.leaf, n.fold
	s.held, s.migrated = n.held, n.migrated
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
