package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/widget"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// doneMsg is how something asked for went, in words.
type doneMsg struct {
	text string
	bad  bool
}

// startedMsg is a session that was started from the line, or that was not.
type startedMsg struct {
	prompt string
	opened protocol.Opened
	err    error
}

// answerMsg is the person's answer to a permission question, from the peek.
type answerMsg struct{ answer protocol.Answer }

// openMsg asks to open a session, from the peek.
type openMsg struct{ ref protocol.SessionRef }

// confirmedMsg is the yes to a question; run does it, to the session that the question showed.
type confirmedMsg struct{ run tea.Cmd }

func outcome(err error, ok, failed string) doneMsg {
	if err != nil {
		return doneMsg{failed + ": " + err.Error(), true}
	}
	return doneMsg{text: ok}
}

// name is a session's title as a sentence can hold it.
func name(r *roster.Record) string {
	return "“" + cells.Cut(sanitize.Line(r.Title(), 400), 40) + "”"
}

func (s *Screen) start(n protocol.NewSession) tea.Cmd {
	run := s.o.Ports.New
	return func() tea.Msg {
		opened, err := run(n)
		return startedMsg{n.Prompt, opened, err}
	}
}

// started selects the new session, or gives the prompt back when nothing was started.
func (s *Screen) started(m startedMsg) {
	if m.err != nil {
		if s.search.Empty() {
			s.keyMode = false
			s.setQuery(m.prompt)
		}
		s.say("not started: "+m.err.Error(), true)
		return
	}
	s.say("started: enter opens it", false)
	for _, k := range []roster.Key{roster.FileKey(m.opened.Summary.Path), roster.SessionKey(m.opened.Summary.ID)} {
		if s.list.Select(string(k)) {
			return
		}
	}
}

func (s *Screen) answer(m answerMsg) tea.Cmd {
	run := s.o.Ports.Answer
	word := "denied"
	if m.answer.Allow {
		word = "allowed"
	}
	return func() tea.Msg { return outcome(run(m.answer), word, "not "+word) }
}

// stop asks before it breaks off work.
func (s *Screen) stop() screen.Step {
	row, ok := s.selected()
	if !ok || row.Record.Live == nil {
		return screen.Step{}
	}
	r, run := row.Record, s.o.Ports.Stop
	ref, title := refOf(r), name(r)
	cmd := func() tea.Msg { return outcome(run(ref), "stopped "+title+"; its file stays", "not stopped") }
	if r.Section != roster.Running {
		return screen.Step{Cmd: cmd}
	}
	return s.ask(widget.Question{
		Title: "Stop " + title + "?",
		Body: []string{
			"It is at work (" + stateOf(r).word + "). That is broken off; everything said so far stays in its file, and it can be opened again.",
		},
		Choices: []widget.Choice{{Label: "Stop", Key: "y", Tell: confirmedMsg{cmd}}},
	})
}

func (s *Screen) ask(q widget.Question) screen.Step {
	return screen.Step{Nav: screen.Nav{Push: widget.NewConfirm(q, s.th, s.o.Keys)}}
}

func (s *Screen) archive() screen.Step {
	row, ok := s.selected()
	if !ok {
		return screen.Step{}
	}
	run, title := s.o.Ports.Archive, name(row.Record)
	a := protocol.Archive{SessionRef: refOf(row.Record), On: !archived(row.Record)}
	word := "archived"
	if !a.On {
		word = "no longer archived:"
	}
	cmd := func() tea.Msg { return outcome(run(a), word+" "+title, "not changed") }
	if !a.On || row.Record.Section != roster.Running {
		return screen.Step{Cmd: cmd}
	}
	return s.ask(widget.Question{
		Title:   "Archive " + title + "?",
		Body:    []string{"It is at work (" + stateOf(row.Record).word + "). That is broken off; everything said so far stays in its file."},
		Choices: []widget.Choice{{Label: "Archive", Key: "y", Tell: confirmedMsg{cmd}}},
	})
}

// confirmDelete names the session and says what goes where. The yes deletes the session shown,
// whatever stands on its row by then.
func (s *Screen) confirmDelete() screen.Step {
	row, ok := s.selected()
	if !ok {
		return screen.Step{}
	}
	r, run := row.Record, s.o.Ports.Delete
	ref, title := refOf(r), name(r)
	cmd := func() tea.Msg {
		d, err := run(ref)
		return outcome(err, deletedWords(d, title), "not deleted")
	}
	return s.ask(widget.Question{
		Title: "Delete " + title + "?", Danger: true, Body: s.deleteBody(row),
		Choices: []widget.Choice{{Label: "Delete", Key: "y", Tell: confirmedMsg{cmd}}},
	})
}

func (s *Screen) deleteBody(row roster.Row) []string {
	r := row.Record
	var body []string
	if r.Live != nil {
		body = append(body, "It is live ("+stateOf(r).word+") and is stopped first.")
	}
	if row.Running > 0 {
		body = append(body, fmt.Sprintf("%d of its children still %s: it will not be deleted before they are stopped.", row.Running, plural(row.Running, "runs", "run")))
	}
	path := r.Path()
	if r.Saved == nil && (r.Live == nil || !r.Live.OnDisk) {
		return append(body, "Nothing of it is on disk yet, so nothing is left of it.")
	}
	body = append(body, "To the trash (removed for good where there is no trash): "+s.short(path))
	return append(body, "Removed with it: its folder of artifacts, if it has one.")
}

func deletedWords(d protocol.Deleted, title string) string {
	switch d.Way {
	case "trashed":
		return "to the trash: " + title
	case "unlinked":
		return "removed for good (no trash here): " + title
	default:
		return "gone: " + title + " (it had no file)"
	}
}

// beginRename edits the name in the row.
func (s *Screen) beginRename() screen.Step {
	row, ok := s.selected()
	if !ok {
		return screen.Step{}
	}
	e := widget.NewEditor(false, s.o.Keys)
	e.Placeholder = "no name: the first question shows"
	e.Set(row.Record.Name())
	s.renaming = &renaming{key: row.Record.Key, ref: refOf(row.Record), editor: e}
	return screen.Step{}
}

func renameBindings() []keymap.Binding {
	return []keymap.Binding{
		{Keys: []string{"enter"}, Help: "rename", Footer: true},
		{Keys: []string{"esc"}, Help: "leave it", Footer: true},
	}
}

func (s *Screen) renameKey(k tea.KeyMsg) screen.Step {
	if !k.Paste {
		switch k.String() {
		case "esc":
			s.renaming = nil
			return screen.Step{}
		case "enter":
			r := protocol.Rename{SessionRef: s.renaming.ref, Name: strings.TrimSpace(s.renaming.editor.Value())}
			s.renaming = nil
			run := s.o.Ports.Rename
			ok := "renamed"
			if r.Name == "" {
				ok = "the name is gone: the first question shows"
			}
			return screen.Step{Cmd: func() tea.Msg { return outcome(run(r), ok, "not renamed") }}
		}
	}
	s.renaming.editor.Key(k)
	return screen.Step{}
}
