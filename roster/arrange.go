package roster

import (
	"dugout/daemonclient/protocol"
	"slices"
)

// ViewOptions choose what a screen shows.
type ViewOptions struct {
	Query     Query
	Sort      SortMode
	NamedOnly bool
	Folder    string // only sessions of this folder and those below it; absolute; "" for all
	Drafts    bool   // also saved sessions that asked nothing and have no name
}

// Row is a record in its place.
type Row struct {
	Record   *Record // never nil, never changed
	Section  Section // where it stands: a child in the section of its root
	Indent   int     // depth under its root
	Children int     // direct children in the roster
	Running  int     // descendants that run
	Matched  bool    // false for a parent that is shown for a child's sake
}

// View is what a screen lists.
type View struct {
	NeedsYou []Record // waiting for a permission, asking, failed: oldest first, whatever the query
	Sections map[Section][]Row
	Counts   map[Section]int // sessions in each section before query and filters, children not counted
	Matches  int             // sessions that are shown, children not counted
	Total    int             // sessions in the roster, children and drafts not counted
	Hidden   int             // drafts left out
}

// Arrange filters, sorts and nests a snapshot.
func Arrange(s Snapshot, o ViewOptions) View {
	v := View{Sections: map[Section][]Row{}, Counts: map[Section]int{}}
	f := newForest(s, o.Drafts)
	v.Total, v.Hidden = len(f.roots), f.hidden
	for _, r := range f.records {
		if r.NeedsYou() {
			v.NeedsYou = append(v.NeedsYou, *r)
		}
	}
	slices.SortStableFunc(v.NeedsYou, func(a, b Record) int { return a.WaitsSince().Compare(b.WaitsSince()) })
	shown := f.shown(o)
	bySection := map[Section][]int{}
	for _, root := range f.roots {
		sec := f.section(root)
		v.Counts[sec]++
		if shown[root] != hidden {
			v.Matches++
			bySection[sec] = append(bySection[sec], root)
		}
	}
	for _, sec := range Sections() {
		f.rows(&v, bySection[sec], sec, 0, o.Sort, shown)
	}
	return v
}

// AttentionCounts counts the records by what they want of the person.
func (v View) AttentionCounts() map[protocol.Attention]int {
	n := map[protocol.Attention]int{}
	for _, r := range v.NeedsYou {
		n[r.Attention]++
	}
	return n
}
