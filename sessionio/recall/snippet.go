package recall

import (
	"strings"
	"unicode/utf8"
)

// snippet cuts out of a text what runs from the first place found to the last, with a little around
// it, on one line. What would be longer than most characters loses what lies between the places.
func snippet(text string, at []span, most int) string {
	if len(at) == 0 {
		return cut(text, span{0, len(text)}, most)
	}
	around := min(60, most/4)
	whole := span{at[0].from, at[0].to}
	for _, s := range at {
		whole.to = max(whole.to, s.to)
	}
	if whole.to-whole.from+2*around <= most {
		around = (most - (whole.to - whole.from)) / 2
		return cut(text, widen(text, whole, around), most)
	}
	each := most / len(at)
	var pieces []span
	for _, s := range at {
		s.to = min(s.to, s.from+max(each, 8))
		s = widen(text, s, max(0, each-(s.to-s.from))/2)
		if n := len(pieces); n > 0 && s.from <= pieces[n-1].to {
			pieces[n-1].to = max(pieces[n-1].to, s.to)
			continue
		}
		pieces = append(pieces, s)
	}
	var b strings.Builder
	for i, p := range pieces {
		if i > 0 || p.from > 0 {
			b.WriteString("… ")
		}
		b.WriteString(oneLine(text[p.from:p.to]))
		b.WriteByte(' ')
	}
	out := strings.TrimSuffix(b.String(), " ")
	if pieces[len(pieces)-1].to < len(text) {
		out += " …"
	}
	return out
}

// cut is a part of a text on one line, at most most characters of it, with marks where it was cut.
func cut(text string, s span, most int) string {
	out := text[s.from:s.to]
	end := s.to < len(text)
	if n := utf8.RuneCountInString(out); n > most {
		out, end = string([]rune(out)[:most]), true
	}
	out = oneLine(out)
	if s.from > 0 {
		out = "… " + out
	}
	if end {
		out += " …"
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// widen takes bytes in on both sides, then gives up the beginnings of words, or at least of runes.
func widen(text string, s span, by int) span {
	from, to := max(0, s.from-by), min(len(text), s.to+by)
	for from < s.from && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > s.to && to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	if from > 0 && from < s.from {
		if i := strings.IndexAny(text[from:s.from], " \t\r\n"); i >= 0 && i < 24 {
			from += i + 1
		}
	}
	if to < len(text) && to > s.to {
		if i := strings.LastIndexAny(text[s.to:to], " \t\r\n"); i >= 0 && to-s.to-i < 24 {
			to = s.to + i
		}
	}
	for to < len(text) && !utf8.RuneStart(text[to]) { // a place that was bounded inside a rune
		to++
	}
	return span{from, to}
}
