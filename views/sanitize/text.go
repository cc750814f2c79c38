package sanitize

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

const tabWidth = 4

// Text is Line for text of several lines: LF is kept, CRLF becomes LF, a lone CR starts its line
// again as a terminal would, tabs become spaces to the next multiple of 4.
func Text(s string) string {
	if plainText(s) {
		return s
	}
	w := textWriter{out: make([]byte, 0, len(s)+len(s)/16)}
	walk(s, &w)
	w.flush()
	return string(w.out)
}

func plainText(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 0x20 || c > 0x7e) && c != '\n' {
			return false
		}
	}
	return true
}

// textWriter collects lines. A line is plain bytes until its first CR; from then on it is a row of
// characters with a cursor, so that overwriting costs the same at any length.
type textWriter struct {
	out    []byte
	start  int // of the line in out
	tabAt  int // where the column was last known
	column int // and what it was
	row    []rune
	cursor int
	isRow  bool
}

func (w *textWriter) ascii(s string) {
	if !w.isRow {
		w.out = append(w.out, s...)
		return
	}
	for _, r := range s {
		w.put(r)
	}
}

func (w *textWriter) char(r rune) {
	if w.isRow {
		w.put(r)
		return
	}
	if isPicture(r) {
		w.out = dropJoiners(w.out)
	}
	w.out = utf8.AppendRune(w.out, r)
}

func (w *textWriter) put(r rune) {
	if w.cursor < len(w.row) {
		w.row[w.cursor] = r
	} else {
		w.row = append(w.row, r)
	}
	w.cursor++
}

func (w *textWriter) newline() {
	w.flush()
	w.out = append(w.out, '\n')
	w.start, w.tabAt, w.column = len(w.out), len(w.out), 0
}

func (w *textWriter) tab() {
	const blanks = "    "
	if w.isRow {
		w.ascii(blanks[:tabWidth-w.cursor%tabWidth])
		return
	}
	w.column += ansi.StringWidth(string(w.out[w.tabAt:]))
	n := tabWidth - w.column%tabWidth
	w.out = append(w.out, blanks[:n]...)
	w.column += n
	w.tabAt = len(w.out)
}

func (w *textWriter) carriage() {
	if !w.isRow {
		w.isRow = true
		w.row = append(w.row[:0], []rune(string(w.out[w.start:]))...)
		w.out = w.out[:w.start]
	}
	w.cursor = 0
}

func (w *textWriter) erase(params string) {
	if !w.isRow {
		return
	}
	switch params {
	case "", "0":
		w.row = w.row[:min(w.cursor, len(w.row))]
	case "2":
		w.row = w.row[:0]
		w.cursor = 0
	}
}

// flush writes the row, if the line became one.
func (w *textWriter) flush() {
	if !w.isRow {
		return
	}
	w.isRow = false
	for _, r := range w.row {
		w.char(r)
	}
}
