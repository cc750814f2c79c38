package sessionio

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func TestTreeOfOddParents(t *testing.T) {
	t.Parallel()
	meta := func(id, parent EntryID) Meta { return Meta{ID: id, Parent: parent} }
	for name, c := range map[string]struct {
		in    []Meta
		roots string
		path  int // entries on the path to the last
	}{
		"chain":        {[]Meta{meta("a", ""), meta("b", "a"), meta("c", "b")}, "[a]", 3},
		"ring":         {[]Meta{meta("a", "c"), meta("b", "a"), meta("c", "b")}, "[a]", 3},
		"own parent":   {[]Meta{meta("a", "a"), meta("b", "a")}, "[a]", 2},
		"missing":      {[]Meta{meta("a", ""), meta("b", "gone")}, "[a b]", 1},
		"tail on ring": {[]Meta{meta("a", "b"), meta("b", "a"), meta("c", "b")}, "[a]", 3},
		"duplicate":    {[]Meta{meta("a", ""), meta("b", "a"), meta("b", "")}, "[a b]", 1},
	} {
		tree := NewTree(c.in)
		if got := fmt.Sprint(tree.Roots()); got != c.roots {
			t.Errorf("%s: roots %s, want %s", name, got, c.roots)
		}
		if got := len(tree.Path(tree.LastEntry())); got != c.path {
			t.Errorf("%s: path of %d, want %d", name, got, c.path)
		}
	}
}

// Whatever the parents say, every entry is below a root exactly once.
func TestTreeHoldsEachOnce(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		n := 1 + r.IntN(12)
		var in []Meta
		for i := range n {
			in = append(in, Meta{ID: EntryID(fmt.Sprint(i)), Parent: EntryID(fmt.Sprint(r.IntN(n + 2)))})
		}
		tree := NewTree(in)
		seen := map[EntryID]int{}
		var walk func([]EntryID)
		walk = func(ids []EntryID) {
			for _, id := range ids {
				if seen[id]++; seen[id] == 1 {
					walk(tree.Children(id))
				}
			}
		}
		walk(tree.Roots())
		for i := range n {
			if seen[EntryID(fmt.Sprint(i))] != 1 {
				t.Fatalf("%v: entry %d seen %d times", in, i, seen[EntryID(fmt.Sprint(i))])
			}
		}
	}
}

// A tree that grew is the tree that would be built, and the ones before it stand.
func TestTreeGrows(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var in []Meta
		grown := NewTree(nil)
		var older []*Tree
		for i := range 20 {
			m := Meta{ID: EntryID(fmt.Sprint(i)), Time: noon.Add(time.Duration(r.IntN(5)) * time.Second)}
			if i > 0 && r.IntN(5) > 0 {
				m.Parent = EntryID(fmt.Sprint(r.IntN(i)))
			}
			in = append(in, m)
			older = append(older, grown)
			if grown = grown.with(m); grown == nil {
				t.Fatalf("entry %d would not go in", i)
			}
		}
		for n, tree := range append(older, grown) {
			want := NewTree(in[:n])
			if tree.Len() != n || fmt.Sprint(tree.Roots()) != fmt.Sprint(want.Roots()) {
				t.Fatalf("after %d: %d entries, roots %v, want %v", n, tree.Len(), tree.Roots(), want.Roots())
			}
			for _, m := range in {
				if got, want := fmt.Sprint(tree.Children(m.ID)), fmt.Sprint(want.Children(m.ID)); got != want {
					t.Fatalf("after %d, below %s: %s, want %s", n, m.ID, got, want)
				}
			}
		}
	}
	tree := NewTree([]Meta{{ID: "a"}})
	if tree.with(Meta{ID: "a"}) != nil || tree.with(Meta{ID: "b", Parent: "x"}) != nil {
		t.Error("what needs a new tree went in")
	}
}
