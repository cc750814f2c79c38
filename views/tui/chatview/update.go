package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/widget"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Update takes one message; the switch only dispatches.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return s, s.key(m)
	case tea.MouseMsg:
		return s, s.mouse(m)
	case screen.TickMsg:
		s.tick(m)
	case screen.SizeMsg:
		s.width, s.height = m.Width, m.Height
		s.ed.Width = max(1, m.Width-2)
	case startedMsg:
		return s, s.onStarted(m)
	case attachedMsg:
		return s, s.onAttached(m)
	case eventsMsg:
		return s, s.onEvents(m)
	case retryMsg:
		return s, s.onRetry()
	case ripeMsg:
		s.ask.ripe = s.ask.ripe || m.id == s.ask.id
	case pastedMsg:
		s.pasting--
	case promptedMsg:
		return s, s.onPrompted(m)
	case dequeuedMsg:
		return s, s.onDequeued(m)
	case doneMsg:
		return s, s.onDone(m)
	case olderMsg:
		s.onOlder(m)
	case modelsMsg:
		return s, s.onModels(m)
	case memoryMsg:
		return s, s.onMemory(m)
	case widget.PickedMsg:
		return s, s.onPicked(m)
	case NavigatedMsg:
		s.onNavigated(m)
	case ResumeMsg:
		return s, s.onResume(m)
	}
	return s, screen.Step{}
}

func (s *Screen) tick(m screen.TickMsg) {
	if s.started.IsZero() {
		s.started = m.Now
	}
	s.now = m.Now
	s.frame++
}

// key gives a key to the question, the popup, the screen or the editor, in this order.
func (s *Screen) key(k tea.KeyMsg) screen.Step {
	s.note = note{}
	if k.Paste || s.pasting > 0 {
		return s.paste(k)
	}
	key := k.String()
	if key != "esc" {
		s.escArmed = false
	}
	if s.asking() {
		if st, ok := s.askKey(k); ok {
			return st
		}
	}
	if s.popupKey(key) {
		return screen.Step{}
	}
	for _, b := range s.active() {
		if !b.Match(key) {
			continue
		}
		if do, ok := actions[b.Action]; ok {
			if st, done := do(s); done {
				return st
			}
		}
	}
	before := s.ed.Value()
	if s.ed.Key(k) && s.ed.Value() != before {
		s.popup.closed = s.popup.closed && s.ed.Value() == before
		s.hist.Done()
	}
	s.suggest()
	return screen.Step{}
}

// pasteGrace is how long after a paste keys still belong to it. A text with an end-of-paste mark in it
// comes as a paste and then as keys, all at once; no line of it may be sent or act as a command.
const pasteGrace = 120 * time.Millisecond

type pastedMsg struct{}

// paste takes text as text, whatever keys it is made of.
func (s *Screen) paste(k tea.KeyMsg) screen.Step {
	s.escArmed = false
	ed := &s.ed
	if s.ask.word != nil {
		ed = s.ask.word
	}
	switch {
	case k.Type == tea.KeyEnter:
		ed.Insert("\n")
	case k.Type == tea.KeyTab:
		ed.Insert("\t")
	case k.Paste || k.Type == tea.KeyRunes || k.Type == tea.KeySpace:
		ed.Insert(string(k.Runes))
	}
	s.suggest()
	if !k.Paste {
		return screen.Step{}
	}
	s.pasting++
	return screen.Step{Cmd: s.after(pasteGrace, pastedMsg{})}
}

// actions are what the keys do; false leaves the key to the editor.
var actions = map[keymap.Action]func(*Screen) (screen.Step, bool){
	Send:     func(s *Screen) (screen.Step, bool) { return s.submit(false), true },
	FollowUp: func(s *Screen) (screen.Step, bool) { return s.submit(s.tr.Busy()), true },
	Newline: func(s *Screen) (screen.Step, bool) {
		s.ed.Insert("\n")
		return screen.Step{}, true
	},
	Back: func(*Screen) (screen.Step, bool) { return screen.Step{Nav: screen.Nav{Pop: true}}, true },
	BackLeft: func(s *Screen) (screen.Step, bool) {
		return screen.Step{Nav: screen.Nav{Pop: true}}, true
	},
	Escape:   (*Screen).escape,
	Older:    (*Screen).older,
	Newer:    (*Screen).newer,
	Expand:   (*Screen).toggle,
	TakeBack: func(s *Screen) (screen.Step, bool) { return s.takeBack(), true },
	Model:    func(s *Screen) (screen.Step, bool) { return s.model(""), true },
	PageUp:   func(s *Screen) (screen.Step, bool) { return s.scrollBy(-max(1, s.bodyHeight()-2)), true },
	PageDown: func(s *Screen) (screen.Step, bool) { return s.scrollBy(max(1, s.bodyHeight()-2)), true },
	LineUp:   func(s *Screen) (screen.Step, bool) { return s.scrollBy(-1), true },
	LineDown: func(s *Screen) (screen.Step, bool) { return s.scrollBy(1), true },
	Top: func(s *Screen) (screen.Step, bool) {
		if !s.ed.Empty() {
			return screen.Step{}, false
		}
		if items := s.tr.Items(); len(items) > 0 {
			s.scroll = scroll{item: items[0].ID}
		}
		return s.scrollBy(0), true
	},
	End: func(s *Screen) (screen.Step, bool) {
		if !s.ed.Empty() && s.scroll.follow {
			return screen.Step{}, false
		}
		s.scroll.toEnd()
		return screen.Step{}, true
	},
	Focus: func(s *Screen) (screen.Step, bool) {
		s.ask.turned = true
		return screen.Step{}, true
	},
	Help: func(s *Screen) (screen.Step, bool) { return s.help(""), true },
}

