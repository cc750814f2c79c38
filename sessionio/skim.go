package sessionio

import (
	"bytes"
	"errors"
	"io"
	"math"
	"unicode/utf8"
)

const (
	skimBuffer = 256 << 10

	// What is kept of one string: enough for 1,000 UTF-16 units, each written as \uXXXX.
	keptText  = 6 * maxTitleUnits
	keptArgs  = 8 << 10 // of a call's arguments
	keptShort = 1 << 20 // of a line; what stands in lists beyond is passed over
)

// keep says what of a value goes into a line's short form.
type keep uint8

const (
	keepNone   keep = iota // it is only checked
	keepFields             // the fields of wanted, with strings cut
	keepAll                // all fields, with strings cut, up to a number of bytes
)

// skimmer reads long lines, of which a file should be able to hold any number: it makes a short form of each
// that is a JSON object: the same object without what no index and no listing asks for. It accepts what encoding/json accepts, and
// its memory does not grow with the length of a line.
type skimmer struct {
	line line // the last one; its text is the short form, valid until the next call
	no   int  // lines seen, blank ones too
	err  error

	r        io.Reader
	buf      []byte
	pos, end int
	base     int64 // place in the file of the buffer's first byte
	eof      bool
	out      []byte
	stop     int // where arguments have had their share of out
}

// newSkimmer reads r, which begins at a place and after a number of lines of its file.
func newSkimmer(r *io.SectionReader, at int64, no int) *skimmer {
	return &skimmer{r: r, base: at, no: no, buf: make([]byte, min(max(r.Size(), 512), skimBuffer))}
}

// next goes to the next line that is not blank.
func (s *skimmer) next() bool {
	for {
		if s.pos == s.end {
			if s.refill(); s.pos == s.end {
				return false
			}
		}
		s.no++
		s.out = s.out[:0]
		s.line = line{no: s.no, offset: s.base + int64(s.pos)}
		if s.line.offset == 0 && bytes.HasPrefix(s.buf[s.pos:s.end], bom) {
			s.pos += len(bom)
		}
		c := s.space()
		if c == '{' && s.value(keepFields, keptText, 0) && s.space() == '\n' {
			s.line.text = s.out
		}
		s.toLineEnd()
		if s.err != nil {
			return false
		}
		if c != '\n' {
			return true
		}
	}
}

// toLineEnd passes over the rest of the line.
func (s *skimmer) toLineEnd() {
	for {
		if s.pos == s.end {
			if s.refill(); s.pos == s.end {
				s.line.length = s.base + int64(s.pos) - s.line.offset
				return
			}
		}
		i := bytes.IndexByte(s.buf[s.pos:s.end], '\n')
		if i < 0 {
			s.pos = s.end
			continue
		}
		s.line.length = s.base + int64(s.pos+i) - s.line.offset
		s.line.whole = true
		s.pos += i + 1
		return
	}
}

// refill reads on, once everything in the buffer is used.
func (s *skimmer) refill() {
	s.base += int64(s.end)
	s.pos, s.end = 0, 0
	for tries := 0; s.end == 0 && !s.eof; tries++ {
		n, err := s.r.Read(s.buf)
		s.end = n
		if err == nil && n == 0 && tries > 100 {
			err = io.ErrNoProgress
		}
		if err != nil {
			s.eof = true
			if !errors.Is(err, io.EOF) {
				s.err = err
			}
		}
	}
}

// peek is the next byte; at the end of the file it is the LF that is missing there. No reader below
// goes beyond an LF.
func (s *skimmer) peek() byte {
	if s.pos == s.end {
		if s.refill(); s.pos == s.end {
			return '\n'
		}
	}
	return s.buf[s.pos]
}

func (s *skimmer) space() byte {
	for {
		switch c := s.peek(); c {
		case ' ', '\t', '\r':
			s.pos++
		default:
			return c
		}
	}
}

func (s *skimmer) put(k keep, c byte) {
	if k != keepNone {
		s.out = append(s.out, c)
	}
}

func (s *skimmer) value(k keep, limit, depth int) bool {
	switch c := s.space(); c {
	case '{':
		return s.object(k, depth+1)
	case '[':
		return s.array(k, depth+1)
	case '"':
		return s.text(k, limit)
	case 't':
		return s.word(k, "true")
	case 'f':
		return s.word(k, "false")
	case 'n':
		return s.word(k, "null")
	default:
		return s.number(k)
	}
}

