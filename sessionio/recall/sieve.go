package recall

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// sieve tells from a line's raw bytes that it holds nothing of a query, and never wrongly so: only
// what passes need be decoded. JSON may write any letter as an escape, so a line with the escape of a
// letter or digit passes.
type sieve struct {
	all   bool // the query says nothing about bytes
	every []needle
	some  []needle
}

// needle is a folded piece of a word that can stand in a line as it is.
type needle struct {
	text    []byte // ASCII letters, digits and signs that are written without an escape; or
	runes   []rune // of a word without such: raw UTF-8 in any case
	rare    int    // place in text of its rarest byte
	lo, hi  byte   // that byte in both cases
	escaped bool   // its letters could be escapes beyond ASCII
}

func newSieve(q Query) sieve {
	if q.exact {
		return sieve{all: true}
	}
	var s sieve
	for _, p := range q.parts {
		s.every = append(s.every, newNeedle(p))
	}
	if len(q.must) == 0 {
		for _, w := range q.words {
			s.some = append(s.some, newNeedle(w))
		}
	}
	return s
}

// plain says of a byte that writers of JSON put it down as it is.
func plain(b byte) bool {
	return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || strings.IndexByte("_-.:,;!?()[]{}@#$%*=~^|+", b) >= 0
}

// newNeedle takes the longest plain run of a word.
func newNeedle(word string) needle {
	best, from := "", 0
	for i := 0; i <= len(word); i++ {
		if i < len(word) && plain(word[i]) {
			continue
		}
		if i-from > len(best) {
			best = word[from:i]
		}
		from = i + 1
	}
	if len(best) >= 2 || best == word {
		n := needle{text: []byte(best)}
		for i := range n.text {
			if seldom(n.text[i]) > seldom(n.text[n.rare]) {
				n.rare = i
			}
		}
		n.lo, n.hi = n.text[n.rare], n.text[n.rare]
		if 'a' <= n.lo && n.lo <= 'z' {
			n.hi -= 'a' - 'A'
		}
		return n
	}
	if strings.ContainsAny(word, `"\/<>&'`+"\x7f") || slices.ContainsFunc([]byte(word), func(b byte) bool { return b < ' ' }) {
		return needle{} // may be written in several ways: everything passes
	}
	return needle{runes: []rune(word), escaped: true}
}

// seldom ranks bytes by how rare they are in JSON of prose and code.
func seldom(b byte) int {
	if i := strings.IndexByte(`etaoinsrhldcumfpgwybvk0x1j2zq3456789`, b); i >= 0 {
		return i
	}
	if b == '"' || b == ':' || b == ',' || b == '{' || b == '}' || b == '[' || b == ']' {
		return 0
	}
	return 20
}

// passes says that a line may hold what the query wants.
func (s *sieve) passes(line []byte) bool {
	if isToolResult(line) {
		return false
	}
	if s.all {
		return true
	}
	var ascii, beyond, looked bool
	escapes := func(n needle) bool {
		if !looked {
			ascii, beyond = escapedLetters(line)
			looked = true
		}
		return ascii || n.escaped && beyond
	}
	for _, n := range s.every {
		if !n.in(line) && !escapes(n) {
			return false
		}
	}
	if len(s.some) == 0 {
		return true
	}
	for _, n := range s.some {
		if n.in(line) || escapes(n) {
			return true
		}
	}
	return false
}

var (
	messageLine = []byte(`{"type":"message",`)
	messageKey  = []byte(`"message":{`)
	toolResult  = []byte(`"role":"toolResult"`)
)

// isToolResult knows the lines of tool results as this format's writers write them: they are most
// of a file, and not searched.
func isToolResult(line []byte) bool {
	if !bytes.HasPrefix(line, messageLine) {
		return false
	}
	head := line[:min(len(line), 400)]
	i := bytes.Index(head, messageKey)
	return i >= 0 && bytes.HasPrefix(line[i+len(messageKey):], toolResult)
}

// escapedLetters says whether a line has an ASCII letter, digit or plain sign written as an escape,
// and whether it has an escape of anything beyond ASCII.
func escapedLetters(line []byte) (ascii, beyond bool) {
	for {
		i := bytes.IndexByte(line, '\\')
		if i < 0 || i+1 >= len(line) {
			return ascii, beyond
		}
		if line[i+1] != 'u' || i+6 > len(line) {
			line = line[i+2:]
			continue
		}
		code := 0
		for _, c := range line[i+2 : i+6] {
			code = code<<4 | hexDigit(c)
		}
		switch {
		case code >= utf8.RuneSelf:
			beyond = true
		case code > ' ' && plain(byte(foldRune(rune(code)))):
			return true, true
		}
		line = line[i+6:]
	}
}

func hexDigit(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return 0
}

// in looks for the needle whatever the case.
func (n *needle) in(line []byte) bool {
	if n.runes != nil {
		return n.runesIn(line)
	}
	if len(n.text) == 0 {
		return true
	}
	last := len(line) - len(n.text) + n.rare // the rarest byte can't stand further on
	lo, hi := -1, -1                         // where it stands next in either case
	for at := n.rare; at <= last; at++ {
		if lo < at {
			lo = next(line, at, n.lo)
		}
		if hi < at {
			hi = lo
			if n.hi != n.lo {
				hi = next(line, at, n.hi)
			}
		}
		at = min(lo, hi)
		if at > last {
			return false
		}
		if equalFold(line[at-n.rare:at-n.rare+len(n.text)], n.text) {
			return true
		}
	}
	return false
}

// next is where a byte stands at or after a place, else beyond the end.
func next(line []byte, at int, b byte) int {
	if i := bytes.IndexByte(line[at:], b); i >= 0 {
		return at + i
	}
	return len(line)
}

// equalFold compares bytes with folded ASCII ones of the same length.
func equalFold(b, folded []byte) bool {
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != folded[i] {
			return false
		}
	}
	return true
}

func (n *needle) runesIn(line []byte) bool {
	for at := 0; at < len(line); {
		if line[at] < utf8.RuneSelf && n.runes[0] >= utf8.RuneSelf { // most bytes, passed over fast
			at++
			continue
		}
		r, size := utf8.DecodeRune(line[at:])
		at += size
		if foldRune(r) == n.runes[0] && beginsWith(line[at:], n.runes[1:]) {
			return true
		}
	}
	return false
}

func beginsWith(b []byte, folded []rune) bool {
	for _, want := range folded {
		r, size := utf8.DecodeRune(b)
		if foldRune(r) != want {
			return false
		}
		b = b[size:]
	}
	return true
}
