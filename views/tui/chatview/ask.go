package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/diff"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"dugout/views/tui/widget"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// ask is the question of permission that shows. It opens by itself, so it must not take keys that
// were meant for the editor: it listens only when the editor is empty and a moment has passed, or
// when the person turned to it.
type ask struct {
	keys   []keymap.Binding
	id     string
	ripe   bool // the moment has passed
	turned bool // by the focus key
	sure   bool // always was pressed once
	word   *widget.Editor
}

type ripeMsg struct{ id string }

// question is the oldest open one.
func (s *Screen) question() *protocol.Permission {
	if len(s.tr.Permissions) == 0 {
		return nil
	}
	return &s.tr.Permissions[0]
}

// asking says that keys go to the question.
func (s *Screen) asking() bool {
	return s.question() != nil && (s.ask.turned || s.ask.word != nil || s.ask.ripe && s.ed.Empty())
}

// askChanged starts the moment of grace when another question shows.
func (s *Screen) askChanged() tea.Cmd {
	q, keys := s.question(), s.ask.keys
	if q == nil {
		s.ask = ask{keys: keys}
		return nil
	}
	if q.ID == s.ask.id {
		return nil
	}
	s.ask = ask{keys: keys, id: q.ID}
	return s.after(widget.Grace, ripeMsg{q.ID})
}

func (s *Screen) askKeys() []keymap.Binding {
	out := append([]keymap.Binding(nil), s.ask.keys...)
	q := s.question()
	for i, b := range out {
		if b.Action == Always && (q == nil || q.Rule == "") {
			out[i].Off = "no rule can be made of it"
		}
	}
	return out
}

// askKey acts on the question; false when the key is not its own.
func (s *Screen) askKey(k tea.KeyMsg) (screen.Step, bool) {
	if s.ask.word != nil {
		return s.wordKey(k), true
	}
	b, ok := keymap.Find(s.askKeys(), k.String())
	if !ok || k.Paste {
		s.ask.sure = false
		return screen.Step{}, false
	}
	q := s.question()
	switch b.Action {
	case Allow:
		return s.reply(protocol.Answer{PermissionID: q.ID, Allow: true}), true
	case Always:
		if !s.ask.sure {
			s.ask.sure = true
			return screen.Step{}, true
		}
		return s.reply(protocol.Answer{PermissionID: q.ID, Allow: true, Always: true}), true
	case Deny:
		return s.reply(protocol.Answer{PermissionID: q.ID}), true
	case DenyWord:
		ed := widget.NewEditor(false, s.o.Keys)
		ed.Placeholder = "what to do instead"
		s.ask.word = &ed
		return screen.Step{}, true
	}
	return screen.Step{}, false
}

func (s *Screen) wordKey(k tea.KeyMsg) screen.Step {
	switch {
	case k.Paste:
		s.ask.word.Key(k)
	case k.String() == "esc":
		s.ask.word = nil
	case k.String() == "enter":
		return s.reply(protocol.Answer{PermissionID: s.question().ID, Reason: strings.TrimSpace(s.ask.word.Value())})
	default:
		s.ask.word.Key(k)
	}
	return screen.Step{}
}

func (s *Screen) reply(a protocol.Answer) screen.Step {
	s.ask.word, s.ask.sure, s.ask.turned, s.ask.ripe = nil, false, false, false
	return s.call("answer", "", func(p Session, ref protocol.SessionRef) error {
		a.SessionRef = ref
		return p.Answer(a)
	})
}

// askView draws the question in at most h lines. The command or the change is spelled out exactly:
// nothing in it is hidden, and what does not fit is said to be missing.
func (s *Screen) askView(w, h int) []string {
	q := s.question()
	if q == nil || h <= 0 || w <= 0 {
		return nil
	}
	th := &s.o.Theme
	head := theme.GlyphPermission + " may it? " + sanitize.Line(q.Tool, 100)
	if q.Command == "" || q.Kind != "exec" {
		head += "  " + sanitize.Line(q.Title, 300)
	}
	if n := len(s.tr.Permissions); n > 1 {
		head += fmt.Sprintf("  (1 of %d)", n)
	}
	tail := s.askChoices(w)
	lines := []string{th.Waiting.Render(cells.Cut(head, w))}
	if h <= len(tail)+1 {
		lines = append(lines, tail...)
		return lines[:min(h, len(lines))]
	}
	room := h - len(lines) - len(tail)
	var reason []string
	if q.Reason != "" && room > 3 {
		reason = []string{th.Muted.Render(cells.Cut("  "+sanitize.Line(q.Reason, 500), w))}
		room--
	}
	lines = append(lines, s.askBody(q, w, room)...)
	return append(append(lines, reason...), tail...)
}

func (s *Screen) askBody(q *protocol.Permission, w, room int) []string {
	th := &s.o.Theme
	var body []string
	switch {
	case q.Command != "":
		for i, l := range strings.Split(sanitize.Show(q.Command), "\n") {
			mark := "  $ "
			if i > 0 {
				mark = "    "
			}
			for k, part := range cells.Wrap(l, max(1, w-4)) {
				if k > 0 {
					mark = "    "
				}
				body = append(body, cells.Cut(th.Faint.Render(mark)+part, w))
			}
		}
	case q.Preview != "":
		for _, l := range diff.Render(th, q.Preview, max(1, w-2), diff.Options{Exact: true, Wrap: true}) {
			body = append(body, cells.Cut("  "+l, w))
		}
	default:
		for _, p := range q.Paths {
			body = append(body, cells.Cut("  "+strings.ReplaceAll(sanitize.Show(p), "\n", `\n`), w))
		}
	}
	if len(body) > room && room > 0 {
		more := len(body) - room + 1
		body = append(body[:room-1], th.Waiting.Render(cells.Cut(fmt.Sprintf("  … %d more lines do not fit here: enlarge the window to see them", more), w)))
	}
	return body[:min(len(body), max(0, room))]
}

// askChoices is the last lines of the question: what the keys do, or the word of a denial.
func (s *Screen) askChoices(w int) []string {
	th := &s.o.Theme
	q := s.question()
	if s.ask.word != nil {
		label := "deny, and say: "
		line := s.ask.word.View(max(1, w-cells.Width(label)), 1, s.o.Theme, true)
		return []string{cells.Cut(th.Muted.Render(label)+strings.Join(line, ""), w)}
	}
	if !s.asking() {
		for _, b := range s.keys {
			if b.Action == Focus {
				return []string{th.Muted.Render(cells.Cut("  "+b.Shown()+" turns to the question; what you type goes to the editor", w))}
			}
		}
	}
	if s.ask.sure {
		return []string{th.Waiting.Render(cells.Cut("  once more to always allow in this session: "+sanitize.Line(q.Rule, 200), w))}
	}
	var parts []string
	for _, b := range s.askKeys() {
		if b.Off != "" || len(b.Keys) == 0 {
			continue
		}
		text := b.Help
		if b.Action == Always {
			text += " (" + sanitize.Line(q.Rule, 60) + ")"
		}
		parts = append(parts, th.Key.Render(b.Shown())+" "+text)
	}
	line := "  " + strings.Join(parts, "   ")
	if cells.Width(line) <= w {
		return []string{line}
	}
	var out []string
	for _, p := range parts {
		out = append(out, cells.Cut("  "+p, w))
	}
	return out
}
