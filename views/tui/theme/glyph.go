package theme

// Glyphs of the states. Each is one cell of neutral width in every terminal, and none stands
// without its word: colour and shape only help the eye.
const (
	GlyphPermission = "!"
	GlyphQuestion   = "?"
	GlyphFailed     = "✗"
	GlyphFinished   = "✓"
	GlyphIdle       = "◦"
	GlyphQueued     = "⋯"
	GlyphRetry      = "↻"
	GlyphSaved      = "∙"
	GlyphArchived   = "▫"
	GlyphSelected   = "›"
	GlyphWarning    = "⚠"
	GlyphClosed     = "▸"
	GlyphOpen       = "▾"
)

var pulse = [...]string{"◌", "◍", "◉", "◍"}

// Pulse is a frame of the glyph of work under way.
func Pulse(frame int) string {
	if frame < 0 {
		frame = 0
	}
	return pulse[frame%len(pulse)]
}
