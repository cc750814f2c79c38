package theme

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

const (
	noColours  = termenv.Ascii
	fewColours = termenv.ANSI
)

// Colours is how many colours to use.
type Colours int

const (
	Plain Colours = iota // none, for NO_COLOR and dumb terminals
	Sixteen
	TwoFiftySix
	True
)

// Renderer makes a renderer with everything set, so that it never asks the terminal.
func Renderer(w io.Writer, c Colours, dark bool) *lipgloss.Renderer {
	profile := map[Colours]termenv.Profile{Plain: termenv.Ascii, Sixteen: termenv.ANSI, TwoFiftySix: termenv.ANSI256, True: termenv.TrueColor}[c]
	r := lipgloss.NewRenderer(w, termenv.WithProfile(profile))
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(dark)
	return r
}
