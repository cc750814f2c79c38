package widget

import (
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/theme"
	"strings"
)

// Footer writes the keys marked for it in one line of at most w cells; what does not fit is left
// out whole, but for the last binding, which always shows: the way out or to help.
func Footer(bindings []keymap.Binding, w int, th theme.Theme) string {
	bs := keymap.Footer(bindings)
	if len(bs) == 0 {
		return ""
	}
	const gap = 2
	last := bs[len(bs)-1]
	room := w - hintWidth(last)
	var parts []string
	for _, b := range bs[:len(bs)-1] {
		n := hintWidth(b) + gap
		if n > room {
			break
		}
		room -= n
		parts = append(parts, hint(b, th))
	}
	return cells.Cut(strings.Join(append(parts, hint(last, th)), strings.Repeat(" ", gap)), w)
}

func hintWidth(b keymap.Binding) int { return cells.Width(b.Shown()) + 1 + cells.Width(b.Help) }

func hint(b keymap.Binding, th theme.Theme) string {
	return th.Key.Render(b.Shown()) + " " + th.Muted.Render(b.Help)
}
