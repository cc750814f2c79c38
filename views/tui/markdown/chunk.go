package markdown

import "strings"

// split cuts a text where a blank line ends every block before it: outside fenced code, before a line
// that neither is indented nor continues a list or a quote. It also gathers the lines that define
// link references, which hold for every chunk.
func split(src string) (chunks []string, defs string) {
	var refs []string
	fence, start, blank := "", 0, false
	for pos := 0; pos < len(src); {
		end := strings.IndexByte(src[pos:], '\n')
		next := len(src)
		if end >= 0 {
			next = pos + end + 1
		}
		line := strings.TrimRight(src[pos:next], "\r\n")
		switch {
		case fence != "":
			if closes(line, fence) {
				fence = ""
			}
			blank = false
		case strings.TrimSpace(line) == "":
			blank = true
		default:
			if blank && begins(line) {
				chunks = append(chunks, src[start:pos])
				start = pos
			}
			blank = false
			fence = opens(line)
			if fence == "" && isDefinition(line) {
				refs = append(refs, line)
			}
		}
		pos = next
	}
	if start < len(src) {
		chunks = append(chunks, src[start:])
	}
	return chunks, strings.Join(refs, "\n")
}

// begins says that a line after a blank one can't belong to the block before it.
func begins(line string) bool {
	c := line[0]
	switch {
	case c == ' ' || c == '\t' || c == '>' || c == '-' || c == '*' || c == '+' || c == '<':
		return false
	case c >= '0' && c <= '9':
		return false
	}
	return true
}

// opens returns the fence that a line opens, "" for none. Marks of lists and quotes may stand before.
func opens(line string) string {
	s := strings.TrimLeft(line, " \t>-*+0123456789.)")
	for _, c := range []string{"`", "~"} {
		n := len(s) - len(strings.TrimLeft(s, c))
		if n < 3 {
			continue
		}
		if c == "`" && strings.Contains(s[n:], "`") {
			return "" // inline code
		}
		return s[:n]
	}
	return ""
}

func closes(line, fence string) bool {
	s := strings.TrimSpace(strings.TrimLeft(line, " \t>"))
	return strings.HasPrefix(s, fence) && strings.Trim(s, fence[:1]) == ""
}

func isDefinition(line string) bool {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 || !strings.HasPrefix(s, "[") || len(s) > 2000 {
		return false
	}
	i := strings.Index(s, "]:")
	return i > 1 && !strings.Contains(s[:i], "[^")
}
