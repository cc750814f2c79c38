// Package transcript folds entries and live events into the items that every front end shows: what
// the user said, answers, thinking, tool cards, errors, marks of compactions and branches. Pure.
//
// Order of use: Load a snapshot, Apply the events that follow it in order, Prepend older entries
// when somebody scrolls up. While an answer streams its blocks are items of their own; the entry
// that holds the whole answer then takes their place, item by item and under the same ids, so that
// nothing is drawn twice and nothing jumps.
package transcript

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"slices"
)

// Transcript is one session as it is shown. Not safe for concurrent use.
type Transcript struct {
	f    folder
	path []sessionio.EntryID // loaded entries of the path, oldest first
	at   map[sessionio.EntryID]int
	live map[int]*Item // the answer under way, by block
	gen  int           // of live ids

	Summary     protocol.Summary
	Leaf        sessionio.EntryID
	More        bool // older entries exist
	Permissions []protocol.Permission
	Queue       []protocol.Queued
	Retry       *protocol.Retry
	Closed      string // why the session is gone; "" while it lives
}

// New makes an empty transcript.
func New() *Transcript {
	return &Transcript{f: newFolder(), at: map[sessionio.EntryID]int{}, live: map[int]*Item{}}
}

// Load puts a snapshot in place of everything.
func (t *Transcript) Load(s *protocol.Snapshot) {
	t.f, t.path, t.at, t.live = newFolder(), nil, map[sessionio.EntryID]int{}, map[int]*Item{}
	t.Summary, t.Leaf, t.More = s.Summary, s.Leaf, s.More
	t.Permissions, t.Queue, t.Retry = slices.Clone(s.Permissions), slices.Clone(s.Queue), s.Retry
	t.Closed = ""
	for i := range s.Entries {
		t.step(&s.Entries[i])
	}
	t.gen++
	for i := range s.Partial {
		t.delta(&s.Partial[i])
	}
	for i := range s.Tools {
		t.toolStart(&s.Tools[i])
	}
	for i := range t.Permissions {
		t.asking(&t.Permissions[i])
	}
	if !busy(s.Summary.State) {
		t.f.interrupt(t.alive())
	}
}

func busy(s protocol.State) bool {
	switch s {
	case protocol.StateStreaming, protocol.StateTool, protocol.StateWaiting, protocol.StateCompacting, protocol.StateRetrying:
		return true
	}
	return false
}

// Busy says that a turn, or something like it, is under way.
func (t *Transcript) Busy() bool { return busy(t.Summary.State) }

// alive are the calls that run or ask.
func (t *Transcript) alive() map[string]bool {
	ids := map[string]bool{}
	for id, it := range t.f.open {
		if it.Card.State == CardRunning || it.Card.State == CardAsking {
			ids[id] = true
		}
	}
	return ids
}

// Items are the items in order. The slice is the transcript's own.
func (t *Transcript) Items() []*Item { return t.f.items }

// First is the oldest entry that is loaded, "" when there is none.
func (t *Transcript) First() sessionio.EntryID {
	if len(t.path) == 0 {
		return ""
	}
	return t.path[0]
}

// Prepend puts older entries, oldest first, before those at hand.
func (t *Transcript) Prepend(entries []sessionio.Entry, more bool) {
	t.More = more
	older := newFolder()
	path := make([]sessionio.EntryID, 0, len(entries)+len(t.path))
	for i := range entries {
		e := &entries[i]
		if _, known := t.at[e.ID]; known {
			continue
		}
		older.add(e)
		path = append(path, e.ID)
	}
	// a call at the end of the page may have its result at the beginning of what is loaded
	for id, it := range older.open {
		o, ok := t.f.orphans[id]
		if !ok {
			continue
		}
		args, title, name, started := it.Card.Args, it.Card.Title, it.Card.Tool, it.Card.Started
		*it.Card = *o.Card
		it.Card.Args, it.Card.Title, it.Card.Tool, it.Card.Started = args, title, name, started
		it.Finished = true
		delete(older.open, id)
		delete(t.f.orphans, id)
		t.f.items = slices.DeleteFunc(t.f.items, func(x *Item) bool { return x == o })
	}
	older.interrupt(nil)
	for id, o := range older.orphans {
		t.f.orphans[id] = o
	}
	t.f.items = append(older.items, t.f.items...)
	t.path = append(path, t.path...)
	for i, id := range t.path {
		t.at[id] = i
	}
}

// Questions are the texts that the user sent, as far as they are loaded, oldest first.
func (t *Transcript) Questions() []string {
	var out []string
	for _, it := range t.f.items {
		if it.Kind == User && it.Text != "" {
			out = append(out, it.Text)
		}
	}
	return out
}
