package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/transcript"
	"dugout/views/tui/screen"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

type linkState int

const (
	connecting linkState = iota
	attached
	lost   // will be tried again
	failed // can't be attached: the error says why
	ended  // the session was stopped, or the screen was left
)

// link is the screen's connection to its session.
type link struct {
	state   linkState
	id      sessionio.ID
	next    func() ([]protocol.Event, bool)
	cursor  protocol.Cursor
	tries   int
	problem string
}

type startedMsg struct {
	opened protocol.Opened
	err    error
}

type attachedMsg struct {
	stream Stream
	err    error
}

// eventsMsg is what came together; ok is false when the stream ended after it.
type eventsMsg struct {
	events []protocol.Event
	ok     bool
}

type retryMsg struct{}

func (s *Screen) start(n protocol.NewSession) tea.Cmd {
	if n.ClientID == "" {
		n.ClientID = s.o.ClientID + "-new"
	}
	port := s.o.Ports.Session
	return func() tea.Msg {
		opened, err := port.New(n)
		return startedMsg{opened, err}
	}
}

func (s *Screen) attach() tea.Cmd {
	a := protocol.Attach{SessionRef: s.ref()}
	if c := s.link.cursor; c.Generation != "" {
		a.Cursor = &c
	}
	port := s.o.Ports.Session
	return func() tea.Msg {
		stream, err := port.Attach(a)
		return attachedMsg{stream, err}
	}
}

func (s *Screen) read() tea.Cmd {
	next := s.link.next
	return func() tea.Msg {
		events, ok := next()
		return eventsMsg{events, ok}
	}
}

func (s *Screen) onStarted(m startedMsg) screen.Step {
	if m.err != nil {
		st := s.unreachable(m.err)
		if s.link.state == failed && s.o.Start.Prompt != "" {
			s.backToEditor(s.o.Start.Prompt)
		}
		return st
	}
	s.link.id = m.opened.Summary.ID
	s.tr.Summary = m.opened.Summary
	return screen.Step{Cmd: s.attach()}
}

func (s *Screen) onAttached(m attachedMsg) screen.Step {
	if m.err != nil {
		return s.unreachable(m.err)
	}
	a := m.stream.Attached
	s.link.state, s.link.tries, s.link.problem = attached, 0, ""
	s.link.next, s.link.cursor = m.stream.Next, a.Cursor
	var cmds []tea.Cmd
	if a.Session != "" {
		s.link.id = a.Session
	}
	if a.Snapshot != nil {
		s.link.id = a.Snapshot.Summary.ID
		if draft := s.o.Drafts[s.link.id]; draft != "" && s.ed.Empty() {
			s.ed.Set(draft)
			delete(s.o.Drafts, s.link.id)
		}
		s.tr.Load(a.Snapshot)
		s.replaced()
		cmds = append(cmds, s.askChanged())
	}
	cmds = append(cmds, s.read(), s.deliverFirst())
	return screen.Step{Cmd: tea.Batch(cmds...)}
}

// unreachable decides whether to try again. What the daemon refuses stays refused.
func (s *Screen) unreachable(err error) screen.Step {
	s.link.problem = err.Error()
	var refusal *protocol.Error
	if errors.As(err, &refusal) && refusal.Code != protocol.CodeShutdown {
		s.link.state = failed
		s.takeOutbox()
		return screen.Step{}
	}
	return s.again()
}

// takeOutbox puts the messages that can't be sent any more back into the editor, in their order.
func (s *Screen) takeOutbox() {
	for i := len(s.outbox) - 1; i >= 0; i-- {
		s.backToEditor(s.outbox[i].Text)
	}
	s.outbox = nil
}

// again tries to connect after a pause that grows to 5 s.
func (s *Screen) again() screen.Step {
	if s.link.state == attached {
		s.link.tries = 0
	}
	s.link.state = lost
	pause := min(5*time.Second, 200*time.Millisecond<<min(s.link.tries, 5))
	s.link.tries++
	return screen.Step{Cmd: s.after(pause, retryMsg{})}
}

func (s *Screen) onRetry() screen.Step {
	if s.link.state != lost {
		return screen.Step{}
	}
	if s.link.id == "" && s.o.Start != nil {
		return screen.Step{Cmd: s.start(*s.o.Start)}
	}
	return screen.Step{Cmd: s.attach()}
}

// onEvents folds a batch and asks for the next.
func (s *Screen) onEvents(m eventsMsg) screen.Step {
	if s.link.state != attached {
		return screen.Step{}
	}
	var cmds []tea.Cmd
	stale := false
	for i := range m.events {
		ev := &m.events[i]
		s.link.cursor = protocol.Cursor{Generation: ev.Generation, Seq: ev.Seq}
		was, before := s.tr.Summary.State, len(s.tr.Items())
		eff := s.tr.Apply(ev)
		s.open = s.open && ev.Type != protocol.EventEntry && !s.tr.Busy()
		stale = stale || eff.Stale
		if eff.Replaced {
			s.replaced()
		}
		if s.tr.Summary.State != was {
			s.started = s.now
			s.aborting = s.aborting && s.tr.Busy()
		}
		s.scroll.grew(len(s.tr.Items()) - before)
		if eff.Question != "" {
			s.giveBack(eff.Question)
		}
	}
	cmds = append(cmds, s.askChanged())
	switch {
	case s.tr.Closed != "":
		s.link.state, s.link.id = ended, s.tr.Summary.ID
		s.link.cursor = protocol.Cursor{}
		return screen.Step{Cmd: tea.Batch(cmds...)}
	case stale:
		s.link.cursor = protocol.Cursor{}
		s.link.state = lost
		return screen.Step{Cmd: tea.Batch(append(cmds, s.attach())...)}
	case !m.ok:
		st := s.again()
		return screen.Step{Cmd: tea.Batch(append(cmds, st.Cmd)...)}
	}
	return screen.Step{Cmd: tea.Batch(append(cmds, s.read())...)}
}

// replaced is called when a snapshot took the place of everything.
func (s *Screen) replaced() {
	s.hist.SetItems(recalled(s.tr.Questions()))
	s.started = s.now
	s.paging = false
	list := s.tr.Items()
	s.open = !s.tr.Busy() && len(list) > 0 && list[len(list)-1].Kind == transcript.User
	if s.tr.Closed == "" && s.aborting && !s.tr.Busy() {
		s.aborting = false
	}
}

// giveBack puts a question that failed into the editor, unless something else stands there.
func (s *Screen) giveBack(question string) {
	if !s.ed.Empty() {
		s.warn("the question failed; it is in the tree, and ↑ recalls it")
		s.hist.SetItems(append([]string{question}, recalled(s.tr.Questions())...))
		return
	}
	s.ed.Set(question)
	s.say("the question is back in the editor: enter tries again")
}

// recalled orders questions newest first, each once.
func recalled(questions []string) []string {
	seen := map[string]bool{}
	var out []string
	for i := len(questions) - 1; i >= 0; i-- {
		if q := questions[i]; !seen[q] {
			seen[q] = true
			out = append(out, q)
		}
	}
	return out
}
