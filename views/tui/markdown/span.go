package markdown

import (
	"dugout/views/tui/cells"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// ink is a style of the theme.
type ink uint8

const (
	inkBase ink = iota
	inkHeading
	inkCode
	inkLink
	inkQuote
	inkMuted
	inkKeyword
	inkType
	inkString
	inkNumber
	inkComment
)

// attr is how a piece of text looks.
type attr struct {
	ink                  ink
	bold, italic, strike bool
	link                 string // sanitized http or https address
}

// span is a piece of one line, safe for a terminal.
type span struct {
	text string
	attr attr
}

// style is made once for each look: making one costs more than drawing with it.
func (r *Renderer) style(a attr) lipgloss.Style {
	a.link = ""
	if s, ok := r.styles[a]; ok {
		return s
	}
	th := &r.th
	s := map[ink]lipgloss.Style{
		inkBase: th.Base, inkHeading: th.Heading, inkCode: th.Code, inkLink: th.Link, inkQuote: th.Quote, inkMuted: th.Muted,
		inkKeyword: th.Syntax.Keyword, inkType: th.Syntax.Type, inkString: th.Syntax.String, inkNumber: th.Syntax.Number, inkComment: th.Syntax.Comment,
	}[a.ink]
	if a.bold {
		s = s.Bold(true)
	}
	if a.italic {
		s = s.Italic(true)
	}
	if a.strike {
		s = s.Strikethrough(true)
	}
	r.styles[a] = s
	return s
}

// paint draws a line.
func (r *Renderer) paint(line []span) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		text, a := line[i].text, line[i].attr
		for i++; i < len(line) && line[i].attr == a; i++ {
			text += line[i].text
		}
		out := text
		if a != (attr{}) {
			out = r.style(a).Render(text)
		}
		if a.link != "" && r.th.Colours {
			out = ansi.SetHyperlink(a.link) + out + ansi.ResetHyperlink()
		}
		b.WriteString(out)
	}
	return b.String()
}

func (r *Renderer) paintAll(lines [][]span) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = r.paint(l)
	}
	return out
}

// breaker wraps spans to lines.
type breaker struct {
	width  int
	lines  [][]span
	line   []span
	used   int
	word   []span
	wordW  int
	spaces []span
	spaceW int
}

// wrap breaks spans into lines of at most w cells, at spaces where it can, and at every newline.
func wrap(spans []span, w int) [][]span {
	b := breaker{width: max(1, w)}
	for _, s := range spans {
		b.add(s)
	}
	b.endWord()
	b.endLine()
	return b.lines
}

func (b *breaker) add(s span) {
	for text := s.text; text != ""; {
		n := strings.IndexAny(text, " \n")
		switch {
		case n < 0:
			b.piece(text, s.attr)
			return
		case n > 0:
			b.piece(text[:n], s.attr)
		}
		b.endWord()
		if text[n] == '\n' {
			b.endLine()
		} else {
			b.spaces = append(b.spaces, span{" ", s.attr})
			b.spaceW++
		}
		text = text[n+1:]
	}
}

func (b *breaker) piece(text string, a attr) {
	b.word = append(b.word, span{text, a})
	b.wordW += cells.Width(text)
}

func (b *breaker) endWord() {
	if len(b.word) == 0 {
		return
	}
	if b.used+b.spaceW+b.wordW > b.width {
		if b.used > 0 {
			b.newLine()
		}
		b.spaces, b.spaceW = nil, 0
	}
	b.line = append(b.line, b.spaces...)
	b.used += b.spaceW
	b.spaces, b.spaceW = nil, 0
	if b.wordW > b.width {
		b.hard()
	} else {
		b.line = append(b.line, b.word...)
		b.used += b.wordW
	}
	b.word, b.wordW = nil, 0
}

// hard breaks a word that is wider than a line.
func (b *breaker) hard() {
	for _, s := range b.word {
		for _, part := range hardParts(s.text, b.width-b.used, b.width) {
			w := cells.Width(part)
			if b.used > 0 && b.used+w > b.width {
				b.newLine()
			}
			b.line = append(b.line, span{part, s.attr})
			b.used += w
		}
	}
}

// hardParts cuts text into pieces: the first of at most first cells, the others of at most w.
func hardParts(text string, first, w int) []string {
	var parts []string
	from, used, room := 0, 0, first
	if room <= 0 {
		room = w
	}
	rest := text
	for pos := 0; len(rest) > 0; {
		cluster, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		if cluster == "" {
			cluster = rest[:1]
		}
		n := cells.Width(cluster)
		if used > 0 && used+n > room {
			parts = append(parts, text[from:pos])
			from, used, room = pos, 0, w
		}
		used += n
		pos += len(cluster)
		rest = rest[len(cluster):]
	}
	return append(parts, text[from:])
}

func (b *breaker) newLine() {
	b.lines = append(b.lines, b.line)
	b.line, b.used = nil, 0
}

func (b *breaker) endLine() {
	b.newLine()
	b.spaces, b.spaceW = nil, 0
}
