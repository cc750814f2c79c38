// Package diff draws a unified diff as styled lines with line numbers. The text is foreign: it goes
// through sanitize, so that what is shown is what will be written, with controls spelled out.
package diff

import (
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// Kind is what a line of a diff is.
type Kind byte

const (
	Context Kind = ' '
	Added   Kind = '+'
	Removed Kind = '-'
	Hunk    Kind = '@'
	File    Kind = 'f' // a header
	Note    Kind = '\\'
)

// Line is one line of a diff; Old and New are 1-based line numbers, 0 where there is none.
type Line struct {
	Kind     Kind
	Old, New int
	Text     string // raw, without the mark
}

// Parse reads a unified diff. Text that is none comes back as context lines without numbers.
func Parse(src string) []Line {
	src = strings.TrimSuffix(src, "\n")
	if src == "" {
		return nil
	}
	var out []Line
	var old, now, oldLeft, newLeft int
	for _, l := range strings.Split(src, "\n") {
		inside := oldLeft > 0 || newLeft > 0
		switch {
		case inside && strings.HasPrefix(l, "+"):
			out = append(out, Line{Added, 0, now, l[1:]})
			now++
			newLeft--
		case inside && strings.HasPrefix(l, "-"):
			out = append(out, Line{Removed, old, 0, l[1:]})
			old++
			oldLeft--
		case inside && (l == "" || l[0] == ' '):
			out = append(out, Line{Context, old, now, strings.TrimPrefix(l, " ")})
			old++
			now++
			oldLeft--
			newLeft--
		case strings.HasPrefix(l, "@@"):
			old, oldLeft, now, newLeft = hunk(l)
			out = append(out, Line{Kind: Hunk, Text: l})
		case strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "), strings.HasPrefix(l, "diff "), strings.HasPrefix(l, "index "):
			out = append(out, Line{Kind: File, Text: l})
		case strings.HasPrefix(l, "\\"):
			out = append(out, Line{Kind: Note, Text: l})
		default:
			out = append(out, Line{Kind: Context, Text: l})
		}
	}
	return out
}

// hunk reads "@@ -a,b +c,d @@"; numbers that do not fit read as 0.
func hunk(l string) (old, oldN, now, newN int) {
	f := strings.Fields(l)
	if len(f) < 3 || len(f[1]) < 2 || len(f[2]) < 2 {
		return 0, 0, 0, 0
	}
	old, oldN = pair(f[1][1:])
	now, newN = pair(f[2][1:])
	return old, oldN, now, newN
}

func pair(s string) (from, n int) {
	a, b, ok := strings.Cut(s, ",")
	from, _ = strconv.Atoi(a)
	n = 1
	if ok {
		n, _ = strconv.Atoi(b)
	}
	return max(0, from), max(0, n)
}

// Stat counts added and removed lines.
func Stat(lines []Line) (added, removed int) {
	for _, l := range lines {
		switch l.Kind {
		case Added:
			added++
		case Removed:
			removed++
		}
	}
	return added, removed
}

// Options of Render.
type Options struct {
	Max     int  // lines at most, 0 for all; the rest is counted in a last line
	Headers bool // show the file headers
	Exact   bool // spell controls out instead of dropping them: for judging before a permission
	Wrap    bool // long lines go on below instead of being cut
}

// Render draws a diff at a width: every line is at most width cells.
func Render(th *theme.Theme, src string, width int, o Options) []string {
	lines := Parse(src)
	if !o.Headers {
		kept := lines[:0]
		for _, l := range lines {
			if l.Kind != File {
				kept = append(kept, l)
			}
		}
		lines = kept
	}
	digits := 0 // text without a hunk has no numbers
	for _, l := range lines {
		if n := max(l.Old, l.New); n > 0 {
			digits = max(digits, len(strconv.Itoa(n)))
		}
	}
	p := painter{th: th, width: width, digits: digits, o: o}
	if width < 2*digits+12 {
		p.digits = 0 // no room for numbers
	}
	var out []string
	for i, l := range lines {
		next := p.line(l)
		if o.Max > 0 && len(out)+len(next) > o.Max-1 && (i < len(lines)-1 || len(out)+len(next) > o.Max) {
			word := "lines"
			if len(lines)-i == 1 {
				word = "line"
			}
			return append(out, th.Faint.Render(cells.Cut(fmt.Sprintf("… %d more %s", len(lines)-i, word), width)))
		}
		out = append(out, next...)
	}
	return out
}

type painter struct {
	th            *theme.Theme
	width, digits int
	o             Options
}

func (p *painter) line(l Line) []string {
	if p.width <= 0 {
		return nil
	}
	clean := func(s string) string { return sanitize.Text(strings.ReplaceAll(s, "\r", "")) }
	if p.o.Exact {
		clean = sanitize.Show
	}
	text := strings.ReplaceAll(clean(l.Text), "\n", " ")
	mark, style := string(l.Kind)+" ", p.th.Muted
	switch l.Kind {
	case Added:
		style = p.th.Added
	case Removed:
		style = p.th.Removed
	case Hunk:
		mark, style = "", p.th.Hunk
	case File, Note:
		mark, style = "", p.th.Faint
	}
	gutter := ""
	if p.digits > 0 && l.Kind != Hunk && l.Kind != File && l.Kind != Note {
		gutter = number(l.Old, p.digits) + " " + number(l.New, p.digits) + " "
	}
	room := max(1, p.width-len(gutter)-len(mark))
	parts := []string{cells.Cut(text, room)}
	if p.o.Wrap {
		parts = pieces(text, room)
	}
	out := make([]string, len(parts))
	for i, part := range parts {
		if i > 0 {
			gutter, mark = strings.Repeat(" ", len(gutter)), strings.Repeat(" ", len(mark))
		}
		out[i] = p.cut(gutter, mark+part, style)
	}
	return out
}

func (p *painter) cut(gutter, text string, style lipgloss.Style) string {
	if gutter == "" {
		return style.Render(cells.Cut(text, p.width))
	}
	return p.th.Faint.Render(gutter) + style.Render(cells.Cut(text, max(0, p.width-len(gutter))))
}

// pieces breaks a line at the width alone.
func pieces(s string, w int) []string {
	var out []string
	for cells.Width(s) > w {
		head := ansi.Truncate(s, w, "")
		if head == "" {
			return append(out, cells.Cut(s, w))
		}
		out = append(out, head)
		s = s[len(head):]
	}
	return append(out, s)
}

func number(n, digits int) string {
	if n == 0 {
		return strings.Repeat(" ", digits)
	}
	return fmt.Sprintf("%*d", digits, n)
}
