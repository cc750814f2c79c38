package chatview

import (
	"dugout/views/sanitize"
	"dugout/views/transcript"
	"dugout/views/tui/cells"
	"dugout/views/tui/markdown"
	"dugout/views/tui/theme"
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// keptDrawings bounds how many items' lines are kept.
const keptDrawings = 1500

// drawer turns items into lines and keeps them: an item is drawn again only when its version, the
// width or the folding changed.
type drawer struct {
	th    theme.Theme
	md    *markdown.Renderer
	kept  map[string]*drawing
	round uint64 // of frames, to know what was used lately
}

type drawing struct {
	version uint64
	width   int
	expand  bool
	lines   []string
	doc     markdown.Doc
	used    uint64
}

func newDrawer(th theme.Theme) *drawer {
	return &drawer{th: th, md: markdown.New(th), kept: map[string]*drawing{}}
}

// next begins a frame.
func (d *drawer) next() {
	d.round++
	if len(d.kept) < keptDrawings {
		return
	}
	for id, k := range d.kept {
		if d.round-k.used > 3 {
			delete(d.kept, id)
		}
	}
}

// item draws one item at a width, with a blank line above it.
func (d *drawer) item(it *transcript.Item, width int, expand bool) []string {
	k, ok := d.kept[it.ID]
	if !ok {
		k = &drawing{}
		d.kept[it.ID] = k
	}
	k.used = d.round
	if ok && k.version == it.Version && k.width == width && k.expand == expand {
		return k.lines
	}
	k.version, k.width, k.expand = it.Version, width, expand
	lines := d.lines(it, &k.doc, max(1, width), expand)
	k.lines = append([]string{""}, lines...)
	if len(lines) == 0 {
		k.lines = nil
	}
	return k.lines
}

func (d *drawer) lines(it *transcript.Item, doc *markdown.Doc, w int, expand bool) []string {
	switch it.Kind {
	case transcript.User:
		return d.question(it, w, expand)
	case transcript.Answer:
		return d.md.Lines(doc, it.Text, w)
	case transcript.Thinking:
		return d.thinking(it, w, expand)
	case transcript.Tool:
		return d.card(it.Card, w, expand)
	case transcript.Error:
		return d.failure(it, w, expand)
	case transcript.Compaction:
		title := "the conversation so far was summarised"
		if it.Tokens > 0 {
			title += fmt.Sprintf(" (%s tokens)", count(it.Tokens))
		}
		return d.mark(title, it.Text, doc, w, expand)
	case transcript.Branch:
		return d.mark("what the branch left behind came to", it.Text, doc, w, expand)
	case transcript.Custom:
		return d.mark(sanitize.Line(it.Title, 100), it.Text, doc, w, true)
	case transcript.Notice:
		return []string{d.th.Faint.Render(cells.Cut("· "+sanitize.Line(it.Text, 1000), w))}
	}
	return nil
}

const longQuestion = 20

// question draws what the user said, as it was typed.
func (d *drawer) question(it *transcript.Item, w int, expand bool) []string {
	text := strings.TrimRight(it.Text, "\n")
	if it.Images > 0 {
		text += fmt.Sprintf("\n[%s]", plural(it.Images, "image"))
	}
	lines := d.plain(text, d.th.Base, w-2)
	lines = d.fold(lines, longQuestion, w-2, expand)
	return d.gutter(lines, theme.GlyphSelected+" ", d.th.User)
}

// gutter puts a mark before the first line and blanks before the others.
func (d *drawer) gutter(lines []string, mark string, style lipgloss.Style) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if i == 0 {
			out[i] = style.Render(mark) + l
		} else {
			out[i] = "  " + l
		}
	}
	return out
}

// plain wraps raw text.
func (d *drawer) plain(text string, style lipgloss.Style, w int) []string {
	return d.md.Plain(text, style, max(1, w))
}

// fold keeps the first n lines and counts the rest.
func (d *drawer) fold(lines []string, n, w int, expand bool) []string {
	if expand || len(lines) <= n+1 {
		return lines
	}
	more := d.th.Faint.Render(cells.Cut(fmt.Sprintf("… %d more lines", len(lines)-n), max(1, w)))
	return append(lines[:n:n], more)
}

const thinkingLines = 3

func (d *drawer) thinking(it *transcript.Item, w int, expand bool) []string {
	if it.Redacted && strings.TrimSpace(it.Text) == "" {
		return []string{d.th.Thinking.Render(cells.Cut("thought (not shown by the provider)", w))}
	}
	lines := d.plain(strings.TrimSpace(it.Text), d.th.Thinking, w-2)
	switch {
	case expand:
	case !it.Finished && len(lines) > thinkingLines:
		lines = lines[len(lines)-thinkingLines:]
	case it.Finished:
		lines = d.fold(lines, 1, w-2, false)
	}
	return d.gutter(lines, "~ ", d.th.Thinking)
}

func (d *drawer) failure(it *transcript.Item, w int, expand bool) []string {
	lines := d.plain(it.Text, d.th.Bad, w-2)
	if it.Question != "" {
		hint := "not answered: " + sanitize.Line(it.Question, 300)
		lines = append(lines, d.th.Muted.Render(cells.Cut(hint, max(1, w-2))))
	}
	if it.Detail != "" && it.Detail != it.Text {
		if expand {
			lines = append(lines, d.plain(it.Detail, d.th.Muted, w-2)...)
		} else {
			lines = append(lines, d.th.Faint.Render(cells.Cut("… the provider said more", max(1, w-2))))
		}
	}
	return d.gutter(lines, theme.GlyphFailed+" ", d.th.Bad)
}

// mark draws a rule with a title, and the text below it when all is shown.
func (d *drawer) mark(title, text string, doc *markdown.Doc, w int, expand bool) []string {
	head := "── " + title + " "
	head = cells.Cut(head, w)
	if n := min(w, 60) - cells.Width(head); n > 0 {
		head += strings.Repeat("─", n)
	}
	lines := []string{d.th.Faint.Render(head)}
	if expand && strings.TrimSpace(text) != "" {
		lines = append(lines, d.md.Lines(doc, text, w)...)
	}
	return lines
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// count writes a number of tokens shortly.
func count(n int) string {
	switch {
	case n >= 1_000_000:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%dk", n/1000)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprint(n)
}
