// Package theme holds the styles of the terminal screens. It is also where Bubble Tea's question to
// the terminal at start is kept from being asked.
package theme

import "github.com/charmbracelet/lipgloss"

// Bubble Tea v1 asks the terminal for its background colour in its own package initialisation and
// waits up to 5 s for an answer, in every command that links it. Telling lipgloss a value first
// keeps it from asking. Go initialises packages by import path, and this one sorts before
// github.com/charmbracelet/bubbletea; it must not import it.
func init() { lipgloss.SetHasDarkBackground(true) }

// Theme is every style of the screens. A theme belongs to one renderer; a style made elsewhere would
// hang on a global one. The zero value is not usable; New makes one.
type Theme struct {
	Base     lipgloss.Style // plain text
	Muted    lipgloss.Style // what matters less
	Faint    lipgloss.Style // rules, placeholders
	Strong   lipgloss.Style
	Accent   lipgloss.Style // names, keys, the cursor's colour
	Heading  lipgloss.Style
	Selected lipgloss.Style // the row under the selection, whole
	Marker   lipgloss.Style // the glyph beside it
	Match    lipgloss.Style // what a search found

	Running lipgloss.Style
	Waiting lipgloss.Style // wants the person
	Good    lipgloss.Style
	Bad     lipgloss.Style

	Key    lipgloss.Style // a key in a footer
	Box    lipgloss.Style // an overlay's frame
	Danger lipgloss.Style // a box that destroys
	Cursor lipgloss.Style // the text cursor

	User     lipgloss.Style // transcript: a question
	Thinking lipgloss.Style
	ToolName lipgloss.Style
	Link     lipgloss.Style
	Code     lipgloss.Style // inline code
	Quote    lipgloss.Style
	Added    lipgloss.Style // diff
	Removed  lipgloss.Style
	Hunk     lipgloss.Style

	Syntax Syntax

	Dark    bool
	Colours bool // false with NO_COLOR and on a terminal without
}

// Syntax is the styles of highlighted code.
type Syntax struct {
	Keyword, Name, Type, String, Number, Comment, Operator lipgloss.Style
}

// tone is a colour for each kind of terminal. On 16 colours the terminal's own palette decides, so
// it is readable on either background.
func tone(dark bool, onDark, onLight, d256, l256, ansi string) lipgloss.TerminalColor {
	if dark {
		return lipgloss.CompleteColor{TrueColor: onDark, ANSI256: d256, ANSI: ansi}
	}
	return lipgloss.CompleteColor{TrueColor: onLight, ANSI256: l256, ANSI: ansi}
}

type palette struct {
	muted, faint, accent, green, yellow, red, blue, magenta, selection lipgloss.TerminalColor
}

func paletteOf(dark bool) palette {
	faint := "8"
	if !dark {
		faint = "7"
	}
	return palette{
		muted:     tone(dark, "#9a9a9a", "#5f5f5f", "247", "59", "8"),
		faint:     tone(dark, "#6c6c6c", "#949494", "242", "246", faint),
		accent:    tone(dark, "#6fb8c9", "#11697c", "74", "24", "6"),
		green:     tone(dark, "#87c47f", "#2f7d2a", "114", "28", "2"),
		yellow:    tone(dark, "#e0b354", "#8a5a00", "179", "94", "3"),
		red:       tone(dark, "#e57373", "#b3261e", "174", "124", "1"),
		blue:      tone(dark, "#86a8e7", "#2456a6", "110", "25", "4"),
		magenta:   tone(dark, "#c792c9", "#86378a", "176", "90", "5"),
		selection: tone(dark, "#303338", "#e4e7ec", "236", "254", "0"),
	}
}

// New makes the theme of a renderer, whose background (SetHasDarkBackground) and colour profile
// must have been set, or it would ask the terminal in the middle of a frame.
func New(r *lipgloss.Renderer) Theme {
	dark := r.HasDarkBackground()
	p := paletteOf(dark)
	s := func(c lipgloss.TerminalColor) lipgloss.Style { return r.NewStyle().Foreground(c) }
	t := Theme{
		Base: r.NewStyle(), Muted: s(p.muted), Faint: s(p.faint), Strong: r.NewStyle().Bold(true),
		Accent: s(p.accent), Heading: s(p.accent).Bold(true), Marker: s(p.accent).Bold(true),
		Match: r.NewStyle().Underline(true).Bold(true), Selected: selection(r, p),

		Running: s(p.green), Waiting: s(p.yellow).Bold(true), Good: s(p.green), Bad: s(p.red).Bold(true),

		Key: s(p.accent), Cursor: r.NewStyle().Reverse(true),
		Box:    r.NewStyle().Border(lipgloss.RoundedBorder()).BorderForeground(p.accent).Padding(0, 1),
		Danger: r.NewStyle().Border(lipgloss.RoundedBorder()).BorderForeground(p.red).Padding(0, 1),

		User: s(p.accent).Bold(true), Thinking: s(p.muted).Italic(true), ToolName: s(p.blue).Bold(true),
		Link: s(p.blue).Underline(true), Code: s(p.magenta), Quote: s(p.muted).Italic(true),
		Added: s(p.green), Removed: s(p.red), Hunk: s(p.blue),

		Syntax: Syntax{
			Keyword: s(p.magenta), Name: s(p.blue), Type: s(p.accent), String: s(p.green),
			Number: s(p.yellow), Comment: s(p.muted).Italic(true), Operator: r.NewStyle(),
		},
		Dark: dark, Colours: r.ColorProfile() != noColours,
	}
	return t
}

// selection is a background where there are enough colours for a quiet one, else bold alone.
func selection(r *lipgloss.Renderer, p palette) lipgloss.Style {
	if r.ColorProfile() == fewColours || r.ColorProfile() == noColours {
		return r.NewStyle().Bold(true)
	}
	return r.NewStyle().Background(p.selection)
}
