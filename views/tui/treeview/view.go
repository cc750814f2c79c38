package treeview

import (
	"dugout/sessionio"
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"dugout/views/tui/widget"
	"fmt"
	"strings"
)

const previewLines = 4

// View draws the tree with the selected row near the middle.
func (s *Screen) View(w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	th := &s.o.Theme
	top := []string{s.header(w)}
	if h >= 5 {
		line := strings.Join(s.search.View(max(1, w-2), 1, s.o.Theme, !s.moving), "")
		top = append(top, cells.Cut(th.User.Render("/")+" "+line, w))
	}
	var low []string
	if h >= 16 {
		low = append(low, s.preview(w)...)
	}
	if s.note != "" {
		style := th.Muted
		if s.bad {
			style = th.Bad
		}
		mark := ""
		if s.moving {
			mark = theme.Pulse(s.frame) + " "
		}
		low = append(low, style.Render(cells.Cut(mark+sanitize.Line(s.note, 1000), w)))
	}
	if h >= 4 {
		low = append(low, cells.Cut(widget.Footer(s.active(), w, s.o.Theme), w))
	}
	room := max(0, h-len(top)-len(low))
	body := s.list(w, room)
	for len(body) < room {
		body = append(body, "")
	}
	all := append(append(top, body...), low...)
	return strings.Join(all[:min(h, len(all))], "\n")
}

func (s *Screen) header(w int) string {
	th := &s.o.Theme
	right := s.look.Filter.String()
	if len(s.rows) > 0 {
		right = fmt.Sprintf("%d of %d · %s", s.at+1, len(s.rows), right)
	}
	title := cells.Fit("Tree", max(1, w-cells.Width(right)))
	return cells.Cut(th.Strong.Render(title)+th.Muted.Render(right), w)
}

func (s *Screen) list(w, h int) []string {
	th := &s.o.Theme
	if len(s.rows) == 0 {
		word := "reading the tree…"
		switch {
		case s.loaded && len(s.tree.Nodes) == 0:
			word = "nothing was said yet"
		case s.loaded:
			word = "nothing matches"
		case s.bad:
			word = ""
		}
		return []string{th.Muted.Render(cells.Cut(word, w))}[:min(1, h)]
	}
	from := max(0, min(s.at-h/2, len(s.rows)-h))
	var out []string
	for i := from; i < min(len(s.rows), from+h); i++ {
		out = append(out, s.row(&s.rows[i], i == s.at, w))
	}
	return out
}

// row draws one entry: mark of the selection, connectors, mark of the path, label, text.
func (s *Screen) row(r *Row, selected bool, w int) string {
	th := &s.o.Theme
	n := r.Node
	mark := "  "
	if selected {
		mark = theme.GlyphSelected + " "
	}
	prefix := cells.CutLeft(r.Prefix, max(0, w/2-2))
	path := "  "
	if n.OnLeafPath {
		path = "• "
	}
	label := ""
	if n.Label != "" {
		label = "[" + sanitize.Line(n.Label, 200) + "] "
	}
	text := sanitize.Line(n.Preview, 800)
	if word := kindWord(n); word != "" {
		text = strings.TrimSpace(word + ": " + text)
	}
	if text == "" {
		text = "(no text)"
	}
	here := ""
	if n.ID == s.tree.Leaf {
		here = "  ← here"
	}
	room := w - cells.Width(mark+prefix+path) - cells.Width(here)
	label = cells.Cut(label, max(0, room/2))
	text = cells.Cut(text, max(1, room-cells.Width(label)))
	style := th.Muted
	switch {
	case n.Type == sessionio.TypeMessage && n.Role == sessionio.RoleUser:
		style = th.User
	case n.Type == sessionio.TypeMessage && n.Role == sessionio.RoleAssistant:
		style = th.Base
	}
	if selected {
		style = style.Inherit(th.Selected)
	}
	line := th.Marker.Render(mark) + th.Faint.Render(prefix) + th.Accent.Render(path) +
		th.Waiting.Render(label) + style.Render(text) + th.Accent.Render(here)
	return cells.Cut(line, w)
}

// preview shows more of the selected entry than its row has room for.
func (s *Screen) preview(w int) []string {
	th := &s.o.Theme
	out := []string{th.Faint.Render(strings.Repeat("─", w))}
	row, ok := s.selected()
	if ok {
		for _, l := range cells.Wrap(sanitize.Line(row.Node.Preview, 4000), w) {
			if len(out) > previewLines-1 {
				break
			}
			out = append(out, th.Muted.Render(l))
		}
		when := ""
		if !row.Node.Time.IsZero() {
			when = row.Node.Time.Format("2006-01-02 15:04") + "  "
		}
		out = append(out, th.Faint.Render(cells.Cut(when+string(row.Node.ID), w)))
	}
	for len(out) < previewLines+1 {
		out = append(out, "")
	}
	return out
}
