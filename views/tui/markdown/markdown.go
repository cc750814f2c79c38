// Package markdown draws Markdown as styled lines for a terminal: goldmark reads it, the drawing is
// our own. Text is foreign: all of it goes through sanitize, before it is read and again after
// entities were resolved; the only escape sequences in the result are the theme's styles and
// hyperlinks to http and https addresses.
//
// A text is cut into chunks at blank lines where no block can go on. Chunks are drawn and kept one by
// one, so that an answer that streams costs its last chunk for each piece, not the whole.
package markdown

import (
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Bounds beyond which text is shown as it is: no person writes this, and reading it could take long.
const (
	maxChunk = 32 << 10
	maxDepth = 12
)

// Renderer draws for one theme. Not safe for concurrent use.
type Renderer struct {
	th     theme.Theme
	parser parser.Parser
	styles map[attr]lipgloss.Style
}

// New makes a renderer.
func New(th theme.Theme) *Renderer {
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Linkify))
	return &Renderer{th: th, parser: md.Parser(), styles: map[attr]lipgloss.Style{}}
}

// Doc keeps what was drawn of one text. The zero value is empty.
type Doc struct {
	width  int
	defs   string
	chunks []drawn
}

type drawn struct {
	src   string
	lines []string
}

// Lines draws a text at a width: every line is at most width cells. What d has of an earlier, shorter
// state of the same text is used again. The lines are d's own.
func (r *Renderer) Lines(d *Doc, src string, width int) []string {
	if width <= 0 {
		return nil
	}
	parts, defs := split(src)
	if width != d.width || defs != d.defs {
		d.chunks = nil
	}
	d.width, d.defs = width, defs
	var out []string
	kept := d.chunks
	d.chunks = make([]drawn, 0, len(parts))
	for i, p := range parts {
		c := drawn{src: p}
		if i < len(kept) && kept[i].src == p {
			c = kept[i]
		} else {
			c.lines = r.chunk(p, defs, width)
		}
		d.chunks = append(d.chunks, c)
		if len(c.lines) > 0 && len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, c.lines...)
	}
	return out
}

// Render draws a text once.
func (r *Renderer) Render(src string, width int) []string {
	return r.Lines(&Doc{}, src, width)
}

// Plain draws text that is no Markdown: its lines as they are, wrapped.
func (r *Renderer) Plain(src string, style lipgloss.Style, width int) []string {
	var out []string
	for _, l := range strings.Split(sanitize.Text(src), "\n") {
		for _, part := range cells.Wrap(l, width) {
			out = append(out, style.Render(part))
		}
	}
	return out
}

func (r *Renderer) chunk(src, defs string, width int) []string {
	clean := sanitize.Text(src)
	if len(clean) > maxChunk {
		return r.Plain(clean, r.th.Base, width)
	}
	if defs != "" {
		clean = sanitize.Text(defs) + "\n\n" + clean
	}
	b := []byte(clean)
	p := &painter{r: r, src: b}
	lines := p.blocks(r.parser.Parse(text.NewReader(b)), width, false)
	for i, l := range lines {
		if cells.Width(l) > width {
			lines[i] = cells.Cut(l, width)
		}
	}
	return lines
}
