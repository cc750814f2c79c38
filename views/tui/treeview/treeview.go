// Package treeview is the /tree screen: a session's entries as the tree that they are, to go back to
// any of them. Choosing a question moves the leaf to before it and gives its text back for the
// editor; choosing anything else moves the leaf there. The branch that is left stays in the file,
// with a summary of it on the new one if wanted.
package treeview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"dugout/views/tui/widget"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Options of New.
type Options struct {
	Ref   protocol.SessionRef
	Busy  bool // a turn runs: looking is fine, moving is not
	Ports Ports
	Theme theme.Theme
	Keys  keymap.Overrides
	// Tell makes the message that tells the screen below where the leaf went.
	Tell func(protocol.Navigated) tea.Msg
}

// Screen is the tree.
type Screen struct {
	o      Options
	keys   []keymap.Binding
	tree   protocol.Tree
	loaded bool
	rows   []Row
	at     int // the selected row
	look   Look
	search widget.Editor
	note   string // raw
	bad    bool
	moving bool // the call is under way
	asked  sessionio.EntryID
	frame  int
	height int
}

// New makes the screen. Nothing happens before Init.
func New(o Options) *Screen {
	s := &Screen{o: o, keys: o.Keys.Apply(bindings()), search: widget.NewEditor(false, o.Keys), height: 24}
	s.search.Placeholder = "type to search"
	s.look.Folded = map[sessionio.EntryID]bool{}
	return s
}

var (
	_ screen.Screen   = (*Screen)(nil)
	_ screen.Editing  = (*Screen)(nil)
	_ screen.Animated = (*Screen)(nil)
)

type treeMsg struct {
	tree protocol.Tree
	err  error
}

type navigatedMsg struct {
	navigated protocol.Navigated
	err       error
}

type abortedMsg struct{ err error }

// Init reads the tree.
func (s *Screen) Init() tea.Cmd {
	ref, port := s.o.Ref, s.o.Ports
	return func() tea.Msg {
		t, err := port.Tree(ref)
		return treeMsg{t, err}
	}
}

// Title names the screen.
func (s *Screen) Title() string { return "tree" }

// Keys are the tree's keys.
func (s *Screen) Keys() []keymap.Binding { return s.active() }

// Moving asks for ticks while something is waited for.
func (s *Screen) Moving() bool { return s.moving || !s.loaded && !s.bad }

// Interrupted takes ctrl+c as esc.
func (s *Screen) Interrupted() (screen.Screen, screen.Step, bool) { return s, s.close(), true }

// Update takes one message.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return s, s.key(m)
	case tea.MouseMsg:
		switch m.Button {
		case tea.MouseButtonWheelUp:
			s.move(-3, false)
		case tea.MouseButtonWheelDown:
			s.move(3, false)
		}
	case screen.SizeMsg:
		s.height = m.Height
	case screen.TickMsg:
		s.frame++
	case treeMsg:
		s.onTree(m)
	case widget.PickedMsg:
		return s, s.onPicked(m)
	case navigatedMsg:
		return s, s.onNavigated(m)
	case abortedMsg:
		if m.err != nil {
			s.warn("could not stop: " + m.err.Error())
		}
	}
	return s, screen.Step{}
}

func (s *Screen) warn(text string) { s.note, s.bad = text, true }

func (s *Screen) onTree(m treeMsg) {
	if m.err != nil {
		s.warn(m.err.Error())
		return
	}
	s.tree, s.loaded = m.tree, true
	s.arrange(m.tree.Leaf)
}

// arrange lays the tree out anew with an entry selected, or the nearest that shows.
func (s *Screen) arrange(want sessionio.EntryID) {
	s.look.Words = strings.Fields(strings.ToLower(s.search.Value()))
	s.rows = Arrange(&s.tree, s.look)
	s.at = max(0, nearest(&s.tree, s.rows, want))
}

func (s *Screen) selected() (Row, bool) {
	if s.at < 0 || s.at >= len(s.rows) {
		return Row{}, false
	}
	return s.rows[s.at], true
}

func (s *Screen) selectedID() sessionio.EntryID {
	if r, ok := s.selected(); ok {
		return r.Node.ID
	}
	return s.tree.Leaf
}

// onNavigated goes back to the chat, or says why the leaf stayed.
func (s *Screen) onNavigated(m navigatedMsg) screen.Step {
	s.moving = false
	if m.err == nil {
		return screen.Step{Nav: screen.Nav{Pop: true, Tell: s.o.Tell(m.navigated)}}
	}
	var refusal *protocol.Error
	if errors.As(m.err, &refusal) && refusal.Code == protocol.CodeBusy {
		s.warn(busyWord)
		return screen.Step{}
	}
	s.warn("nothing was moved: " + m.err.Error())
	return screen.Step{}
}

const busyWord = "a turn runs: stop it in the chat (esc), or wait, before you move"
