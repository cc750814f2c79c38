package widget

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func list(spec string) []Item {
	var out []Item
	for _, f := range strings.Fields(spec) {
		if f == "#" {
			out = append(out, Item{Height: 1})
			continue
		}
		out = append(out, Item{Key: f, Height: 2})
	}
	return out
}

func TestNextSelection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, now, key, want string }{
		{"a b c", "c b a", "b", "b"},
		{"a b c", "a c", "b", "c"},
		{"a b c", "a", "c", "a"},
		{"a b c d", "a d", "b", "d"},
		{"a b", "x y", "b", "x"},
		{"", "# a b", "", "a"},
		{"a", "# #", "a", ""},
	} {
		if got := NextSelection(list(c.old), list(c.now), c.key); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestListMoves(t *testing.T) {
	t.Parallel()
	var l List
	l.SetHeight(5)
	l.SetItems(list("# a b # # c d e f g h"))
	at := func(want string) {
		t.Helper()
		if got := fmt.Sprintf("%s@%d", l.Selected(), l.Top()); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	at("a@0")
	l.Move(-1)
	at("a@0")
	l.Move(2)
	at("c@4")
	l.Move(-1)
	at("b@3")
	l.Page(1)
	at("c@4")
	l.Last()
	at("h@14")
	l.Page(-1)
	at("f@13")
	l.First()
	at("a@0")
	if l.Select("nowhere") || !l.Select("e") {
		t.Error("select")
	}
	at("e@8")
	l.SetItems(list("# z y x a b # # c d e f g h")) // six lines more above: the line on the screen stays
	at("e@14")
}

// Items come, go and move; the selection is always an item that shows whole, and stays with its key
// as long as that is there.
func TestSelectionHolds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var l List
	l.SetHeight(7)
	items := list("a b c d e f g h i j k l m n")
	l.SetItems(items)
	for step := range 2000 {
		switch r.IntN(5) {
		case 0:
			l.Move(r.IntN(7) - 3)
		case 1:
			l.Page(r.IntN(3) - 1)
		case 2:
			l.SetHeight(2 + r.IntN(12))
		}
		before := l.Selected()
		next := append([]Item(nil), items...)
		r.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
		next = next[:1+r.IntN(len(next))]
		l.SetItems(next)
		at, total := -1, 0
		for _, i := range next {
			if i.Key == l.Selected() {
				at = total
			}
			if i.Key == before && l.Selected() != before {
				t.Fatalf("step %d: selection left %s for %s", step, before, l.Selected())
			}
			total += i.Height
		}
		if at < 0 || at < l.Top() || at+2 > l.Top()+l.height {
			t.Fatalf("step %d: %s at line %d, window %d+%d", step, l.Selected(), at, l.Top(), l.height)
		}
		if l.Top() > 0 && l.Top()+l.height > total {
			t.Fatalf("step %d: lines wasted", step)
		}
	}
}

func BenchmarkListMove(b *testing.B) {
	var items []Item
	for i := range 10000 {
		items = append(items, Item{Key: fmt.Sprint(i), Height: 2})
	}
	var l List
	l.SetHeight(40)
	for i := 0; b.Loop(); i++ {
		l.SetItems(items)
		l.Move(1)
		l.Top()
	}
}
