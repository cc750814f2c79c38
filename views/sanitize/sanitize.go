// Package sanitize is the only door from foreign text to a terminal: model output, tool output, file
// names, session titles. What comes out is valid UTF-8 with no escape sequence, no control
// character, no bidi override, and stays readable.
//
// Line and Text are for reading: what a terminal would obey is dropped. Show is for judging, before
// a permission is given: nothing is dropped, controls are spelled out.
package sanitize

import "unicode/utf8"

const defaultMax = 64 << 10

// Line makes one line: newlines, tabs and separators (U+2028, U+2029, U+0085) become a space,
// escape sequences are dropped whole, other controls are dropped, bidi controls, invisible
// characters and variation selectors are dropped, invalid bytes become U+FFFD. Text beyond maxBytes
// (0: 64 KiB) is not looked at, and the result is no longer than that.
func Line(s string, maxBytes int) string {
	if maxBytes <= 0 {
		maxBytes = defaultMax
	}
	if len(s) > maxBytes {
		s = s[:lastWhole(s, maxBytes)]
	}
	if plain(s) == len(s) {
		return s
	}
	w := lineWriter{out: make([]byte, 0, len(s)), max: maxBytes}
	walk(s, &w)
	return string(w.out)
}

// lastWhole is the largest n <= limit that does not cut a character of s.
func lastWhole(s string, limit int) int {
	for n := limit; n > 0 && n > limit-utf8.UTFMax; n-- {
		if utf8.RuneStart(s[n]) {
			return n
		}
	}
	return limit
}

// plain is the length of the beginning of s that is printable ASCII.
func plain(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] > 0x7e {
			return i
		}
	}
	return len(s)
}

// lineWriter collects one line of at most max bytes.
type lineWriter struct {
	out  []byte
	max  int
	full bool
}

func (w *lineWriter) ascii(s string) {
	if n := w.max - len(w.out); w.full || len(s) > n {
		s = s[:max(0, min(n, len(s)))]
		w.full = true
	}
	w.out = append(w.out, s...)
}

func (w *lineWriter) char(r rune) {
	if isPicture(r) {
		w.out = dropJoiners(w.out)
	}
	if w.full || len(w.out)+utf8.RuneLen(r) > w.max {
		w.full = true
		return
	}
	w.out = utf8.AppendRune(w.out, r)
}

func (w *lineWriter) newline()       { w.ascii(" ") }
func (w *lineWriter) tab()           { w.ascii(" ") }
func (w *lineWriter) carriage()      { w.ascii(" ") }
func (w *lineWriter) erase(_ string) {}

const joiner = "\u200d"

// dropJoiners takes joiners off the end: terminals disagree about the width of joined emoji, so a
// family is drawn as its members.
func dropJoiners(b []byte) []byte {
	for len(b) >= len(joiner) && string(b[len(b)-len(joiner):]) == joiner {
		b = b[:len(b)-len(joiner)]
	}
	return b
}

func isPicture(r rune) bool { return r >= 0x2190 && r != utf8.RuneError }
