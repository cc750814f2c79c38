package roster

import "sync"

// Snapshot is the roster at one moment. It is immutable and may be used by any goroutine.
type Snapshot struct {
	rows  vector
	index *keyIndex
}

// Get finds a record by its key or any alias of it.
func (s Snapshot) Get(k Key) (Record, bool) {
	if s.index == nil {
		return Record{}, false
	}
	slot, ok := s.index.get(k)
	if !ok || slot >= s.rows.len() {
		return Record{}, false
	}
	r := s.rows.get(slot)
	if r == nil {
		return Record{}, false
	}
	return *r, true
}

// All lists every record in the order of their coming.
func (s Snapshot) All() []Record {
	var out []Record
	for slot := range s.rows.len() {
		if r := s.rows.get(slot); r != nil {
			out = append(out, *r)
		}
	}
	return out
}

// Len counts the records.
func (s Snapshot) Len() int {
	n := 0
	for slot := range s.rows.len() {
		if s.rows.get(slot) != nil {
			n++
		}
	}
	return n
}

// keyIndex maps keys to slots. A key never moves while its slot is taken, so one index serves the
// state and all its snapshots: in an older snapshot the slot holds the same session as it was then.
type keyIndex struct {
	mu    sync.RWMutex
	slots map[Key]int
}

func newKeyIndex() *keyIndex { return &keyIndex{slots: map[Key]int{}} }

func (x *keyIndex) get(k Key) (int, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	slot, ok := x.slots[k]
	return slot, ok
}

// put maps keys to a slot, but for those held by another slot that may not be taken.
func (x *keyIndex) put(keys []Key, slot int, take func(held int) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, k := range keys {
		if held, ok := x.slots[k]; !ok || take(held) {
			x.slots[k] = slot
		}
	}
}

// vector is a persistent sequence of records in chunks: replacing one copies a chunk and the list
// of chunks, whatever the length (10,000 records: 128 + 79 pointers).
type vector struct {
	chunks []*chunk
	n      int
}

const chunkLen = 128

type chunk [chunkLen]*Record

func (v vector) len() int { return v.n }

func (v vector) get(i int) *Record { return v.chunks[i/chunkLen][i%chunkLen] }

func (v vector) with(i int, r *Record) vector {
	chunks := make([]*chunk, max(len(v.chunks), i/chunkLen+1))
	copy(chunks, v.chunks)
	c := &chunk{}
	if old := chunks[i/chunkLen]; old != nil {
		*c = *old
	}
	c[i%chunkLen] = r
	chunks[i/chunkLen] = c
	return vector{chunks: chunks, n: max(v.n, i+1)}
}
