package theme

import (
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestColours(t *testing.T) {
	t.Parallel()
	for c, want := range map[Colours]string{Plain: "x", Sixteen: "\x1b[", TwoFiftySix: "38;5;", True: "38;2;"} {
		for _, dark := range []bool{true, false} {
			th := New(Renderer(io.Discard, c, dark))
			got := th.Accent.Render("x")
			if !strings.Contains(got, want) || (c == Plain) != (got == "x") {
				t.Errorf("colours %d, dark %v: %q", c, dark, got)
			}
			if th.Dark != dark || th.Colours != (c != Plain) {
				t.Errorf("colours %d, dark %v: theme says %v %v", c, dark, th.Dark, th.Colours)
			}
		}
	}
}

func TestGlyphsAreOneCell(t *testing.T) {
	t.Parallel()
	all := []string{GlyphPermission, GlyphQuestion, GlyphFailed, GlyphFinished, GlyphIdle, GlyphQueued, GlyphRetry, GlyphSaved, GlyphArchived, GlyphSelected, GlyphWarning, GlyphClosed, GlyphOpen}
	for i := range 8 {
		all = append(all, Pulse(i))
	}
	for _, g := range all {
		if ansi.StringWidth(g) != 1 || ansi.StringWidthWc(g) != 1 {
			t.Errorf("%q is %d and %d cells", g, ansi.StringWidth(g), ansi.StringWidthWc(g))
		}
	}
}
