package markdown

import (
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// painter draws one parsed chunk.
type painter struct {
	r     *Renderer
	src   []byte
	depth int
	base  attr // of the text around: a quote's
}

// blocks draws a container's children, with a blank line between them unless they are tight.
func (p *painter) blocks(n ast.Node, w int, tight bool) []string {
	p.depth++
	defer func() { p.depth-- }()
	w = max(1, w)
	var out []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		lines := p.block(c, w)
		if len(lines) == 0 {
			continue
		}
		if len(out) > 0 && !tight {
			out = append(out, "")
		}
		out = append(out, lines...)
	}
	return out
}

func (p *painter) block(n ast.Node, w int) []string {
	if p.depth > maxDepth {
		return p.r.paintAll(wrap([]span{{p.raw(n), p.base}}, w))
	}
	switch n := n.(type) {
	case *ast.Heading:
		a := attr{ink: inkHeading}
		spans := append([]span{{strings.Repeat("#", n.Level) + " ", a}}, p.inline(n, a)...)
		return p.r.paintAll(wrap(spans, w))
	case *ast.FencedCodeBlock:
		lang := ""
		if l := n.Language(p.src); l != nil {
			lang = sanitize.Line(string(l), 40)
		}
		return p.code(p.raw(n), lang, w)
	case *ast.CodeBlock:
		return p.code(p.raw(n), "", w)
	case *ast.HTMLBlock:
		return p.r.paintAll(wrap([]span{{strings.TrimRight(p.raw(n), "\n"), attr{ink: inkMuted}}}, w))
	case *ast.ThematicBreak:
		return p.r.paintAll([][]span{{{strings.Repeat("─", min(w, 40)), attr{ink: inkMuted}}}})
	case *ast.Blockquote:
		return p.quote(n, w)
	case *ast.List:
		return p.list(n, w)
	case *extast.Table:
		return p.table(n, w)
	case *ast.LinkReferenceDefinition:
		return nil
	}
	if n.Type() == ast.TypeBlock && n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeBlock {
		return p.blocks(n, w, false)
	}
	spans := p.inline(n, p.base)
	if len(spans) == 0 {
		return nil
	}
	return p.r.paintAll(wrap(spans, w))
}

func (p *painter) quote(n ast.Node, w int) []string {
	was := p.base
	p.base = attr{ink: inkQuote}
	lines := p.blocks(n, w-2, false)
	p.base = was
	bar := p.r.paint([]span{{"│ ", attr{ink: inkMuted}}})
	for i := range lines {
		lines[i] = bar + lines[i]
	}
	return lines
}

// list draws items behind their marks; all marks of a list are as wide as its widest.
func (p *painter) list(n *ast.List, w int) []string {
	mark := func(i int) string {
		if n.IsOrdered() {
			return strconv.Itoa(n.Start+i) + ". "
		}
		return [...]string{"• ", "◦ ", "▪ "}[(p.depth-1)%3]
	}
	wide := cells.Width(mark(max(0, n.ChildCount()-1)))
	if wide >= w {
		wide = 0
	}
	var out []string
	i := 0
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		lines := p.blocks(c, w-wide, n.IsTight)
		if len(lines) == 0 {
			lines = []string{""}
		}
		if i > 0 && !n.IsTight {
			out = append(out, "")
		}
		head := strings.Repeat(" ", max(0, wide-cells.Width(mark(i)))) + mark(i)
		if wide == 0 {
			head = ""
		}
		for k, l := range lines {
			if k == 0 {
				l = p.r.paint([]span{{head, attr{ink: inkMuted}}}) + l
			} else {
				l = strings.Repeat(" ", wide) + l
			}
			out = append(out, l)
		}
		i++
	}
	return out
}

// raw is a block's own source.
func (p *painter) raw(n ast.Node) string {
	if n.Type() != ast.TypeBlock {
		return ""
	}
	var b strings.Builder
	lines := n.Lines()
	for i := range lines.Len() {
		s := lines.At(i)
		b.Write(s.Value(p.src))
	}
	if h, ok := n.(*ast.HTMLBlock); ok && h.HasClosure() {
		b.Write(h.ClosureLine.Value(p.src))
	}
	if b.Len() == 0 && n.FirstChild() != nil {
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if first := deepest(c); first != nil && first != n {
				b.WriteString(p.raw(first))
			}
		}
	}
	return b.String()
}

// deepest is the first block below a node that has lines of its own.
func deepest(n ast.Node) ast.Node {
	for n != nil && n.Type() == ast.TypeBlock {
		if n.Lines().Len() > 0 {
			return n
		}
		n = n.FirstChild()
	}
	return nil
}

// code draws a code block, indented; long lines go on below.
func (p *painter) code(src, lang string, w int) []string {
	indent := "  "
	if w < 10 {
		indent = ""
	}
	var out []string
	for _, line := range highlight(strings.TrimRight(src, "\n"), lang) {
		for _, l := range hardWrap(line, w-len(indent)) {
			out = append(out, indent+p.r.paint(l))
		}
	}
	return out
}

// hardWrap breaks a line at the width alone: the spaces of code mean something.
func hardWrap(line []span, w int) [][]span {
	w = max(1, w)
	var out [][]span
	var cur []span
	used := 0
	for _, s := range line {
		for _, part := range hardParts(s.text, w-used, w) {
			n := cells.Width(part)
			if used > 0 && used+n > w {
				out = append(out, cur)
				cur, used = nil, 0
			}
			cur = append(cur, span{part, s.attr})
			used += n
		}
	}
	return append(out, cur)
}
