package treeview

import (
	"dugout/views/tui/keymap"
	"slices"
)

// Actions of the tree.
const (
	Select keymap.Action = "tree.select"
	Close  keymap.Action = "tree.close"
	Cycle  keymap.Action = "tree.filter"
	Fold   keymap.Action = "tree.fold"
	Unfold keymap.Action = "tree.unfold"
	Toggle keymap.Action = "tree.toggle"
)

func bindings() []keymap.Binding {
	return append([]keymap.Binding{
		{Action: Select, Keys: []string{"enter"}, Help: "go there", Footer: true},
		{Action: Cycle, Keys: []string{"ctrl+o"}, Help: "filter", Footer: true},
		{Action: Toggle, Keys: []string{"tab"}, Help: "fold", Footer: true},
		{Action: Fold, Keys: []string{"ctrl+left", "alt+left"}, Help: "fold, or up a branch"},
		{Action: Unfold, Keys: []string{"ctrl+right", "alt+right"}, Help: "unfold, or down"},
		{Action: keymap.PageUp, Keys: []string{"pgup", "left"}, Help: "a page up"},
		{Action: keymap.PageDown, Keys: []string{"pgdown", "right"}, Help: "a page down"},
		{Action: Close, Keys: []string{"esc"}, Help: "back", Footer: true},
	}, moving()...)
}

func moving() []keymap.Binding {
	return slices.DeleteFunc(keymap.List(), func(b keymap.Binding) bool {
		return b.Action == keymap.PageUp || b.Action == keymap.PageDown
	})
}

// active is the bindings as they work now.
func (s *Screen) active() []keymap.Binding {
	out := slices.Clone(s.keys)
	row, ok := s.selected()
	for i := range out {
		b := &out[i]
		switch b.Action {
		case Close:
			switch {
			case s.moving:
				b.Help = "stop"
			case !s.search.Empty():
				b.Help = "clear"
			}
		case Select:
			if !ok || s.moving {
				b.Off = "nothing to go to"
			}
		case Toggle:
			if !ok || !row.Foldable {
				b.Off = "no branch begins here"
			} else if row.Folded {
				b.Help = "unfold"
			}
		}
	}
	return out
}