func (s *skimmer) object(k keep, depth int) bool {
	s.pos++
	if depth > maxNesting {
		return false
	}
	s.put(k, '{')
	if s.space() == '}' {
		s.pos++
		s.put(k, '}')
		return true
	}
	for n := 0; ; {
		if s.space() != '"' {
			return false
		}
		field, at := k, len(s.out)
		if k == keepAll && at > s.stop {
			field = keepNone
		}
		if n > 0 {
			s.put(field, ',')
		}
		key := len(s.out)
		if !s.text(field, keptText) || s.space() != ':' {
			return false
		}
		s.pos++
		limit := keptText
		if field == keepFields {
			if field, limit = s.wanted(s.out[key:]); field == keepNone {
				s.out = s.out[:at]
			}
		}
		if field != keepNone {
			n++
			s.out = append(s.out, ':')
		}
		if !s.value(field, limit, depth) {
			return false
		}
		switch s.space() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			s.put(k, '}')
			return true
		default:
			return false
		}
	}
}

func (s *skimmer) array(k keep, depth int) bool {
	s.pos++
	if depth > maxNesting {
		return false
	}
	s.put(k, '[')
	if s.space() == ']' {
		s.pos++
		s.put(k, ']')
		return true
	}
	for n := 0; ; {
		part := k
		if k == keepAll && len(s.out) > s.stop || len(s.out) > keptShort {
			part = keepNone
		}
		if part != keepNone {
			if n++; n > 1 {
				s.out = append(s.out, ',')
			}
		}
		if !s.value(part, keptText, depth) {
			return false
		}
		switch s.space() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			s.put(k, ']')
			return true
		default:
			return false
		}
	}
}

// text reads a string; what is kept of it is cut after limit bytes, at a rune or escape.
func (s *skimmer) text(k keep, limit int) bool {
	s.put(k, '"')
	s.pos++
	for {
		switch c := s.peek(); {
		case c == '"':
			s.pos++
			s.put(k, '"')
			return true
		case c == '\\':
			if !s.escape(k, &limit) {
				return false
			}
		case c < ' ':
			return false
		default:
			part := s.buf[s.pos:s.end]
			part = part[:plainEnd(part, 0)]
			s.pos += len(part)
			if k == keepNone || limit == 0 {
				continue
			}
			if len(part) > limit {
				for limit > 0 && !utf8.RuneStart(part[limit]) {
					limit--
				}
				part = part[:limit]
				limit = len(part)
			}
			s.out = append(s.out, part...)
			if limit -= len(part); limit < 0 {
				limit = 0
			}
		}
	}
}

func (s *skimmer) escape(k keep, limit *int) bool {
	at := len(s.out)
	s.put(k, '\\')
	s.pos++
	c := s.peek()
	digits := 0
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
	case 'u':
		digits = 4
	default:
		return false
	}
	s.put(k, c)
	s.pos++
	for range digits {
		c := s.peek()
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
		s.put(k, c)
		s.pos++
	}
	if k != keepNone {
		if size := len(s.out) - at; size <= *limit {
			*limit -= size
		} else {
			s.out, *limit = s.out[:at], 0
		}
	}
	return true
}

func (s *skimmer) word(k keep, w string) bool {
	for i := range len(w) {
		if s.peek() != w[i] {
			return false
		}
		s.put(k, w[i])
		s.pos++
	}
	return true
}

func (s *skimmer) number(k keep) bool {
	s.sign(k, "-")
	if s.peek() == '0' {
		s.put(k, '0')
		s.pos++
	} else if !s.digits(k) {
		return false
	}
	if s.peek() == '.' {
		s.put(k, '.')
		s.pos++
		if !s.digits(k) {
			return false
		}
	}
	if c := s.peek(); c|0x20 == 'e' {
		s.put(k, c)
		s.pos++
		s.sign(k, "+-")
		return s.digits(k)
	}
	return true
}

func (s *skimmer) sign(k keep, of string) {
	if c := s.peek(); bytes.IndexByte([]byte(of), c) >= 0 {
		s.put(k, c)
		s.pos++
	}
}

func (s *skimmer) digits(k keep) bool {
	n := 0
	for ; ; n++ {
		c := s.peek()
		if c < '0' || c > '9' {
			return n > 0
		}
		s.put(k, c)
		s.pos++
	}
}

// wanted says what to keep of a field, by its name in quotes, and how much of a string in it.
func (s *skimmer) wanted(quoted []byte) (keep, int) {
	switch decodeString(quoted) {
	case "type", "id", "parentId", "timestamp", "toolCallId", "targetId", "version", "cwd", "parentSession", "rlmDepth":
		return keepFields, math.MaxInt
	case "message", "role", "content", "text", "name", "stopReason", "errorMessage", "command", "customType",
		"provider", "model", "modelId", "thinkingLevel", "summary", "label",
		"usage", "totalTokens", "cost", "total",
		"state", "status", "taskState", "basedOnMessageCount", "git", "repoUrl", "commit", "branch":
		return keepFields, keptText
	case "arguments":
		s.stop = len(s.out) + keptArgs
		return keepAll, keptText
	}
	return keepNone, 0
}
