package markdown

import (
	"dugout/views/sanitize"
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// inline turns a block's inline nodes into spans.
func (p *painter) inline(n ast.Node, a attr) []span {
	p.depth++
	defer func() { p.depth-- }()
	var out []span
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, p.inlineNode(c, a)...)
	}
	return out
}

func (p *painter) inlineNode(n ast.Node, a attr) []span {
	if p.depth > 4*maxDepth {
		return nil
	}
	switch n := n.(type) {
	case *ast.Text:
		s := p.text(n.Segment.Value(p.src), n.IsRaw())
		if n.SoftLineBreak() || n.HardLineBreak() {
			s += "\n" // models mean the lines that they write
		}
		return []span{{s, a}}
	case *ast.String:
		return []span{{p.text(n.Value, n.IsRaw() || n.IsCode()), a}}
	case *ast.CodeSpan:
		return []span{{p.codeSpan(n), attr{ink: inkCode, link: a.link}}}
	case *ast.Emphasis:
		if n.Level >= 2 {
			a.bold = true
		} else {
			a.italic = true
		}
		return p.inline(n, a)
	case *extast.Strikethrough:
		a.strike = true
		return p.inline(n, a)
	case *extast.TaskCheckBox:
		if n.IsChecked {
			return []span{{"[x] ", a}}
		}
		return []span{{"[ ] ", a}}
	case *ast.Link:
		return p.link(p.inline(n, attr{ink: inkLink, bold: a.bold, italic: a.italic}), string(n.Destination))
	case *ast.Image:
		alt := flat(p.inline(n, a))
		return p.link([]span{{"[image: " + alt + "]", attr{ink: inkLink}}}, string(n.Destination))
	case *ast.AutoLink:
		label := sanitize.Line(string(n.Label(p.src)), 0)
		return p.link([]span{{label, attr{ink: inkLink}}}, string(n.URL(p.src)))
	case *ast.RawHTML:
		var b strings.Builder
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			b.Write(s.Value(p.src))
		}
		if tag := strings.ToLower(b.String()); strings.HasPrefix(tag, "<br") {
			return []span{{"\n", a}}
		}
		return []span{{sanitize.Line(b.String(), 0), attr{ink: inkMuted}}}
	}
	if n.HasChildren() {
		return p.inline(n, a)
	}
	return nil
}

// text is what a run of source reads as. Entities may stand for any character, so it is made safe
// once more.
func (p *painter) text(b []byte, raw bool) string {
	if raw {
		return sanitize.Line(string(b), 0)
	}
	return sanitize.Line(string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(b)))), 0)
}

func (p *painter) codeSpan(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Segment.Value(p.src))
		}
	}
	return sanitize.Line(b.String(), 0)
}

// link makes spans a hyperlink where the address is a web address, and shows the address where the
// text is not it: what is clicked is what is read.
func (p *painter) link(label []span, dest string) []span {
	shown := sanitize.Line(dest, 2000)
	if addr := webAddress(shown); addr != "" {
		for i := range label {
			label[i].attr.link = addr
		}
	}
	said := strings.TrimSpace(flat(label))
	if said == shown || shown == "" || "mailto:"+said == shown || strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(shown, "https://"), "http://"), "/") == strings.TrimSuffix(said, "/") {
		return label
	}
	return append(label, span{" (" + shown + ")", attr{ink: inkMuted}})
}

// webAddress is an address that may go into a hyperlink, written in plain ASCII; "" for all others.
func webAddress(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	out := u.String()
	for i := range len(out) {
		if out[i] <= ' ' || out[i] > '~' || out[i] == ';' {
			return ""
		}
	}
	return out
}

func flat(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.text)
	}
	return b.String()
}
