package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"slices"
	"strings"
	"sync"
	"time"
)

// hub holds the summaries of the live sessions and tells subscribers which changed. For each of them
// it keeps only the set of what is new to it: however slow one is, that is bounded by the number of
// sessions, and it gets each one's latest state.
type hub struct {
	generation string

	mu   sync.Mutex
	all  map[sessionio.ID]protocol.Summary
	subs map[*rosterSub]bool
	due  bool
}

// rosterSub is one connection's subscription. Its fields are the hub's, under its mu.
type rosterSub struct {
	nudge   func() // never blocks
	seq     uint64
	ready   bool // something is to be sent now
	changed map[sessionio.ID]bool
	gone    map[sessionio.ID]protocol.Gone
}

func newHub(generation string) *hub {
	return &hub{generation: generation, all: map[sessionio.ID]protocol.Summary{}, subs: map[*rosterSub]bool{}}
}

// change tells of a summary, at once or within summaryEvery together with others.
func (h *hub) change(s protocol.Summary, now bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all[s.ID] = s
	for sub := range h.subs {
		sub.changed[s.ID] = true
		delete(sub.gone, s.ID)
		if now {
			sub.wake()
		}
	}
	if !now && !h.due {
		h.due = true
		time.AfterFunc(summaryEvery, h.overdue)
	}
}

func (s *rosterSub) wake() {
	s.ready = true
	s.nudge()
}

func (h *hub) overdue() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.due = false
	for sub := range h.subs {
		if len(sub.changed) > 0 {
			sub.wake()
		}
	}
}

// remove tells that a session is no longer live.
func (h *hub) remove(g protocol.Gone) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.all, g.ID)
	for sub := range h.subs {
		delete(sub.changed, g.ID)
		sub.gone[g.ID] = g
		sub.wake()
	}
}

// subscribe adds a subscriber and says how all stands at its beginning.
func (h *hub) subscribe(nudge func()) (*rosterSub, protocol.RosterSnapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := &rosterSub{nudge: nudge, changed: map[sessionio.ID]bool{}, gone: map[sessionio.ID]protocol.Gone{}}
	h.subs[s] = true
	return s, h.snapshotLocked()
}

func (h *hub) unsubscribe(s *rosterSub) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.subs, s)
}

// list is the live sessions as they stand, by id.
func (h *hub) list() protocol.RosterSnapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.snapshotLocked()
}

func (h *hub) snapshotLocked() protocol.RosterSnapshot {
	s := protocol.RosterSnapshot{
		Sessions: make([]protocol.Summary, 0, len(h.all)), Cursor: protocol.Cursor{Generation: h.generation},
	}
	for _, one := range h.all {
		s.Sessions = append(s.Sessions, one)
	}
	sortSummaries(s.Sessions)
	return s
}

func sortSummaries(list []protocol.Summary) {
	slices.SortFunc(list, func(a, b protocol.Summary) int { return strings.Compare(string(a.ID), string(b.ID)) })
}

// take is the subscriber's next event, nil when there is none yet.
func (h *hub) take(s *rosterSub) *protocol.RosterEvent {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !s.ready || len(s.changed)+len(s.gone) == 0 {
		return nil
	}
	s.ready = false
	s.seq++
	e := &protocol.RosterEvent{Cursor: protocol.Cursor{Generation: h.generation, Seq: s.seq}}
	for id := range s.changed {
		e.Changed = append(e.Changed, h.all[id])
	}
	sortSummaries(e.Changed)
	for _, g := range s.gone {
		e.Gone = append(e.Gone, g)
	}
	slices.SortFunc(e.Gone, func(a, b protocol.Gone) int { return strings.Compare(string(a.ID), string(b.ID)) })
	clear(s.changed)
	clear(s.gone)
	return e
}
