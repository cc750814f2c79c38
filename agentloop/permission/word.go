package permission

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func readCommand(c *syntax.CallExpr) command {
	var cmd command
	for _, w := range c.Args {
		cmd.words = append(cmd.words, readWord(w))
	}
	return cmd
}

// readWord gives a word's text as far as it is known before the shell runs, and whether that is
// exactly what the shell will pass.
func readWord(w *syntax.Word) word {
	out := word{plain: true}
	if w == nil {
		return out
	}
	var b strings.Builder
	for i, p := range w.Parts {
		text, plain := readPart(p, i == 0)
		b.WriteString(text)
		out.plain = out.plain && plain
	}
	out.text = b.String()
	return out
}

func readPart(p syntax.WordPart, first bool) (text string, plain bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		return unescape(p.Value), plainLit(p.Value, first)
	case *syntax.SglQuoted:
		return p.Value, !p.Dollar
	case *syntax.DblQuoted:
		var b strings.Builder
		plain := !p.Dollar
		for _, q := range p.Parts {
			lit, ok := q.(*syntax.Lit)
			if !ok {
				b.WriteString(unknown)
				plain = false
				continue
			}
			b.WriteString(unescape(lit.Value))
			plain = plain && !strings.Contains(lit.Value, `\`)
		}
		return b.String(), plain
	}
	return unknown, false
}

// plainLit says that the shell changes nothing in unquoted text: no glob, tilde, brace or escape.
func plainLit(s string, first bool) bool {
	if strings.ContainsAny(s, `*?[]\`) || first && strings.HasPrefix(s, "~") ||
		strings.Contains(s, "=~") || strings.Contains(s, ":~") {
		return false
	}
	return !strings.Contains(s, "{") || !strings.Contains(s, ",") && !strings.Contains(s, "..")
}

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
			if s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
