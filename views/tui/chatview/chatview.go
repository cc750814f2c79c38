// Package chatview is the chat screen: one session's transcript, an editor, its queue, its questions
// of permission, and its state.
//
// The screen is attached to a session through a stream that it reads batch by batch; what the daemon
// says is the only truth about the session. Leaving the screen detaches and nothing more: the
// session goes on. When the connection is lost the screen says so, keeps the draft, and attaches
// again from its cursor; a message that was not acknowledged is sent again under the same id.
package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/transcript"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"dugout/views/tui/widget"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Options of New. Ref names a session to attach to, unless Start says to begin one.
type Options struct {
	Ref      protocol.SessionRef
	Start    *protocol.NewSession
	Ports    Ports
	Theme    theme.Theme
	Keys     keymap.Overrides
	ClientID string // unlike any other chat's: makes sending a message twice safe
	Now      time.Time
	Drafts   Drafts // shared by all chats of a program; nil keeps none
}

// Drafts are texts that were left unsent, by session. Only the program's loop touches them.
type Drafts map[sessionio.ID]string

// Screen is the chat.
type Screen struct {
	o    Options
	keys []keymap.Binding
	tr   *transcript.Transcript
	draw *drawer
	ed   widget.Editor
	hist widget.History

	link     link
	outbox   []protocol.Prompt // not acknowledged, oldest first
	sent     int               // counts client ids
	ask      ask
	popup    popup
	note     note
	scroll   scroll
	open     bool // a question of an earlier life was never answered
	expand   bool
	escArmed bool
	paging   bool // older entries are on their way
	aborting bool
	found    []protocol.MemoryHit
	pasting  int // pastes whose moment is not over
	now      time.Time
	started  time.Time // of the state under way, by our own clock
	frame    int
	width    int
	height   int
	after    func(time.Duration, tea.Msg) tea.Cmd // a message after a while
}

// note is one line above the editor, until the next key.
type note struct {
	text string // raw
	bad  bool
}

// New makes a chat. Nothing happens before Init.
func New(o Options) *Screen {
	s := &Screen{
		o: o, keys: o.Keys.Apply(bindings()), tr: transcript.New(), draw: newDrawer(o.Theme),
		ed: widget.NewEditor(true, o.Keys), scroll: scroll{follow: true}, now: o.Now, width: 80, height: 24,
		after: func(d time.Duration, m tea.Msg) tea.Cmd {
			return tea.Tick(d, func(time.Time) tea.Msg { return m })
		},
	}
	s.ed.Width = s.width - 2
	s.ed.Placeholder = "say what to do; / for commands"
	s.ask.keys = o.Keys.Apply(askBindings())
	return s
}

var (
	_ screen.Screen   = (*Screen)(nil)
	_ screen.Closer   = (*Screen)(nil)
	_ screen.Editing  = (*Screen)(nil)
	_ screen.Animated = (*Screen)(nil)
)

// Init starts the session or attaches to it.
func (s *Screen) Init() tea.Cmd {
	s.link.state = connecting
	if s.o.Start != nil {
		return s.start(*s.o.Start)
	}
	return s.attach()
}

// Title names the session, raw.
func (s *Screen) Title() string { return titleOf(&s.tr.Summary) }

func titleOf(sum *protocol.Summary) string {
	switch {
	case sum.Name != "":
		return sum.Name
	case sum.FirstMessage != "":
		return sum.FirstMessage
	}
	return "new session"
}

// Keys are the chat's keys, those of a question first while one is open.
func (s *Screen) Keys() []keymap.Binding {
	if s.asking() {
		return append(s.askKeys(), s.active()...)
	}
	return s.active()
}

// Moving asks for ticks while something is under way.
func (s *Screen) Moving() bool {
	switch s.link.state {
	case connecting, lost:
		return true
	case attached:
		return s.tr.Busy() || len(s.outbox) > 0
	}
	return false
}

// Close detaches. A session in which nothing was ever said is let go of, so that it leaves no trace.
func (s *Screen) Close() tea.Cmd {
	s.keepDraft()
	if s.link.state == connecting && s.o.Start == nil {
		return nil
	}
	ref, port := s.ref(), s.o.Ports.Session
	sum := s.tr.Summary
	unused := s.o.Start != nil && s.link.state == attached && !sum.OnDisk && sum.UserMessages == 0 &&
		sum.Clients <= 1 && len(s.outbox) == 0 && !s.tr.Busy() && s.ed.Empty()
	s.link.state = ended
	return func() tea.Msg {
		port.Detach(ref)
		if unused {
			_ = port.Stop(ref) // what is left is an empty session that the daemon drops by itself
		}
		return nil
	}
}

// keepDraft remembers what was not sent, for when the session is opened again.
func (s *Screen) keepDraft() {
	if s.o.Drafts == nil || s.link.id == "" {
		return
	}
	text := s.ed.Value()
	for i := len(s.outbox) - 1; i >= 0; i-- {
		text = strings.TrimRight(s.outbox[i].Text+"\n\n"+text, "\n")
	}
	if strings.TrimSpace(text) == "" {
		delete(s.o.Drafts, s.link.id)
		return
	}
	s.o.Drafts[s.link.id] = text
}

// Interrupted takes a ctrl+c to clear the editor.
func (s *Screen) Interrupted() (screen.Screen, screen.Step, bool) {
	if s.ed.Empty() {
		return s, screen.Step{}, false
	}
	s.ed.Set("")
	s.popup = popup{}
	return s, screen.Step{}, true
}

// ref names the session as the daemon knows it.
func (s *Screen) ref() protocol.SessionRef {
	if s.link.id != "" {
		return protocol.SessionRef{ID: s.link.id}
	}
	return s.o.Ref
}

func (s *Screen) say(text string)  { s.note = note{text: text} }
func (s *Screen) warn(text string) { s.note = note{text: text, bad: true} }
