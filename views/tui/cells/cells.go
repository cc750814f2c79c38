// Package cells measures and cuts text by terminal cells. One measure everywhere: graphemes, as
// x/ansi counts them.
package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Ellipsis stands for what was cut.
const Ellipsis = "…"

// plain says that s is printable ASCII, where bytes are cells.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

// Width is the number of cells of one line; escape sequences of ours count nothing.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Cut shortens one line to at most w cells, with an ellipsis when something was cut.
func Cut(s string, w int) string {
	if w <= 0 {
		return ""
	}
	if plain(s) {
		if len(s) <= w {
			return s
		}
		return s[:w-1] + Ellipsis
	}
	return ansi.Truncate(s, w, Ellipsis)
}

// CutLeft shortens one line of plain text to at most w cells at its beginning, for paths, whose end
// says more.
func CutLeft(s string, w int) string {
	n := Width(s)
	switch {
	case w <= 0:
		return ""
	case n <= w:
		return s
	case w == 1:
		return Ellipsis
	}
	rest := ansi.TruncateLeft(s, n-w+1, "")
	for cut := n - w + 2; Width(rest) > w-1; cut++ { // it keeps a character that the edge cuts
		rest = ansi.TruncateLeft(s, cut, "")
	}
	return Ellipsis + rest
}

// Fit is Cut, then padding with spaces to exactly w cells.
func Fit(s string, w int) string {
	return Pad(Cut(s, w), w)
}

// Pad adds spaces up to w cells.
func Pad(s string, w int) string {
	if n := w - Width(s); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Wrap breaks text into lines of at most w cells, at words where it can. Empty text is one line.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	lines := strings.Split(ansi.Wrap(s, w, ""), "\n")
	for i, l := range lines {
		if Width(l) > w { // one character wider than the line
			lines[i] = Cut(l, w)
		}
	}
	return lines
}

// Frame makes a text exactly h lines of exactly w cells; what does not fit is cut.
func Frame(s string, w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	lines := strings.Split(s, "\n")
	if len(lines) > h {
		lines = lines[:h]
	}
	for i, l := range lines {
		lines[i] = Fit(l, w)
	}
	for len(lines) < h {
		lines = append(lines, strings.Repeat(" ", w))
	}
	return strings.Join(lines, "\n")
}

// Over draws a box onto a frame with its upper left corner at (x, y). A wide character that the
// box's edge cuts becomes a space, so that nothing moves.
func Over(frame, box string, x, y int) string {
	lines := strings.Split(frame, "\n")
	for i, b := range strings.Split(box, "\n") {
		at := y + i
		if at < 0 {
			continue
		}
		for len(lines) <= at {
			lines = append(lines, "")
		}
		lines[at] = overLine(lines[at], b, x)
	}
	return strings.Join(lines, "\n")
}

const reset = "\x1b[m"

func overLine(line, box string, x int) string {
	total, end := Width(line), x+Width(box)
	left := Pad(ansi.Truncate(line, x, ""), x)
	right := ""
	if total > end {
		right = ansi.TruncateLeft(line, end, "")
		for n := end + 1; Width(right) > total-end; n++ { // it keeps a character that the edge cuts
			right = ansi.TruncateLeft(line, n, "")
		}
		right = strings.Repeat(" ", max(0, total-end-Width(right))) + right
	}
	if strings.Contains(line, "\x1b") {
		left += reset
		box += reset
	}
	return left + box + right
}
