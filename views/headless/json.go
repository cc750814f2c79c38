package headless

import (
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// NewEncoder writes JSON for programs, one value a line, that does no harm on a terminal either: what
// is no printable text stands in it as an escape, which means the same to who reads the JSON.
func NewEncoder(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(escaper{w})
	enc.SetEscapeHTML(false)
	return enc
}

// escaper replaces characters by their JSON escapes. It only sees whole values: the encoder writes
// each with one call. Outside of strings JSON has no such characters.
type escaper struct{ w io.Writer }

func (e escaper) Write(b []byte) (int, error) {
	if _, err := e.w.Write(escapeControls(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func escapeControls(b []byte) []byte {
	if isASCII(b) { // the encoder has escaped those below the space
		return b
	}
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && n == 1:
			out = utf8.AppendRune(out, utf8.RuneError)
		case r != '\n' && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control):
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf || c == 0x7f {
			return false
		}
	}
	return true
}
