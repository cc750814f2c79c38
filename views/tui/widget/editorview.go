package widget

import (
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"strings"
)

// textRow is a row of the text as drawn: text[from:to]. hard says that a line end closes it, which
// lies at to.
type textRow struct {
	from, to int
	hard     bool
	end      bool // the last one
}

// last is the last place where the cursor may stand in the row.
func (r textRow) last() int {
	if r.hard || r.end || r.to == r.from {
		return r.to
	}
	return r.to - 1
}

// rows wraps the text for w cells, at blanks where it can. The last cell is left to the cursor.
func (e *Editor) rows(w int) []textRow {
	w = max(w-1, 1)
	var out []textRow
	from, col, blank := 0, 0, -1
	for i, c := range e.text {
		if c == "\n" {
			out = append(out, textRow{from, i, true, false})
			from, col, blank = i+1, 0, -1
			continue
		}
		n := drawnWidth(c)
		if col+n > w && i > from {
			cut := i
			if blank >= from {
				cut = blank + 1
			}
			out = append(out, textRow{from, cut, false, false})
			from, blank = cut, -1
			col = e.span(cut, i)
		}
		col += n
		if c == " " {
			blank = i
		}
	}
	return append(out, textRow{from, len(e.text), false, true})
}

func rowOf(rows []textRow, at int) int {
	for i, r := range rows {
		if at <= r.last() {
			return i
		}
	}
	return len(rows) - 1
}

// drawn is a character as the terminal gets it.
func drawn(c string) string {
	if len(c) == 1 && c[0] >= 0x20 && c[0] < 0x7f {
		return c
	}
	if c == "\t" {
		return "    "
	}
	if s := sanitize.Line(c, 0); s != "" {
		return s
	}
	return "\ufffd"
}

func drawnWidth(c string) int {
	if len(c) == 1 && c[0] >= 0x20 && c[0] < 0x7f {
		return 1
	}
	return cells.Width(drawn(c))
}

// Height is how many rows the text takes at a width, at least one.
func (e *Editor) Height(w int) int { return len(e.rows(w)) }

// View draws the text in w cells and at most h rows, around the cursor, which shows when focused.
func (e *Editor) View(w, h int, th theme.Theme, focused bool) []string {
	if w <= 0 || h <= 0 {
		return nil
	}
	if e.Empty() {
		return []string{e.placeholder(w, th, focused)}
	}
	if !e.multi {
		return []string{e.oneLine(w, th, focused)}
	}
	rows := e.rows(w)
	at := rowOf(rows, e.at)
	top := 0
	if len(rows) > h {
		top = max(0, min(at-h/2, len(rows)-h))
	}
	var out []string
	for i := top; i < min(len(rows), top+h); i++ {
		cursor := -1
		if i == at && focused {
			cursor = e.at
		}
		out = append(out, cells.Cut(e.draw(rows[i].from, rows[i].to, cursor, th), w))
	}
	return out
}

func (e *Editor) placeholder(w int, th theme.Theme, focused bool) string {
	p := cells.Cut(e.Placeholder, w)
	if !focused {
		return th.Faint.Render(p)
	}
	if p == "" {
		return cursorCell(" ", th)
	}
	chars := characters(p)
	return cells.Cut(cursorCell(chars[0], th)+th.Faint.Render(strings.Join(chars[1:], "")), w)
}

// oneLine scrolls sideways so that the cursor shows.
func (e *Editor) oneLine(w int, th theme.Theme, focused bool) string {
	from, width := e.at, 1
	for from > 0 && width+drawnWidth(e.text[from-1]) <= w {
		from--
		width += drawnWidth(e.text[from])
	}
	to := e.at
	if to < len(e.text) {
		width += drawnWidth(e.text[to]) - 1
		to++
	}
	for to < len(e.text) && width+drawnWidth(e.text[to]) <= w {
		width += drawnWidth(e.text[to])
		to++
	}
	cursor := -1
	if focused {
		cursor = e.at
	}
	return cells.Cut(e.draw(from, to, cursor, th), w)
}

// draw writes text[from:to] with the cursor on a cell of it, or behind it.
func (e *Editor) draw(from, to, cursor int, th theme.Theme) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i == cursor {
			b.WriteString(cursorCell(drawn(e.text[i]), th))
			continue
		}
		b.WriteString(drawn(e.text[i]))
	}
	if cursor == to {
		b.WriteString(cursorCell(" ", th))
	}
	return b.String()
}

// cursorCell shows the cursor in reverse video, which is no colour: it stays without them.
func cursorCell(c string, th theme.Theme) string {
	if th.Colours {
		return th.Cursor.Render(c)
	}
	return "\x1b[7m" + c + "\x1b[m"
}
