package treeview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

func (s *Screen) key(k tea.KeyMsg) screen.Step {
	s.note, s.bad = "", false
	b, _ := keymap.Find(s.active(), k.String())
	if k.Paste {
		b = keymap.Binding{}
	}
	if s.moving && b.Action != Close {
		return screen.Step{}
	}
	switch b.Action {
	case Select:
		return s.choose()
	case Close:
		return s.close()
	case Cycle:
		s.look.Filter = s.look.Filter.next()
		s.unfoldAll()
	case Toggle:
		s.fold(!s.look.Folded[s.selectedID()])
	case Fold:
		s.foldOrUp()
	case Unfold:
		s.unfoldOrDown()
	case keymap.Up:
		s.move(-1, true)
	case keymap.Down:
		s.move(1, true)
	case keymap.PageUp:
		s.move(-s.page(), false)
	case keymap.PageDown:
		s.move(s.page(), false)
	case keymap.First:
		s.move(-len(s.rows), false)
	case keymap.Last:
		s.move(len(s.rows), false)
	default:
		before := s.search.Value()
		if s.search.Key(k) && s.search.Value() != before {
			s.unfoldAll()
		}
	}
	return screen.Step{}
}

func (s *Screen) page() int { return max(1, s.height/2) }

// move goes by rows; one step past an end comes in at the other.
func (s *Screen) move(by int, wraps bool) {
	n := len(s.rows)
	if n == 0 {
		return
	}
	if wraps {
		s.at = (s.at + by + n) % n
		return
	}
	s.at = max(0, min(n-1, s.at+by))
}

func (s *Screen) unfoldAll() {
	s.look.Folded = map[sessionio.EntryID]bool{}
	s.arrange(s.selectedID())
}

// close clears the search, stops a move under way, or goes back.
func (s *Screen) close() screen.Step {
	switch {
	case s.moving:
		ref, port := s.o.Ref, s.o.Ports
		return screen.Step{Cmd: func() tea.Msg { return abortedMsg{port.Abort(ref)} }}
	case !s.search.Empty():
		s.search.Set("")
		s.unfoldAll()
		return screen.Step{}
	}
	return screen.Step{Nav: screen.Nav{Pop: true}}
}

func (s *Screen) fold(on bool) {
	row, ok := s.selected()
	if !ok || !row.Foldable {
		return
	}
	if on {
		s.look.Folded[row.Node.ID] = true
	} else {
		delete(s.look.Folded, row.Node.ID)
	}
	s.arrange(row.Node.ID)
}

// foldOrUp folds a branch, or goes to where the one around begins.
func (s *Screen) foldOrUp() {
	row, ok := s.selected()
	if ok && row.Foldable && !row.Folded {
		s.fold(true)
		return
	}
	for i := row.parent; ok && i >= 0; i = s.rows[i].parent {
		if s.rows[i].Foldable {
			s.at = i
			return
		}
	}
	s.at = 0
}

// unfoldOrDown unfolds, or goes to the next beginning of a branch below, or to the end of this one.
func (s *Screen) unfoldOrDown() {
	row, ok := s.selected()
	if !ok {
		return
	}
	if row.Folded {
		s.fold(false)
		return
	}
	for i := s.at + 1; i < len(s.rows); i++ {
		if s.rows[i].Foldable || s.rows[i].parent != i-1 {
			if s.rows[i].parent < s.at {
				s.at = i - 1
				return
			}
			s.at = i
			return
		}
	}
	s.at = len(s.rows) - 1
}

const pickSummary = "summary"

// choose moves the leaf to the selected entry, after asking what becomes of the branch left behind.
func (s *Screen) choose() screen.Step {
	row, ok := s.selected()
	switch {
	case !ok:
		return screen.Step{}
	case row.Node.ID == s.tree.Leaf:
		s.note = "already here"
		return screen.Step{}
	case s.o.Busy:
		s.warn(busyWord)
		return screen.Step{}
	}
	s.asked = row.Node.ID
	if !leavesBehind(&s.tree, s.asked) {
		return s.navigate(false)
	}
	p := widget.NewPicker(pickSummary, "The branch that you leave stays in the tree", []widget.Option{
		{Key: "no", Title: "no summary", Detail: "the model forgets that branch"},
		{Key: "yes", Title: "summarise", Detail: "the model reads a summary of that branch here"},
	}, "no", s.o.Theme, s.o.Keys)
	return screen.Step{Nav: screen.Nav{Push: p}}
}

func (s *Screen) onPicked(m widget.PickedMsg) screen.Step {
	if m.Of != pickSummary || s.asked == "" {
		return screen.Step{}
	}
	return s.navigate(m.Key == "yes")
}

func (s *Screen) navigate(summarise bool) screen.Step {
	s.moving = true
	s.note = "moving…"
	if summarise {
		s.note = "summarising the branch… esc stops"
	}
	n := protocol.Navigate{SessionRef: s.o.Ref, To: s.asked, Summarise: summarise}
	port := s.o.Ports
	return screen.Step{Cmd: func() tea.Msg {
		got, err := port.Navigate(n)
		return navigatedMsg{got, err}
	}}
}
