package widget

import (
	"dugout/views/tui/cells"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Box draws lines in a frame over the middle of what is below. Each line is cut to the width; the
// frame takes four cells and two lines.
func Box(below string, lines []string, style lipgloss.Style, want, w, h int) string {
	inner := max(1, min(want, w-4))
	if len(lines) > h-2 {
		lines = lines[:max(1, h-2)]
	}
	for i, l := range lines {
		lines[i] = cells.Fit(l, inner)
	}
	below = cells.Frame(below, w, h)
	box := style.Render(strings.Join(lines, "\n"))
	bw, bh := inner+4, len(lines)+2
	return cells.Frame(cells.Over(below, box, max(0, (w-bw)/2), max(0, (h-bh)/2)), w, h)
}

// boxRoom is how many cells and lines fit into a frame in a window.
func boxRoom(w, h int) (cols, lines int) { return max(1, w-4), max(1, h-2) }
