package sessionio

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A skipping scanner: it walks over JSON, checks that it is JSON, and decodes nothing. Listing and
// opening read every byte of every file once through it. encoding/json is its oracle in the tests.

// maxNesting is how deep values may nest, as in encoding/json: deeper text counts as malformed.
const maxNesting = 10000

// skipValue returns the place behind the value that begins at i; ok is false for what is no JSON.
func skipValue(b []byte, i, depth int) (end int, ok bool) {
	if i >= len(b) {
		return i, false
	}
	switch c := b[i]; {
	case c == '"':
		return skipString(b, i)
	case c == '{' || c == '[':
		if depth >= maxNesting {
			return i, false
		}
		return skipNested(b, i, depth+1, nil)
	case c == '-' || c >= '0' && c <= '9':
		return skipNumber(b, i)
	case c == 't':
		return skipWord(b, i, "true")
	case c == 'f':
		return skipWord(b, i, "false")
	case c == 'n':
		return skipWord(b, i, "null")
	}
	return i, false
}

func skipWord(b []byte, i int, word string) (int, bool) {
	if len(b)-i < len(word) || string(b[i:i+len(word)]) != word {
		return i, false
	}
	return i + len(word), true
}

// skipNested walks an object or an array. each, when given, is told every member: of an object its
// key with the quotes, of an array nil.
func skipNested(b []byte, i, depth int, each func(key, value []byte)) (int, bool) {
	object, closing := b[i] == '{', byte(']')
	if object {
		closing = '}'
	}
	i = skipBlank(b, i+1)
	if i < len(b) && b[i] == closing {
		return i + 1, true
	}
	for {
		var key []byte
		if object {
			if i >= len(b) || b[i] != '"' {
				return i, false
			}
			end, ok := skipString(b, i)
			if !ok {
				return i, false
			}
			key = b[i:end]
			if i = skipBlank(b, end); i >= len(b) || b[i] != ':' {
				return i, false
			}
			i = skipBlank(b, i+1)
		}
		end, ok := skipValue(b, i, depth)
		if !ok {
			return i, false
		}
		if each != nil {
			each(key, b[i:end])
		}
		if i = skipBlank(b, end); i >= len(b) {
			return i, false
		}
		switch b[i] {
		case closing:
			return i + 1, true
		case ',':
			i = skipBlank(b, i+1)
		default:
			return i, false
		}
	}
}

func skipBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString walks a string from its opening quote.
func skipString(b []byte, i int) (int, bool) {
	for i++; ; {
		if i = plainEnd(b, i); i >= len(b) {
			return i, false
		}
		switch b[i] {
		case '"':
			return i + 1, true
		case '\\':
			n := escapeLength(b, i)
			if n == 0 {
				return i, false
			}
			i += n
		default: // a control character
			return i, false
		}
	}
}

// escapeLength is the length of the escape at i, 0 when it is none.
func escapeLength(b []byte, i int) int {
	if i+1 >= len(b) {
		return 0
	}
	switch b[i+1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if i+6 > len(b) {
			return 0
		}
		for _, c := range b[i+2 : i+6] {
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0
			}
		}
		return 6
	}
	return 0
}

// plainEnd is the first place from i on of a quote, a backslash or a control character, eight bytes
// at a time: in each byte the high bit is set where a subtraction borrowed.
func plainEnd(b []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, slash := x^(ones*'"'), x^(ones*'\\')
		hit := ((x - ones*0x20) &^ x) | ((quote - ones) &^ quote) | ((slash - ones) &^ slash)
		if hit &= highs; hit != 0 {
			return i + bits.TrailingZeros64(hit)/8 // the lowest hit is no false one
		}
	}
	for i < len(b) && b[i] != '"' && b[i] != '\\' && b[i] >= 0x20 {
		i++
	}
	return i
}

// skipNumber walks a number as JSON writes them.
func skipNumber(b []byte, i int) (int, bool) {
	if b[i] == '-' {
		i++
	}
	switch {
	case i >= len(b):
		return i, false
	case b[i] == '0':
		i++
	default:
		var ok bool
		if i, ok = skipDigits(b, i); !ok {
			return i, false
		}
	}
	if i < len(b) && b[i] == '.' {
		var ok bool
		if i, ok = skipDigits(b, i+1); !ok {
			return i, false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		return skipDigits(b, i)
	}
	return i, true
}

func skipDigits(b []byte, i int) (int, bool) {
	from := i
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i, i > from
}

// What lies inside of a value that skipValue has been over is walked again without checking it.

// innerObject reads the fields of an object that is known to be JSON; ok is false for another value.
func innerObject(b []byte) (f fields, ok bool) {
	if len(b) == 0 || b[0] != '{' {
		return nil, false
	}
	f = make(fields, 0, 12)
	for i := skipBlank(b, 1); b[i] != '}'; {
		end := stringEnd(b, i)
		key := b[i:end]
		i = skipBlank(b, skipBlank(b, end)+1) // the colon
		end = valueEnd(b, i)
		f = append(f, newField(key, b[i:end]))
		if i = skipBlank(b, end); b[i] == ',' {
			i = skipBlank(b, i+1)
		}
	}
	return f, true
}

// innerElements reads the values of an array that is known to be JSON; none for another value.
func innerElements(b []byte) (out [][]byte) {
	if len(b) == 0 || b[0] != '[' {
		return nil
	}
	for i := skipBlank(b, 1); b[i] != ']'; {
		end := valueEnd(b, i)
		out = append(out, b[i:end])
		if i = skipBlank(b, end); b[i] == ',' {
			i = skipBlank(b, i+1)
		}
	}
	return out
}

// valueEnd is the place behind a value that is known to be JSON.
func valueEnd(b []byte, i int) int {
	depth := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i) - 1; depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth < 0 {
				return i // the end of what the value lies in
			}
			if depth == 0 {
				return i + 1
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}

// stringEnd is the place behind a string that is known to be JSON: behind the first quote that no
// odd run of backslashes stands before.
func stringEnd(b []byte, i int) int {
	for from := i + 1; ; {
		q := bytes.IndexByte(b[from:], '"')
		if q < 0 {
			return len(b)
		}
		q += from
		n := q
		for n > i+1 && b[n-1] == '\\' {
			n--
		}
		if (q-n)%2 == 0 {
			return q + 1
		}
		from = q + 1
	}
}
