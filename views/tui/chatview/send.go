package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/views/tui/screen"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

type promptedMsg struct {
	prompt protocol.Prompt
	answer protocol.Prompted
	err    error
}

type dequeuedMsg struct {
	queued protocol.Queued
	err    error
}

// doneMsg is the answer of a call whose result shows by itself.
type doneMsg struct {
	what string // "rename the session"
	said string // shown when it went well; "" for nothing
	err  error
}

// submit takes the editor's text: a command, or a message.
func (s *Screen) submit(followUp bool) screen.Step {
	text := s.ed.Value()
	if strings.TrimSpace(text) == "" {
		return screen.Step{}
	}
	if name, arg, ok := parseCommand(text); ok {
		return s.command(name, arg)
	}
	if s.link.state == failed {
		s.warn("not sent: " + s.link.problem)
		return screen.Step{}
	}
	s.clearEditor()
	s.sent++
	p := protocol.Prompt{SessionRef: s.ref(), Text: text, FollowUp: followUp, ClientID: fmt.Sprintf("%s-%d", s.o.ClientID, s.sent)}
	s.outbox = append(s.outbox, p)
	s.scroll.toEnd()
	switch s.link.state {
	case attached:
		if len(s.outbox) == 1 { // else it follows the one before
			return screen.Step{Cmd: s.deliver(p)}
		}
	case ended: // stopped meanwhile: attaching opens it again
		s.link.state = connecting
		return screen.Step{Cmd: s.attach()}
	}
	return screen.Step{}
}

func (s *Screen) clearEditor() {
	s.ed.Set("")
	s.hist.Done()
	s.popup = popup{}
	s.escArmed = false
}

func (s *Screen) deliver(p protocol.Prompt) tea.Cmd {
	p.SessionRef = s.ref()
	port := s.o.Ports.Session
	return func() tea.Msg {
		answer, err := port.Prompt(p)
		return promptedMsg{p, answer, err}
	}
}

// onPrompted lets go of a message that is safe. One that was refused comes back into the editor; one
// whose connection broke waits for the next, under its id.
func (s *Screen) onPrompted(m promptedMsg) screen.Step {
	at := slices.IndexFunc(s.outbox, func(p protocol.Prompt) bool { return p.ClientID == m.prompt.ClientID })
	if at < 0 {
		return screen.Step{}
	}
	var refusal *protocol.Error
	switch {
	case m.err == nil:
		s.hist.SetItems(recalled(append(s.tr.Questions(), m.prompt.Text)))
	case errors.As(m.err, &refusal):
		s.warn("not sent: " + m.err.Error())
		s.backToEditor(m.prompt.Text)
	default:
		return screen.Step{} // the stream's end tells; it stays in the outbox
	}
	s.outbox = slices.Delete(s.outbox, at, at+1)
	return screen.Step{Cmd: s.deliverFirst()}
}

// deliverFirst sends the oldest message that waits: one at a time, so that they arrive in order.
func (s *Screen) deliverFirst() tea.Cmd {
	if len(s.outbox) == 0 || s.link.state != attached {
		return nil
	}
	return s.deliver(s.outbox[0])
}

// backToEditor puts text before what stands in the editor: nothing that was written is lost.
func (s *Screen) backToEditor(text string) {
	if !s.ed.Empty() {
		text += "\n\n" + s.ed.Value()
	}
	s.ed.Set(text)
}

func (s *Screen) takeBack() screen.Step {
	n := len(s.tr.Queue)
	if n == 0 {
		return screen.Step{}
	}
	d := protocol.Dequeue{SessionRef: s.ref(), QueueID: s.tr.Queue[n-1].ID}
	port := s.o.Ports.Session
	return screen.Step{Cmd: func() tea.Msg {
		q, err := port.Dequeue(d)
		return dequeuedMsg{q, err}
	}}
}

func (s *Screen) onDequeued(m dequeuedMsg) screen.Step {
	if m.err != nil {
		s.warn("not taken back: " + m.err.Error())
		return screen.Step{}
	}
	s.backToEditor(m.queued.Text)
	return screen.Step{}
}

func (s *Screen) abort() screen.Step {
	s.aborting = true
	ref, port := s.ref(), s.o.Ports.Session
	return screen.Step{Cmd: func() tea.Msg {
		return doneMsg{what: "stop the turn", err: port.Abort(ref)}
	}}
}

func (s *Screen) onDone(m doneMsg) screen.Step {
	switch {
	case m.err != nil:
		s.warn("could not " + m.what + ": " + m.err.Error())
		s.aborting = false
	case m.said != "":
		s.say(m.said)
	}
	return screen.Step{}
}
