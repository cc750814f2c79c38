package sessionio

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// Errors that callers branch on.
var (
	ErrNotSession = errors.New("not a session file") // wrapped with path and line
	ErrHeld       = errors.New("held by another writer")
	ErrReadOnly   = errors.New("session is read-only")
	ErrChanged    = errors.New("session file was replaced or truncated behind our back")
	ErrNoEntry    = errors.New("no such entry")
)

// Options of Open and Create. Zero values are the defaults.
type Options struct {
	ReadOnly    bool
	ArtifactDir string           // the session's own artifact folder; the backup of a migrated file goes there
	Now         func() time.Time // time.Now
	Holder      string           // who holds the lock, told to a second opener: "daemon pid 12"
	// Lock takes the writer's lock; nil takes none (tests, read-only). The store supplies one.
	Lock func() (release func() error, err error)
}

// Session is one open session file: an index of its entries, and the one writer of it. Methods may
// be called from several goroutines.
type Session struct {
	mu       sync.Mutex
	path     string
	o        Options
	header   Header
	metas    []Meta
	tree     *Tree // of metas; nil when it must be built again
	fold     Fold  // of all lines
	leaf     EntryID
	held     map[EntryID]Entry // bodies that are not in the file: before it exists, or migrated
	order    []EntryID         // of what is held before the file exists
	bad      int               // malformed lines
	file     *os.File          // nil before the file exists
	size     int64             // of the file as we know it
	lines    int               // in the file
	tail     *tail             // the file's last line where it lacks its LF
	migrated []Entry           // of metas, while the file is older than version 3
	old      int               // version of a file that must be migrated before it is written, else 0
	release  func() error
	closed   bool
}

// Path is the session's file.
func (s *Session) Path() string { return s.path }

// Header is the file's first line.
func (s *Session) Header() Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.header
}

// Leaf is where the next entry hangs; "" before everything.
func (s *Session) Leaf() EntryID {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.leaf
}

// Tree is an immutable snapshot of the session's shape.
func (s *Session) Tree() *Tree {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.treeLocked()
}

func (s *Session) treeLocked() *Tree {
	if s.tree == nil {
		s.tree = NewTree(s.metas)
	}
	return s.tree
}

// tail is a last line without LF, and what was known before it: another program may go on with it.
type tail struct {
	offset int64
	torn   bool // no JSON
	entry  bool // it is the last of the metas
	fold   Fold
}

// grow takes one more entry into the index.
func (s *Session) grow(m Meta) {
	s.metas = append(s.metas, m)
	if s.tree != nil {
		s.tree = s.tree.with(m)
	}
	s.leaf = m.ID
}

// OnDisk says that the file exists.
func (s *Session) OnDisk() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.file != nil
}

// Unreadable counts malformed lines.
func (s *Session) Unreadable() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bad
}

// Entry reads one entry's body from the file (or memory, before the file exists).
func (s *Session) Entry(id EntryID) (Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entryLocked(id)
}

func (s *Session) entryLocked(id EntryID) (Entry, error) {
	m, ok := s.treeLocked().Get(id)
	if !ok {
		return Entry{}, fmt.Errorf("%w: %s in %s", ErrNoEntry, id, s.path)
	}
	e, ok := s.held[id]
	if !ok {
		b, err := s.readLine(m.Offset, m.Length)
		if err != nil {
			return Entry{}, err
		}
		if e, ok = parseLine(b); !ok || e.ID != id {
			return Entry{}, ErrChanged
		}
	}
	e.ParentID = m.Parent // repaired, where the file's own would close a ring or point nowhere
	return e, nil
}

// Entries reads the bodies of several, in the order asked for.
func (s *Session) Entries(ids []EntryID) ([]Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Entry, 0, len(ids))
	for _, id := range ids {
		e, err := s.entryLocked(id)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}
