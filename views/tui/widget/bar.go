package widget

import (
	"github.com/charmbracelet/bubbles/progress"
	"github.com/muesli/termenv"
)

// Bar draws how far a count is, in width cells and without colour; in letters that are one cell wide
// on every terminal.
func Bar(done, total, width int) string {
	if total <= 0 || width <= 0 {
		return ""
	}
	p := progress.New(
		progress.WithWidth(width), progress.WithoutPercentage(), progress.WithFillCharacters('=', '-'),
		progress.WithColorProfile(termenv.Ascii),
	)
	return p.ViewAs(min(max(float64(done)/float64(total), 0), 1))
}
