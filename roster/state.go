package roster

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
)

// Delta is a change to apply to a State. What replaces everything is applied first.
type Delta struct {
	Live     []protocol.Summary // changed or new
	Gone     []protocol.Gone    // no longer live
	AllLive  *[]protocol.Summary
	Saved    []sessionio.Info // changed or new
	Removed  []string         // paths of files that are gone
	AllSaved *[]sessionio.Info
}

// State is the whole roster, updated by deltas: work is in proportion to the delta, not to the
// roster. Not safe for concurrent use; its snapshots are.
type State struct {
	rows  vector
	index *keyIndex
}

// NewState makes an empty roster.
func NewState() *State { return &State{index: newKeyIndex()} }

// Snapshot is an immutable view of the roster, cheap to take.
func (s *State) Snapshot() Snapshot { return Snapshot{rows: s.rows, index: s.index} }

// Apply updates the roster and names the records that changed (new ones too) and those that went.
func (s *State) Apply(d Delta) (changed, gone []Key) {
	t := tally{changed: map[Key]bool{}, gone: map[Key]bool{}}
	if d.AllLive != nil {
		s.replaceLive(*d.AllLive, &t)
	}
	if d.AllSaved != nil {
		s.replaceSaved(*d.AllSaved, &t)
	}
	for i := range d.Live {
		s.putLive(&d.Live[i], &t)
	}
	for _, g := range d.Gone {
		s.dropLive(keysOf(g.Path, g.ID), &t)
	}
	for i := range d.Saved {
		s.putSaved(&d.Saved[i], &t)
	}
	for _, path := range d.Removed {
		s.dropSaved(FileKey(path), &t)
	}
	return t.lists()
}

func (s *State) replaceLive(all []protocol.Summary, t *tally) {
	keep := map[int]bool{}
	for i := range all {
		keep[s.putLive(&all[i], t)] = true
	}
	for slot := range s.rows.len() {
		if r := s.rows.get(slot); r != nil && r.Live != nil && !keep[slot] {
			s.set(slot, r, nil, r.Saved, t)
		}
	}
}

func (s *State) replaceSaved(all []sessionio.Info, t *tally) {
	keep := map[int]bool{}
	for i := range all {
		keep[s.putSaved(&all[i], t)] = true
	}
	for slot := range s.rows.len() {
		if r := s.rows.get(slot); r != nil && r.Saved != nil && !keep[slot] {
			s.set(slot, r, r.Live, nil, t)
		}
	}
}

func (s *State) putLive(l *protocol.Summary, t *tally) int {
	slot := s.find(liveKeys(l), func(r *Record) bool { return r.Live == nil || r.Live.ID == l.ID })
	prev := s.at(slot)
	var saved *sessionio.Info
	if prev != nil {
		saved = prev.Saved
	}
	return s.set(slot, prev, l, saved, t)
}

func (s *State) putSaved(i *sessionio.Info, t *tally) int {
	slot := s.find(savedKeys(i), func(r *Record) bool { return r.Saved == nil || r.Saved.Path == i.Path })
	prev := s.at(slot)
	var live *protocol.Summary
	if prev != nil {
		live = prev.Live
	}
	return s.set(slot, prev, live, i, t)
}

func (s *State) dropLive(keys []Key, t *tally) {
	slot := s.find(keys, func(r *Record) bool { return r.Live != nil })
	if r := s.at(slot); r != nil {
		s.set(slot, r, nil, r.Saved, t)
	}
}

func (s *State) dropSaved(key Key, t *tally) {
	slot := s.find([]Key{key}, func(r *Record) bool { return r.Saved != nil })
	if r := s.at(slot); r != nil {
		s.set(slot, r, r.Live, nil, t)
	}
}

// find looks for a present record by its keys in turn that fits, else for a free slot that one of
// the keys had; -1 for a new one.
func (s *State) find(keys []Key, fits func(*Record) bool) int {
	for _, k := range keys {
		if slot, ok := s.index.get(k); ok {
			if r := s.rows.get(slot); r != nil && fits(r) {
				return slot
			}
		}
	}
	if len(keys) > 0 {
		if slot, ok := s.index.get(keys[0]); ok && s.rows.get(slot) == nil {
			return slot
		}
	}
	return -1
}

func (s *State) at(slot int) *Record {
	if slot < 0 {
		return nil
	}
	return s.rows.get(slot)
}

// set puts the two sides into a slot (-1: a new one); with neither the record goes.
func (s *State) set(slot int, prev *Record, live *protocol.Summary, saved *sessionio.Info, t *tally) int {
	if live == nil && saved == nil {
		if prev != nil {
			s.rows = s.rows.with(slot, nil)
			t.goneOne(prev.Key)
		}
		return slot
	}
	r := build(prev, live, saved)
	if slot < 0 {
		slot = s.rows.len()
	}
	s.rows = s.rows.with(slot, r)
	s.index.put(r.Aliases, slot, func(held int) bool { return held == slot || s.at(held) == nil })
	t.changedOne(r.Key)
	return slot
}

// tally collects what an Apply did; the last word on a key counts.
type tally struct {
	changed, gone map[Key]bool
	order         []Key
}

func (t *tally) changedOne(k Key) {
	if !t.changed[k] && !t.gone[k] {
		t.order = append(t.order, k)
	}
	t.changed[k] = true
	delete(t.gone, k)
}

func (t *tally) goneOne(k Key) {
	if !t.changed[k] && !t.gone[k] {
		t.order = append(t.order, k)
	}
	t.gone[k] = true
	delete(t.changed, k)
}

func (t *tally) lists() (changed, gone []Key) {
	for _, k := range t.order {
		if t.gone[k] {
			gone = append(gone, k)
		} else {
			changed = append(changed, k)
		}
	}
	return changed, gone
}
