package chatview

import (
	"dugout/views/sanitize"
	"dugout/views/transcript"
	"dugout/views/tui/cells"
	"dugout/views/tui/diff"
	"dugout/views/tui/theme"
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// How much of a card shows: folded, and when all is shown.
const (
	foldedOutput = 4
	foldedDiff   = 10
	allOutput    = 500
)

// card draws a tool call: a line that says what and how it went, and what came of it.
func (d *drawer) card(c *transcript.Card, w int, expand bool) []string {
	glyph, style := d.cardGlyph(c.State)
	word := cardWord(c)
	name := sanitize.Line(c.Tool, 60)
	head := style.Render(glyph) + " " + d.th.ToolName.Render(name)
	room := w - cells.Width(head)
	if word != "" {
		room -= cells.Width(word) + 2
	}
	if title := sanitize.Line(c.Title, 0); title != "" && room > 3 {
		title = cells.Cut(title, room-2)
		head += "  " + d.th.Base.Render(title)
	}
	if word != "" {
		head += "  " + style.Render(word)
	}
	lines := []string{cells.Cut(head, w)}
	for _, l := range d.cardBody(c, max(1, w-2), expand) {
		lines = append(lines, cells.Cut("  "+l, w))
	}
	return lines
}

func (d *drawer) cardGlyph(s transcript.CardState) (string, lipgloss.Style) {
	switch s {
	case transcript.CardOK:
		return theme.GlyphFinished, d.th.Good
	case transcript.CardFailed, transcript.CardDenied:
		return theme.GlyphFailed, d.th.Bad
	case transcript.CardInterrupted:
		return theme.GlyphFailed, d.th.Muted
	case transcript.CardAsking:
		return theme.GlyphPermission, d.th.Waiting
	case transcript.CardRunning:
		return theme.GlyphClosed, d.th.Running
	}
	return theme.GlyphQueued, d.th.Muted
}

// cardWord says the state, so that nothing hangs on the glyph or its colour.
func cardWord(c *transcript.Card) string {
	switch c.State {
	case transcript.CardOK:
		if c.Diff != "" {
			a, r := diff.Stat(diff.Parse(c.Diff))
			return fmt.Sprintf("+%d -%d", a, r)
		}
		return ""
	case transcript.CardFailed:
		if c.ExitCode != nil && *c.ExitCode != 0 {
			return fmt.Sprintf("exit %d", *c.ExitCode)
		}
		return "failed"
	case transcript.CardDenied:
		return "denied"
	case transcript.CardAsking:
		return "waits for you"
	case transcript.CardRunning:
		return "runs"
	case transcript.CardInterrupted:
		return "interrupted"
	case transcript.CardWriting:
		return "is being written"
	}
	return "waits"
}

// quiet are tools whose result the model reads and a person seldom does.
var quiet = map[string]bool{"read": true, "ls": true, "find": true, "grep": true}

func (d *drawer) cardBody(c *transcript.Card, w int, expand bool) []string {
	var out []string
	if expand && strings.Contains(strings.TrimSpace(c.Title), "\n") {
		out = append(out, d.fold(d.plain(c.Title, d.th.Muted, w), allOutput, w, false)...)
	}
	if c.Diff != "" {
		most := foldedDiff
		if expand {
			most = allOutput
		}
		return append(out, diff.Render(&d.th, c.Diff, w, diff.Options{Max: most})...)
	}
	text := strings.TrimRight(c.Output, "\n ")
	if c.Images > 0 {
		text = strings.TrimPrefix(text+"\n["+plural(c.Images, "image")+"]", "\n")
	}
	if text == "" {
		return out
	}
	if !expand && quiet[c.Tool] && c.State == transcript.CardOK {
		return append(out, d.th.Faint.Render(cells.Cut(plural(strings.Count(text, "\n")+1, "line"), w)))
	}
	style := d.th.Muted
	if c.State == transcript.CardFailed {
		style = d.th.Base
	}
	if expand {
		lines := d.plain(lastLines(text, allOutput*4), style, w)
		if over := len(lines) - allOutput; over > 0 {
			lines = append([]string{d.th.Faint.Render(cells.Cut(fmt.Sprintf("… %d lines before", over), w))}, lines[over:]...)
		}
		return append(out, lines...)
	}
	return append(out, d.tail(text, c, style, w)...)
}

// tail shows the end of an output: where a command stands, or how it ended. A line that is too long
// is cut.
func (d *drawer) tail(text string, c *transcript.Card, style lipgloss.Style, w int) []string {
	lines := strings.Split(sanitize.Text(lastLines(text, 200)), "\n")
	total := strings.Count(text, "\n") + 1
	shown := lines
	if c.State == transcript.CardDenied || c.State == transcript.CardInterrupted {
		shown = lines[:1]
	} else if total > foldedOutput+1 {
		shown = lines[max(0, len(lines)-foldedOutput):]
	}
	var out []string
	if hidden := total - len(shown); hidden > 0 || c.Cut {
		word := plural(hidden, "line") + " before"
		if c.Cut {
			word = "at least " + word
		}
		if c.State != transcript.CardDenied && c.State != transcript.CardInterrupted {
			out = append(out, d.th.Faint.Render(cells.Cut("… "+word, w)))
		}
	}
	for _, l := range shown {
		out = append(out, style.Render(cells.Cut(l, w)))
	}
	return out
}

// lastLines is the end of a text, at most n lines of it.
func lastLines(s string, n int) string {
	at := len(s)
	for range n {
		i := strings.LastIndexByte(s[:at], '\n')
		if i < 0 {
			return s
		}
		at = i
	}
	return s[at+1:]
}
