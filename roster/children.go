package roster

import "slices"

// forest is the records under their parents, by their place in records. A child is a session that
// was spawned: it names its parent and lies deeper. A fork names where it came from as well, but
// stands beside it. A parent that is missing, itself, no higher up, or part of a ring makes a root.
type forest struct {
	records  []*Record
	parent   []int // -1 for a root
	children map[int][]int
	running  []int // running descendants
	roots    []int
	hidden   int
}

func newForest(s Snapshot, drafts bool) *forest {
	f := &forest{children: map[int][]int{}}
	place := make([]int, s.rows.len()) // slot -> place in records
	for slot := range place {
		place[slot] = -1
		r := s.rows.get(slot)
		if r == nil {
			continue
		}
		if !drafts && !r.Asked() {
			f.hidden++
			continue
		}
		place[slot] = len(f.records)
		f.records = append(f.records, r)
	}
	f.parent = make([]int, len(f.records))
	f.running = make([]int, len(f.records))
	for i := range f.parent {
		f.parent[i] = -1
	}
	for i, r := range f.records {
		p := -1
		if k := parentKey(r); k != "" {
			if slot, ok := s.index.get(k); ok && slot < len(place) {
				p = place[slot]
			}
		}
		if p < 0 || f.records[p].Depth >= r.Depth || f.ring(i, p) {
			f.roots = append(f.roots, i)
			continue
		}
		f.parent[i] = p
		f.children[p] = append(f.children[p], i)
	}
	for i, r := range f.records {
		if r.Section == Running {
			for p := f.parent[i]; p >= 0; p = f.parent[p] {
				f.running[p]++
			}
		}
	}
	return f
}

// parentKey is the key of a spawned session's parent, "" for a root and for a fork.
func parentKey(r *Record) Key {
	if r.Live != nil && r.Live.Parent != "" {
		return SessionKey(r.Live.Parent)
	}
	if r.Depth > 0 && r.Saved != nil && r.Saved.ParentSession != "" {
		return FileKey(r.Saved.ParentSession)
	}
	return ""
}

// ring says whether hanging i under p would close a ring.
func (f *forest) ring(i, p int) bool {
	for ; p >= 0; p = f.parent[p] {
		if p == i {
			return true
		}
	}
	return false
}

// section is where a record stands: a running descendant lifts it.
func (f *forest) section(i int) Section {
	if f.running[i] > 0 {
		return Running
	}
	return f.records[i].Section
}

type showing uint8

const (
	hidden  showing = iota
	carrier         // shown for a child's sake
	matched
)

// shown decides about every record; a parent of a match stays visible.
func (f *forest) shown(o ViewOptions) []showing {
	out := make([]showing, len(f.records))
	for i, r := range f.records {
		if !o.passes(r) {
			continue
		}
		out[i] = matched
		for p := f.parent[i]; p >= 0 && out[p] == hidden; p = f.parent[p] {
			out[p] = carrier
		}
	}
	return out
}

func (o ViewOptions) passes(r *Record) bool {
	if o.NamedOnly && r.Name() == "" {
		return false
	}
	if o.Folder != "" && !cwdMatches(r.CWD(), o.Folder) {
		return false
	}
	return o.Query.Match(r)
}

// rows appends the visible records in order, each followed by its children.
func (f *forest) rows(v *View, level []int, sec Section, indent int, m SortMode, shown []showing) {
	slices.SortFunc(level, func(a, b int) int {
		if x, y := rank(f.section(a)), rank(f.section(b)); x != y {
			return x - y
		}
		return compare(m, f.records[a], f.records[b])
	})
	for _, i := range level {
		if shown[i] == hidden {
			continue
		}
		v.Sections[sec] = append(v.Sections[sec], Row{
			Record: f.records[i], Section: sec, Indent: indent, Children: len(f.children[i]),
			Running: f.running[i], Matched: shown[i] == matched,
		})
		f.rows(v, f.children[i], sec, indent+1, m, shown)
	}
}

func rank(s Section) int {
	switch s {
	case Running:
		return 0
	case Idle:
		return 1
	default:
		return 2
	}
}
