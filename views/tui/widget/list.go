package widget

import (
	"dugout/views/tui/keymap"
	"slices"
)

// Item is something in a list: lines of the screen under a key. An item without a key (a heading)
// can't be selected.
type Item struct {
	Key    string
	Height int // lines, at least 1
}

// List is the window of a list: what is selected and which lines show. The selection belongs to a
// key, not to a place: items move around it, and it keeps its line on the screen where the window
// allows it.
type List struct {
	items    []Item
	selected string
	line     int // of the selection within the window
	height   int // of the window
}

// Selected is the selected item's key, "" when there is nothing to select.
func (l *List) Selected() string { return l.selected }

// SetHeight tells how many lines the window has.
func (l *List) SetHeight(h int) {
	l.height = max(h, 1)
	l.line = min(l.line, l.height-1)
}

// SetItems replaces the items. The selection stays with its key; when that has gone, it goes to the
// nearest item that was beside it.
func (l *List) SetItems(items []Item) {
	old := l.items
	l.items = items
	if next := NextSelection(old, items, l.selected); next != l.selected {
		l.selected = next
	}
}

// NextSelection decides what is selected when old items become new ones: the same key, else the next
// item after it that is still there, else the one before, else the first.
func NextSelection(old, items []Item, key string) string {
	if key != "" && slices.ContainsFunc(items, func(i Item) bool { return i.Key == key }) {
		return key
	}
	present := make(map[string]bool, len(items))
	for _, i := range items {
		if i.Key != "" {
			present[i.Key] = true
		}
	}
	at := slices.IndexFunc(old, func(i Item) bool { return key != "" && i.Key == key })
	if at >= 0 {
		for _, i := range old[at+1:] {
			if present[i.Key] {
				return i.Key
			}
		}
		for i := at - 1; i >= 0; i-- {
			if present[old[i].Key] {
				return old[i].Key
			}
		}
	}
	for _, i := range items {
		if i.Key != "" {
			return i.Key
		}
	}
	return ""
}

// Select selects a key; false when there is no such item.
func (l *List) Select(key string) bool {
	if key == "" || !slices.ContainsFunc(l.items, func(i Item) bool { return i.Key == key }) {
		return false
	}
	top := l.Top()
	l.selected = key
	l.line = l.selectedLine() - top // Top brings it into the window
	l.settle()
	return true
}

// Move selects the item that is by items away, or the last one on the way.
func (l *List) Move(by int) {
	at := l.place()
	step := 1
	if by < 0 {
		step = -1
	}
	for i := at + step; i >= 0 && i < len(l.items) && by != 0; i += step {
		if l.items[i].Key != "" {
			at = i
			by -= step
		}
	}
	if at >= 0 {
		l.Select(l.items[at].Key)
	}
}

// Page moves by pages.
func (l *List) Page(by int) {
	want := by * max(1, l.height-1)
	lines, items, step := 0, 0, 1
	if by < 0 {
		step = -1
	}
	for i := l.place() + step; i >= 0 && i < len(l.items); i += step {
		lines += l.items[i].Height
		if lines > want*step && items != 0 {
			break
		}
		if l.items[i].Key != "" {
			items += step
		}
	}
	l.Move(items)
}

// First selects the first item, Last the last.
func (l *List) First() { l.Move(-len(l.items)) }

// Last selects the last item.
func (l *List) Last() { l.Move(len(l.items)) }

func (l *List) place() int {
	return slices.IndexFunc(l.items, func(i Item) bool { return i.Key != "" && i.Key == l.selected })
}

// selectedLine is the line of the selection counted from the first item.
func (l *List) selectedLine() int {
	n := 0
	for _, i := range l.items {
		if i.Key != "" && i.Key == l.selected {
			return n
		}
		n += i.Height
	}
	return 0
}

// Top is the first line that shows, counted from the first item: the selection's place in the window
// is kept, the selection is whole, and no line of the window is wasted.
func (l *List) Top() int {
	total, own := 0, 1
	for _, i := range l.items {
		if i.Key != "" && i.Key == l.selected {
			own = i.Height
		}
		total += i.Height
	}
	at := l.selectedLine()
	top := at - max(0, min(l.line, l.height-own))
	if l.firstSelectable() == l.selected {
		top = min(top, at-min(at, l.height-own)) // the headings above the first item show
	}
	return max(0, min(top, total-l.height))
}

func (l *List) firstSelectable() string {
	for _, i := range l.items {
		if i.Key != "" {
			return i.Key
		}
	}
	return ""
}

// settle makes line what the window really shows, so that the next move starts from there.
func (l *List) settle() { l.line = l.selectedLine() - l.Top() }

// Action does a moving action; false when it is none.
func (l *List) Action(a keymap.Action) bool {
	switch a {
	case keymap.Up:
		l.Move(-1)
	case keymap.Down:
		l.Move(1)
	case keymap.PageUp:
		l.Page(-1)
	case keymap.PageDown:
		l.Page(1)
	case keymap.First:
		l.First()
	case keymap.Last:
		l.Last()
	default:
		return false
	}
	return true
}
