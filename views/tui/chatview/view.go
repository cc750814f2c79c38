package chatview

import (
	"dugout/views/sanitize"
	"dugout/views/transcript"
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"dugout/views/tui/widget"
	"fmt"
	"path/filepath"
	"strings"
)

// narrow is a width at which marks and indents alone may fill a line.
const narrow = 12

// View draws the chat: transcript, then from below the keys, the state, the editor, and what is
// between them. What must be seen is given its room first.
func (s *Screen) View(w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	s.draw.next()
	low := s.lower(w, h)
	low = low[max(0, len(low)-h):]
	room := h - len(low)
	var top []string
	if room > 4 {
		top = []string{s.header(w)}
		room--
	}
	body := s.body(w, room)
	for len(body) < room {
		body = append(body, "")
	}
	all := append(append(top, body...), low...)
	if w < narrow {
		for i, l := range all {
			all[i] = cells.Cut(l, w)
		}
	}
	return strings.Join(all, "\n")
}

// bodyHeight is the room of the transcript at the window's last known size.
func (s *Screen) bodyHeight() int {
	low := len(s.lower(s.width, s.height))
	room := s.height - low
	if room > 4 {
		room--
	}
	return max(1, room)
}

// lower is everything below the transcript.
func (s *Screen) lower(w, h int) []string {
	th := &s.o.Theme
	rule := th.Faint.Render(strings.Repeat("─", w))
	edRows := max(1, min(8, h/3))
	editor := s.ed.View(max(1, w-2), edRows, s.o.Theme, !s.asking())
	for i, l := range editor {
		mark := "  "
		if i == 0 {
			mark = th.User.Render(theme.GlyphSelected) + " "
		}
		editor[i] = cells.Cut(mark+l, w)
	}
	bottom := []string{}
	if h >= 6 {
		bottom = append(bottom, rule)
	}
	bottom = append(bottom, editor...)
	if h >= 4 {
		bottom = append(bottom, s.status(w))
	}
	if h >= 6 {
		keys := s.active()
		bottom = append(bottom, cells.Cut(widget.Footer(keys, w, s.o.Theme), w))
	}
	room := h - len(bottom) - 3 // the transcript keeps a little
	mid := s.askView(w, room)
	if len(mid) > 0 {
		mid = append([]string{rule}, mid...)
	}
	room -= len(mid)
	mid = append(mid, s.popup.view(th, w, room)...)
	if room >= 3 {
		mid = append(mid, s.waiting(w)...)
	}
	if l := s.noteLine(w); l != "" {
		mid = append(mid, l)
	}
	return append(mid, bottom...)
}

func (s *Screen) header(w int) string {
	th := &s.o.Theme
	title := sanitize.Line(s.Title(), 500)
	place := ""
	if cwd := s.tr.Summary.CWD; cwd != "" {
		place = filepath.Base(cwd)
		if b := s.tr.Summary.GitBranch; b != "" {
			place += " (" + b + ")"
		}
		place = cells.Cut(sanitize.Line(place, 300), w/3)
	}
	title = cells.Cut(title, max(1, w-cells.Width(place)-2))
	pad := max(1, w-cells.Width(title)-cells.Width(place))
	return cells.Cut(th.Strong.Render(title)+strings.Repeat(" ", pad)+th.Muted.Render(place), w)
}

// waiting are the messages that were sent and are not in the transcript yet.
func (s *Screen) waiting(w int) []string {
	th := &s.o.Theme
	var out []string
	for _, p := range s.outbox {
		out = append(out, th.Muted.Render(cells.Cut(theme.GlyphQueued+" sending: "+sanitize.Line(p.Text, 1000), w)))
	}
	for _, q := range s.tr.Queue {
		when := "next"
		if q.FollowUp {
			when = "after the work"
		}
		out = append(out, th.Muted.Render(cells.Cut(fmt.Sprintf("%s %s: %s", theme.GlyphQueued, when, sanitize.Line(q.Text, 1000)), w)))
	}
	if n := len(out) - 3; n > 0 {
		out = append(out[n+1:], th.Muted.Render(cells.Cut(fmt.Sprintf("… and %d before them", n+1), w)))
	}
	return out
}

func (s *Screen) noteLine(w int) string {
	th := &s.o.Theme
	switch {
	case s.note.text != "" && s.note.bad:
		return th.Bad.Render(cells.Cut(sanitize.Line(s.note.text, 2000), w))
	case s.note.text != "":
		return th.Muted.Render(cells.Cut(sanitize.Line(s.note.text, 2000), w))
	case s.link.state == failed || s.link.state == lost && s.link.problem != "":
		return th.Bad.Render(cells.Cut(sanitize.Line(s.link.problem, 2000), w))
	case s.tr.Retry != nil:
		return th.Waiting.Render(cells.Cut(theme.GlyphRetry+" "+s.retryWord(), w))
	case s.open && s.link.state == attached:
		return th.Waiting.Render(cells.Cut("the last question was interrupted and has no answer: up recalls it", w))
	case !s.scroll.follow && s.scroll.fresh > 0:
		return th.Accent.Render(cells.Cut(fmt.Sprintf("▾ %d new below", s.scroll.fresh), w))
	}
	return ""
}

// items is the transcript as a page of blocks.
type items struct {
	list   []*transcript.Item
	draw   *drawer
	width  int
	expand bool
}

func (p *items) count() int { return len(p.list) }

func (p *items) lines(i int) []string { return p.draw.item(p.list[i], p.width, p.expand) }

func (s *Screen) page(w int) *items {
	return &items{list: s.tr.Items(), draw: s.draw, width: w, expand: s.expand}
}

// body draws the part of the transcript that shows.
func (s *Screen) body(w, h int) []string {
	if h <= 0 {
		return nil
	}
	p := s.page(w)
	if p.count() == 0 {
		return s.empty(w, h)
	}
	at, ok := s.anchor(p)
	end := bottom(p, h)
	if s.scroll.follow || !ok || end.before(at) {
		at = end
	}
	out := window(p, at, h)
	if at == (place{}) && len(out) > 0 && out[0] == "" && s.tr.More {
		out[0] = s.o.Theme.Faint.Render(cells.Cut("… older entries: scroll up", w))
	}
	return out
}

// anchor finds the place that is held while not following.
func (s *Screen) anchor(p *items) (place, bool) {
	for i, it := range p.list {
		if it.ID == s.scroll.item {
			return place{i, s.scroll.line}, true
		}
	}
	return place{}, false
}

func (s *Screen) empty(w, h int) []string {
	th := &s.o.Theme
	lines := []string{""}
	if s.link.state == attached {
		for _, l := range []string{
			"A new session. Nothing is kept before the first message.",
			"/resume goes on with an older one; ctrl+q shows them all.",
		} {
			lines = append(lines, th.Muted.Render(cells.Cut(l, w)))
		}
		if s.tr.Summary.Scripted {
			lines = append(lines, th.Waiting.Render(cells.Cut("This model is scripted, not an AI: say anything to learn its lines.", w)))
		}
	}
	return lines[:min(h, len(lines))]
}