// helpKeys are all keys, whatever the moment.
func (s *Screen) helpKeys() []keymap.Binding { return s.keys }

// escape does the nearest of: turn from a question, stop the work, clear the line, open the tree.
func (s *Screen) escape() (screen.Step, bool) {
	switch {
	case s.ask.turned:
		s.ask.turned, s.ask.sure = false, false
	case s.ask.sure:
		s.ask.sure = false
	case s.tr.Busy():
		return s.abort(), true
	case !s.ed.Empty():
		s.clearEditor()
	case s.escArmed:
		s.escArmed = false
		return s.openTree(""), true
	default:
		s.escArmed = true
	}
	return screen.Step{}, true
}

// older recalls an earlier question when the cursor can't go up any more.
func (s *Screen) older() (screen.Step, bool) {
	if s.ed.Key(tea.KeyMsg{Type: tea.KeyUp}) {
		return screen.Step{}, true
	}
	if text, ok := s.hist.Older(s.ed.Value()); ok {
		s.ed.Set(text)
	}
	return screen.Step{}, true
}

func (s *Screen) newer() (screen.Step, bool) {
	if s.ed.Key(tea.KeyMsg{Type: tea.KeyDown}) {
		return screen.Step{}, true
	}
	if text, ok := s.hist.Newer(); ok {
		s.ed.Set(text)
	}
	return screen.Step{}, true
}

func (s *Screen) toggle() (screen.Step, bool) {
	s.expand = !s.expand
	return screen.Step{}, true
}

func (s *Screen) mouse(m tea.MouseMsg) screen.Step {
	switch m.Button {
	case tea.MouseButtonWheelUp:
		return s.scrollBy(-3)
	case tea.MouseButtonWheelDown:
		return s.scrollBy(3)
	}
	return screen.Step{}
}

// olderEntries is how many entries a page of older ones has.
const olderEntries = 200

type olderMsg struct {
	entries protocol.Entries
	err     error
}

// scrollBy moves the transcript by lines and fetches older entries when the beginning is near.
func (s *Screen) scrollBy(by int) screen.Step {
	h := s.bodyHeight()
	p := s.page(s.width)
	end := bottom(p, h)
	at, ok := s.anchor(p)
	if s.scroll.follow || !ok || end.before(at) {
		at = end
	}
	if at = moved(p, at, by); !at.before(end) {
		s.scroll.toEnd()
		return screen.Step{}
	}
	s.scroll.follow, s.scroll.item, s.scroll.line = false, p.list[at.block].ID, at.line
	if at.block > 3 || !s.tr.More || s.paging || s.link.state != attached {
		return screen.Step{}
	}
	s.paging = true
	r := protocol.EntriesRange{SessionRef: s.ref(), Before: s.tr.First(), Limit: olderEntries}
	port := s.o.Ports.Session
	return screen.Step{Cmd: func() tea.Msg {
		es, err := port.Entries(r)
		return olderMsg{es, err}
	}}
}

func (s *Screen) onOlder(m olderMsg) {
	if !s.paging {
		return // a snapshot came meanwhile: these belong before something else
	}
	s.paging = false
	if m.err != nil {
		s.warn("older entries could not be read: " + m.err.Error())
		return
	}
	s.tr.Prepend(m.entries.Entries, m.entries.More)
	s.hist.SetItems(recalled(s.tr.Questions()))
}

// onNavigated takes the text of the message that the tree went back to.
func (s *Screen) onNavigated(m NavigatedMsg) {
	text := m.Navigated.EditorText
	switch {
	case text != "" && s.ed.Empty():
		s.ed.Set(text)
		s.say("moved: change the question and send it, and a branch begins here")
	case text != "":
		s.say("moved; the line was not empty, so the question stays in the tree")
	default:
		s.say("moved")
	}
	s.scroll.toEnd()
}
