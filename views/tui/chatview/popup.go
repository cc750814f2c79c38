package chatview

import (
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"strings"
)

// popup completes a command's name while it is written.
type popup struct {
	choices []slash
	at      int
	closed  bool // by esc, until the text changes
}

const popupLines = 6

// suggest fits the popup to the editor's text.
func (s *Screen) suggest() {
	text := s.ed.Value()
	if !strings.HasPrefix(text, "/") || strings.ContainsAny(text, " \n\t") || !s.ed.AtEnd() {
		s.popup = popup{}
		return
	}
	if s.popup.closed {
		return
	}
	chosen := ""
	if s.popup.at < len(s.popup.choices) {
		chosen = s.popup.choices[s.popup.at].name
	}
	s.popup = popup{choices: completions(text[1:], s.slashes())}
	for i, c := range s.popup.choices {
		if c.name == chosen {
			s.popup.at = i
		}
	}
}

// completions are the commands that begin with a word.
func completions(word string, all []slash) []slash {
	var out []slash
	for _, c := range all {
		if strings.HasPrefix(c.name, word) {
			out = append(out, c)
		}
	}
	return out
}

// popupKey acts on the popup; false when the key is not its own.
func (s *Screen) popupKey(key string) bool {
	n := len(s.popup.choices)
	if n == 0 {
		return false
	}
	switch key {
	case "up":
		s.popup.at = (s.popup.at + n - 1) % n
	case "down":
		s.popup.at = (s.popup.at + 1) % n
	case "tab":
		s.complete()
	case "enter":
		if s.popup.choices[s.popup.at].name == s.ed.Value()[1:] {
			return false // whole already: enter runs it
		}
		s.complete()
		c, ok := s.commandNamed(s.ed.Value())
		return !ok || c.arg != "" // a command without arguments runs at once
	case "esc":
		s.popup = popup{closed: true}
	default:
		return false
	}
	return true
}

func (s *Screen) complete() {
	c := s.popup.choices[s.popup.at]
	text := "/" + c.name
	if c.arg != "" {
		text += " "
	}
	s.ed.Set(text)
	s.popup = popup{}
}

func (s *Screen) commandNamed(text string) (slash, bool) {
	name, _, ok := parseCommand(text)
	if !ok {
		return slash{}, false
	}
	for _, c := range s.slashes() {
		if c.name == name {
			return c, true
		}
	}
	return slash{}, false
}

// view draws the popup above the editor.
func (p *popup) view(th *theme.Theme, w, h int) []string {
	n := min(popupLines, h, len(p.choices))
	if n <= 0 {
		return nil
	}
	top := max(0, min(p.at-n/2, len(p.choices)-n))
	var out []string
	for i := top; i < top+n; i++ {
		c := p.choices[i]
		name := "/" + c.name
		if c.arg != "" {
			name += " " + c.arg
		}
		mark, style := "  ", th.Base
		if i == p.at {
			mark, style = theme.GlyphSelected+" ", th.Selected
		}
		left := cells.Fit(mark+name, min(w, 30))
		out = append(out, style.Render(left)+th.Muted.Render(cells.Cut(" "+c.help, w-cells.Width(left))))
	}
	return out
}
