package sessionio

import (
	"fmt"
	"math/rand/v2"
	"testing"
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
