package sessionio

import "slices"

// Tree is the shape of a session: every entry once, rings cut at their first entry in the file,
// entries whose parent does not exist as roots of their own. It is immutable.
type Tree struct {
	metas    []Meta // file order, parents repaired
	place    map[EntryID]int
	children map[EntryID][]EntryID
}

// NewTree builds a tree from entries in file order. A later duplicate id wins.
func NewTree(metas []Meta) *Tree {
	t := &Tree{place: make(map[EntryID]int, len(metas)), children: make(map[EntryID][]EntryID)}
	last := make(map[EntryID]int, len(metas))
	for i, m := range metas {
		last[m.ID] = i
	}
	for i, m := range metas {
		if m.ID == "" || last[m.ID] != i {
			continue
		}
		t.place[m.ID] = len(t.metas)
		t.metas = append(t.metas, m)
	}
	for i := range t.metas {
		p := t.metas[i].Parent
		if _, ok := t.place[p]; !ok || p == t.metas[i].ID {
			t.metas[i].Parent = ""
		}
	}
	t.cutRings()
	t.link()
	return t
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
			j = t.place[p]
		}
		if state[j] == onWalk && (len(walk) == 0 || walk[len(walk)-1] != j || t.metas[j].Parent != "") {
			ring := walk[slices.Index(walk, j):]
			t.metas[slices.Min(ring)].Parent = ""
		}
		for _, k := range walk {
			state[k] = fine
		}
	}
}

func (t *Tree) link() {
	for _, m := range t.metas {
		t.children[m.Parent] = append(t.children[m.Parent], m.ID)
	}
	for parent, kids := range t.children {
		if parent == "" || len(kids) < 2 {
			continue
		}
		slices.SortStableFunc(kids, func(a, b EntryID) int {
			return t.metas[t.place[a]].Time.Compare(t.metas[t.place[b]].Time)
		})
	}
}

// Len is the number of entries.
func (t *Tree) Len() int { return len(t.metas) }

// Get finds an entry.
func (t *Tree) Get(id EntryID) (Meta, bool) {
	i, ok := t.place[id]
	if !ok {
		return Meta{}, false
	}
	return t.metas[i], true
}

// All lists every entry in file order.
func (t *Tree) All() []Meta { return slices.Clone(t.metas) }

// Roots lists the entries without a parent, in file order.
func (t *Tree) Roots() []EntryID { return slices.Clone(t.children[""]) }

// Children lists an entry's children by time, stable.
func (t *Tree) Children(id EntryID) []EntryID {
	if id == "" {
		return nil
	}
	return slices.Clone(t.children[id])
}

// Path lists the entries from the root to leaf, both included; nil for "" or an unknown leaf.
func (t *Tree) Path(leaf EntryID) []Meta {
	var path []Meta
	for id := leaf; id != ""; {
		i, ok := t.place[id]
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
