package sessionio

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// Append adds an entry as a child of the leaf, which moves to it; id, parent and time are filled
// in. When it returns nil the line is written, whole. On an error nothing is taken to be saved, and
// the leaf stays. The entry as written comes back.
func (s *Session) Append(e Entry) (Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return Entry{}, err
	}
	return s.append(s.leaf, e)
}

// AppendUnder is Append below another entry than the leaf ("" makes a root); the leaf moves.
func (s *Session) AppendUnder(parent EntryID, e Entry) (Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ready(); err != nil {
		return Entry{}, err
	}
	if parent != "" {
		if _, ok := s.treeLocked().Get(parent); !ok {
			return Entry{}, fmt.Errorf("%w: %s in %s", ErrNoEntry, parent, s.path)
		}
	}
	return s.append(parent, e)
}

// ready says whether the session can be written now, and learns what others wrote.
func (s *Session) ready() error {
	switch {
	case s.closed:
		return fmt.Errorf("%s: %w", s.path, os.ErrClosed)
	case s.o.ReadOnly:
		return fmt.Errorf("%s: %w", s.path, ErrReadOnly)
	case s.file == nil:
		return nil
	}
	return s.check()
}

func (s *Session) append(parent EntryID, e Entry) (Entry, error) {
	if s.old != 0 {
		if err := s.writeMigrated(); err != nil {
			return Entry{}, err
		}
	}
	e.Raw = nil
	e.ID, e.ParentID = s.newID(), parent
	if e.Timestamp.IsZero() {
		e.Timestamp = s.now()
	}
	e.Timestamp = e.Timestamp.UTC().Truncate(time.Millisecond) // as it will be read
	b, err := encode(e)
	if err != nil {
		return Entry{}, err
	}
	e.Raw = b
	m := metaOf(&e, line{length: int64(len(b))})
	if s.file == nil {
		s.hold(m, e)
		if e.Message == nil || e.Message.Role != RoleUser {
			return e, nil
		}
		if err := s.create(); err != nil {
			s.unhold(m.ID)
			return Entry{}, err
		}
		return e, nil
	}
	if m.Offset, err = s.writeLine(b); err != nil {
		return Entry{}, err
	}
	m.Line = s.lines
	s.grow(m)
	s.fold.entry(&e)
	return e, nil
}

func (s *Session) hold(m Meta, e Entry) {
	s.held[m.ID] = e
	s.order = append(s.order, m.ID)
	s.grow(m)
	s.fold.entry(&e)
}

// unhold takes back the last entry of those that are held.
func (s *Session) unhold(id EntryID) {
	delete(s.held, id)
	s.order = s.order[:len(s.order)-1]
	s.metas = s.metas[:len(s.metas)-1]
	s.tree, s.leaf = nil, ""
	s.fold = Fold{}
	s.fold.header(s.header)
	for _, id := range s.order {
		e := s.held[id]
		s.fold.entry(&e)
		s.leaf = id
	}
}

// newID makes an entry id that the file does not hold.
func (s *Session) newID() EntryID {
	t := s.treeLocked()
	for {
		var b [4]byte
		n := rand.Uint32()
		b[0], b[1], b[2], b[3] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
		id := EntryID(hex.EncodeToString(b[:]))
		if _, taken := t.Get(id); !taken {
			return id
		}
	}
}

// writeLine appends one line by one write, on a line of its own whatever stands before it.
func (s *Session) writeLine(b []byte) (offset int64, err error) {
	out := make([]byte, 0, len(b)+2)
	if s.tail != nil {
		out = append(out, '\n')
	}
	lead := len(out)
	out = append(append(out, b...), '\n')
	n, err := s.file.Write(out)
	at := s.size
	s.size += int64(n)
	if n > 0 && s.tail != nil { // its LF is there now
		if s.tail.torn {
			s.unreadable()
		}
		s.tail = nil
	}
	switch {
	case n == len(out):
		s.lines++
	case n == len(out)-1: // all but the LF, which the next append brings
		s.lines++
		s.tail = &tail{offset: at + int64(lead), entry: true, fold: s.fold.clone()}
	default:
		if n > lead { // a piece stands there now; what comes next begins a fresh line
			s.lines++
			s.tail = &tail{offset: at + int64(lead), torn: true, fold: s.fold.clone()}
		}
		return 0, fmt.Errorf("%s: not saved: %w", s.path, err)
	}
	return at + int64(lead), nil
}

func (s *Session) unreadable() {
	s.bad++
	s.fold.Unreadable++
}

// create writes the file with everything that was held until now. It appears whole, or not at all.
func (s *Session) create() error {
	head, err := encode(s.header)
	if err != nil {
		return err
	}
	buf := append(bytes.Clone(head), '\n')
	places := make([]int64, len(s.order))
	for i, id := range s.order {
		places[i] = int64(len(buf))
		buf = append(append(buf, s.held[id].Raw...), '\n')
	}
	f, err := createWhole(s.path, buf)
	if err != nil {
		return fmt.Errorf("%s: not saved: %w", s.path, err)
	}
	for i := range s.metas {
		s.metas[i].Offset = places[i]
		s.metas[i].Line = i + 2
	}
	s.file, s.size, s.lines, s.tree = f, int64(len(buf)), len(s.metas)+1, nil
	s.held, s.order = map[EntryID]Entry{}, nil
	return nil
}

// Sync makes everything appended so far durable (fsync). Called at a user's message and a turn's end.
func (s *Session) Sync() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil || s.o.ReadOnly || s.closed {
		return nil
	}
	if err := s.file.Sync(); err != nil {
		return fmt.Errorf("%s: not surely saved: %w", s.path, err)
	}
	return nil
}

// Flush creates the file now, for what must be kept before a first question (a name, a state).
func (s *Session) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != nil || s.o.ReadOnly || s.closed {
		return nil
	}
	return s.create()
}

// MoveLeaf makes target the leaf, lastingly: a custom dugout.leaf entry is appended below it. ""
// moves before everything (the entry is a root then).
func (s *Session) MoveLeaf(target EntryID) error {
	_, err := s.AppendUnder(target, Entry{Type: TypeCustom, CustomType: CustomLeaf})
	return err
}
