package tool

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is a passage of the original text that an edit replaces.
type span struct {
	start, end int
	text       string
	edit       int // which edit, counted from 1
}

// applyEdits replaces the passages and leaves every other byte as it is. Each is found in the
// original text, with a byte-order mark left alone and line ends compared as \n.
func applyEdits(original string, edits []replacement) (string, error) {
	skip := 0
	if strings.HasPrefix(original, bom) {
		skip = len(bom)
	}
	exact := lineEnds(original, skip)
	var tolerant *folded // made when first needed
	var spans []span
	for i, e := range edits {
		old := strings.ReplaceAll(strings.TrimPrefix(e.OldText, bom), "\r\n", "\n")
		if old == "" {
			return "", fmt.Errorf("oldText of edit %d is empty: give the passage to replace, or use write for a new file", i+1)
		}
		start, end, found := exact.find(old)
		if found == 0 {
			if tolerant == nil {
				tolerant = tolerate(original, skip)
			}
			start, end, found = tolerant.findTolerantly(old)
		}
		if found != 1 {
			return "", notOnce(i+1, found, original, old)
		}
		spans = append(spans, span{start, end, newText(original, original[start:end], e.NewText), i + 1})
	}
	return splice(original, spans)
}

func splice(original string, spans []span) (string, error) {
	slices.SortStableFunc(spans, func(a, b span) int { return a.start - b.start })
	var out strings.Builder
	at := 0
	for i, s := range spans {
		if s.start < at {
			return "", fmt.Errorf("the edits %d and %d overlap: make one edit of them", spans[i-1].edit, s.edit)
		}
		out.WriteString(original[at:s.start])
		out.WriteString(s.text)
		at = s.end
	}
	out.WriteString(original[at:])
	if out.String() == original {
		return "", errors.New("the edits change nothing: newText is what is there already")
	}
	return out.String(), nil
}

// newText gives the replacement the line ends of the passage, or else of the file.
func newText(original, passage, text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	ends := passage
	if !strings.Contains(ends, "\n") {
		ends = original
	}
	if i := strings.IndexByte(ends, '\n'); i > 0 && ends[i-1] == '\r' {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// mostCounted is where counting the places of a passage ends.
const mostCounted = 100

func notOnce(edit, found int, original, old string) error {
	if found > 1 {
		return fmt.Errorf("oldText of edit %d occurs %d times: give more of the lines around it, so that it occurs once", edit, found)
	}
	hint := ""
	first, _, _ := strings.Cut(strings.TrimSpace(old), "\n")
	if first = strings.TrimSpace(first); first != "" {
		if i := strings.Index(original, first); i >= 0 {
			hint = fmt.Sprintf("; its first line is like line %d", 1+strings.Count(original[:i], "\n"))
		}
	}
	return fmt.Errorf("oldText of edit %d is not in the file%s: read the file again and copy the passage exactly", edit, hint)
}

// folded is a text with each byte's place in the original.
type folded struct {
	text  string
	start []int32 // nil: offset added to the index
	end   []int32
	skip  int
}

// find looks for a passage; found counts its places, and start and end are the first in the original.
func (f *folded) find(old string) (start, end, found int) {
	at := -1
	for i := 0; found < mostCounted; found++ {
		j := strings.Index(f.text[i:], old)
		if j < 0 {
			break
		}
		if at < 0 {
			at = i + j
		}
		i += j + 1
	}
	if at < 0 {
		return 0, 0, 0
	}
	start, end = f.at(at, at+len(old))
	return start, end, found
}

func (f *folded) at(start, end int) (int, int) {
	if f.start == nil {
		return start + f.skip, end + f.skip
	}
	return int(f.start[start]), int(f.end[end-1])
}

// lineEnds folds \r\n to \n.
func lineEnds(s string, skip int) *folded {
	if !strings.Contains(s, "\r\n") {
		return &folded{text: s[skip:], skip: skip}
	}
	var b strings.Builder
	f := &folded{}
	for i := skip; i < len(s); i++ {
		from := i
		if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			i++
		}
		b.WriteByte(s[i])
		f.start, f.end = append(f.start, int32(from)), append(f.end, int32(i+1))
	}
	f.text = b.String()
	return f
}

// tolerate folds what is easily mistaken: blanks at the ends of lines, quotes, dashes, odd spaces.
func tolerate(s string, skip int) *folded {
	var b strings.Builder
	f := &folded{}
	for at := skip; at < len(s); {
		line := s[at:]
		next := len(s)
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, next = line[:i], at+i+1
		}
		for i := 0; i < len(strings.TrimRightFunc(line, unicode.IsSpace)); {
			r, n := utf8.DecodeRuneInString(line[i:])
			to := line[i : i+n]
			if p := plain(r); p != r {
				to = string(p)
			}
			b.WriteString(to)
			for range len(to) {
				f.start, f.end = append(f.start, int32(at+i)), append(f.end, int32(at+i+n))
			}
			i += n
		}
		if next > at+len(line) {
			b.WriteByte('\n')
			end := at + len(line)
			from := end
			if strings.HasSuffix(line, "\r") {
				from--
			}
			f.start, f.end = append(f.start, int32(from)), append(f.end, int32(end+1))
		}
		at = next
	}
	f.text = b.String()
	return f
}

// findTolerantly finds a passage whose folded form is the same. Blanks that were dropped at the end
// of the passage must be at the end of a line there too.
func (f *folded) findTolerantly(old string) (start, end, found int) {
	want := tolerate(old, 0).text
	if strings.TrimSpace(want) == "" {
		return 0, 0, 0
	}
	lineEnd := !strings.HasSuffix(old, "\n") && strings.TrimRightFunc(old, unicode.IsSpace) != old
	for i := 0; ; {
		j := strings.Index(f.text[i:], want)
		if j < 0 || found == mostCounted {
			return start, end, found
		}
		from, to := i+j, i+j+len(want)
		i = from + 1
		if lineEnd && to < len(f.text) && f.text[to] != '\n' {
			continue
		}
		if found++; found == 1 {
			start, end = f.at(from, to)
		}
	}
}

// plain is the ASCII character that one is easily mistaken for.
func plain(r rune) rune {
	switch r {
	case '\u2018', '\u2019', '\u201a', '\u201b':
		return '\''
	case '\u201c', '\u201d', '\u201e', '\u201f':
		return '"'
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212':
		return '-'
	}
	if r != ' ' && unicode.Is(unicode.Zs, r) {
		return ' '
	}
	return r
}
