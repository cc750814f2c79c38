// Package rosterview is the main screen: every session in three sections, above them who needs the
// person, and one line to search in. It holds values only; what it wants done goes through Ports.
package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"dugout/views/tui/widget"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Options of New.
type Options struct {
	Theme   theme.Theme
	Keys    keymap.Overrides
	Ports   Ports
	Folder  string // where the program was started: new sessions go there, and it is the narrow scope
	HomeDir string // drawn as ~
	Model   string // of new sessions; "" leaves it to the daemon
	Mode    string // permission mode of new sessions; ""
	Banner  string // one line above all, such as that this is a demo
	Scoped  bool   // begin with the sessions of Folder alone
	// Pick makes the screen a picker: choosing a session leaves the screen and tells the one below.
	Pick func(protocol.SessionRef) tea.Msg
	// First is what is known at the start, such as the roster of the screen below a picker.
	First RosterChangedMsg
}

// Screen is the roster.
type Screen struct {
	o      Options
	th     theme.Theme
	keys   []keymap.Binding
	now    time.Time
	frame  int
	width  int
	height int

	data  RosterChangedMsg
	heard bool // something came
	view  roster.View
	lines []line

	search   widget.Editor
	query    roster.Query
	queryErr string
	keyMode  bool
	sort     roster.SortMode
	named    bool
	scoped   bool
	paths    bool
	unfolded map[roster.Key]bool // against the default
	list     widget.List         // the selection, over all sections
	parts    [3]part             // the sections as drawn
	renaming *renaming
	notice   notice
}

// renaming is a name being edited in its row. It belongs to the session, wherever its row goes.
type renaming struct {
	key    roster.Key
	ref    protocol.SessionRef
	editor widget.Editor
}

type notice struct {
	text  string
	bad   bool
	until time.Time // zero: set, but not yet seen by the clock
}

const noticeTime = 6 * time.Second

// New makes the screen.
func New(o Options) *Screen {
	s := &Screen{
		o: o, th: o.Theme, keys: o.Keys.Apply(bindings()), width: 80, height: 24,
		search: widget.NewEditor(false, o.Keys), sort: roster.SortRecent, scoped: o.Scoped,
		unfolded: map[roster.Key]bool{},
	}
	s.search.Placeholder = "type to search"
	if o.First.Snapshot.Len() > 0 || o.First.Connected {
		s.data, s.heard = o.First, true
	}
	s.arrange()
	return s
}

// Init has nothing to load: the roster comes as messages.
func (s *Screen) Init() tea.Cmd { return nil }

// Title is nothing of its own: the program's name does.
func (s *Screen) Title() string { return "dugout" }

// NeedYou counts the sessions that wait for the person.
func (s *Screen) NeedYou() int { return len(s.view.NeedsYou) }

// Moving says whether something on the screen changes with time alone.
func (s *Screen) Moving() bool {
	if s.notice.text != "" {
		return true
	}
	for _, r := range s.view.Sections[roster.Running] {
		if working(r.Record) {
			return true
		}
	}
	return false
}

// Keys are the keys as they work now.
func (s *Screen) Keys() []keymap.Binding { return s.active() }

// Interrupted clears what is being written: a name, else the search line.
func (s *Screen) Interrupted() (screen.Screen, screen.Step, bool) {
	switch {
	case s.renaming != nil:
		s.renaming = nil
	case !s.search.Empty():
		s.setQuery("")
	default:
		return s, screen.Step{}, false
	}
	return s, screen.Step{}, true
}

// selected is the selected row.
func (s *Screen) selected() (roster.Row, bool) {
	return s.find(roster.Key(s.list.Selected()))
}

// find is the row of a record that is on the screen.
func (s *Screen) find(k roster.Key) (roster.Row, bool) {
	if k == "" {
		return roster.Row{}, false
	}
	for _, l := range s.lines {
		if l.kind == lineRow && l.row.Record.Key == k {
			return l.row, true
		}
	}
	return roster.Row{}, false
}

func refOf(r *roster.Record) protocol.SessionRef {
	return protocol.SessionRef{ID: r.ID(), Path: r.Path()}
}
