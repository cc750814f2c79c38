package sessionio

import (
	"errors"
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
type Session struct{ _ struct{} }

// Open indexes a file. Not a session (no header, a folder, a FIFO, not text): ErrNotSession, naming
// file and line, and the file is left as it is. With a Lock it may fail with ErrHeld.
func Open(path string, o Options) (*Session, error) { panic("contract") }

// Create makes a session whose file appears with the first user message (or with Flush): until then
// appends are kept in memory and leave no trace.
func Create(path string, h Header, o Options) (*Session, error) { panic("contract") }

func (s *Session) Path() string    { panic("contract") }
func (s *Session) Header() Header  { panic("contract") }
func (s *Session) Leaf() EntryID   { panic("contract") } // "" before everything
func (s *Session) Tree() *Tree     { panic("contract") } // immutable snapshot
func (s *Session) OnDisk() bool    { panic("contract") } // the file exists
func (s *Session) Unreadable() int { panic("contract") } // malformed lines

// Entry reads one entry's body from the file (or memory, before the file exists).
func (s *Session) Entry(id EntryID) (Entry, error) { panic("contract") }

// Entries reads the bodies of several, in the order asked for.
func (s *Session) Entries(ids []EntryID) ([]Entry, error) { panic("contract") }

// Context is BuildContext at the leaf.
func (s *Session) Context() (Context, error) { panic("contract") }

// Append adds an entry as a child of the leaf, which moves to it; id, parent and time are filled
// in. When it returns nil the line is written, whole. On an error nothing is taken to be saved, and
// the leaf stays. The entry as written comes back.
func (s *Session) Append(e Entry) (Entry, error) { panic("contract") }

// AppendUnder is Append below another entry than the leaf ("" makes a root); the leaf moves.
func (s *Session) AppendUnder(parent EntryID, e Entry) (Entry, error) { panic("contract") }

// Sync makes everything appended so far durable (fsync). Called at a user's message and a turn's end.
func (s *Session) Sync() error { panic("contract") }

// Flush creates the file now, for what must be kept before a first question (a name, a state).
func (s *Session) Flush() error { panic("contract") }

// MoveLeaf makes target the leaf, lastingly: a custom dugout.leaf entry is appended below it. ""
// moves before everything (the entry is a root then).
func (s *Session) MoveLeaf(target EntryID) error { panic("contract") }

// Info folds the whole session to its saved info.
func (s *Session) Info() Info { panic("contract") }

// Labels maps entries to their labels.
func (s *Session) Labels() map[EntryID]string { panic("contract") }

// Errors lists the errors trail, oldest first, the newest 200.
func (s *Session) Errors() ([]ErrorRecord, error) { panic("contract") }

// Fork writes a new file holding the path to at ("" for none of it): ids and times kept, parents
// re-linked around dropped labels, labels of the path set again at the end, unknown fields byte for
// byte, header parentSession set to this file. The new session is open for writing.
func (s *Session) Fork(at EntryID, path string, id ID, o Options) (*Session, error) {
	panic("contract")
}

// Close syncs, and releases the lock.
func (s *Session) Close() error { panic("contract") }
