package sessionio

import (
	"slices"
	"sync"
)

// Tree is the shape of a session: every entry once, rings cut at their first entry in the file,
// entries whose parent does not exist as roots of their own. It is immutable; the tree after an
// append shares everything with the one before.
type Tree struct {
	metas []Meta // file order, parents repaired
	links *links
}

// links serve a tree and all that grew out of it: an entry whose place is beyond a tree's metas is
// not in that tree.
type links struct {
	mu       sync.RWMutex
	place    map[EntryID]int
	children map[EntryID][]EntryID // of "" in file order, else by time
}

// NewTree builds a tree from entries in file order. A later duplicate id wins.
func NewTree(metas []Meta) *Tree {
	last := make(map[EntryID]int, len(metas))
	for i, m := range metas {
		last[m.ID] = i
	}
	l := &links{place: make(map[EntryID]int, len(last)), children: make(map[EntryID][]EntryID, len(last))}
	t := &Tree{metas: make([]Meta, 0, len(last)), links: l}
	for i, m := range metas {
		if m.ID == "" || last[m.ID] != i {
			continue
		}
		l.place[m.ID] = len(t.metas)
		t.metas = append(t.metas, m)
	}
	for i := range t.metas {
		p := t.metas[i].Parent
		if _, ok := l.place[p]; !ok || p == t.metas[i].ID {
			t.metas[i].Parent = ""
		}
	}
	t.cutRings()
	for _, m := range t.metas {
		l.children[m.Parent] = append(l.children[m.Parent], m.ID)
	}
	for parent, kids := range l.children {
		if parent != "" {
			slices.SortStableFunc(kids, func(a, b EntryID) int {
				return t.metas[l.place[a]].Time.Compare(t.metas[l.place[b]].Time)
			})
		}
	}
	return t
}

// with is the tree after one more entry; nil when it must be built anew, since the entry's id is
// taken or its parent unknown. Only the newest tree may grow.
func (t *Tree) with(m Meta) *Tree {
	l := t.links
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, taken := l.place[m.ID]; taken || m.ID == "" {
		return nil
	}
	if _, ok := l.place[m.Parent]; !ok && m.Parent != "" {
		return nil
	}
	l.place[m.ID] = len(t.metas)
	grown := &Tree{metas: append(t.metas, m), links: l}
	kids := l.children[m.Parent]
	at := len(kids)
	for m.Parent != "" && at > 0 && grown.metas[l.place[kids[at-1]]].Time.After(m.Time) {
		at-- // a clock that went back
	}
	l.children[m.Parent] = slices.Insert(slices.Clip(kids), at, m.ID)
	return grown
}

// cutRings makes a root of the first entry of each ring.
func (t *Tree) cutRings() {
	const (
		unknown = iota
		onWalk
		fine
	)
	state := make([]uint8, len(t.metas))
	for i := range t.metas {
		var walk []int
		j := i
		for state[j] == unknown {
			state[j] = onWalk
			walk = append(walk, j)
			p := t.metas[j].Parent
			if p == "" {
				break
			}
			j = t.links.place[p]
		}
		if state[j] == onWalk && t.metas[j].Parent != "" {
			ring := walk[slices.Index(walk, j):]
			t.metas[slices.Min(ring)].Parent = ""
		}
		for _, k := range walk {
			state[k] = fine
		}
	}
}

// find is an entry's place in this tree.
func (t *Tree) find(id EntryID) (int, bool) {
	t.links.mu.RLock()
	defer t.links.mu.RUnlock()
	i, ok := t.links.place[id]
	return i, ok && i < len(t.metas)
}

// below lists the entries under a parent that are in this tree.
func (t *Tree) below(parent EntryID) []EntryID {
	t.links.mu.RLock()
	defer t.links.mu.RUnlock()
	var out []EntryID
	for _, id := range t.links.children[parent] {
		if t.links.place[id] < len(t.metas) {
			out = append(out, id)
		}
	}
	return out
}

// Len is the number of entries.
func (t *Tree) Len() int { return len(t.metas) }

// Get finds an entry.
func (t *Tree) Get(id EntryID) (Meta, bool) {
	i, ok := t.find(id)
	if !ok {
		return Meta{}, false
	}
	return t.metas[i], true
}

// All lists every entry in file order.
func (t *Tree) All() []Meta { return slices.Clone(t.metas) }

// Roots lists the entries without a parent, in file order.
func (t *Tree) Roots() []EntryID { return t.below("") }

// Children lists an entry's children by time, stable.
func (t *Tree) Children(id EntryID) []EntryID {
	if id == "" {
		return nil
	}
	return t.below(id)
}

// Path lists the entries from the root to leaf, both included; nil for "" or an unknown leaf.
func (t *Tree) Path(leaf EntryID) []Meta {
	var path []Meta
	for id := leaf; id != ""; {
		i, ok := t.find(id)
		if !ok {
			break
		}
		path = append(path, t.metas[i])
		id = t.metas[i].Parent
	}
	slices.Reverse(path)
	return path
}

// CommonAncestor is the deepest entry on both paths, "" when there is none.
func (t *Tree) CommonAncestor(a, b EntryID) EntryID {
	x, y := t.Path(a), t.Path(b)
	var common EntryID
	for i := 0; i < len(x) && i < len(y) && x[i].ID == y[i].ID; i++ {
		common = x[i].ID
	}
	return common
}

// LastEntry is the file's last entry with an id: the leaf on load.
func (t *Tree) LastEntry() EntryID {
	if len(t.metas) == 0 {
		return ""
	}
	return t.metas[len(t.metas)-1].ID
}
