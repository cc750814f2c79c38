package sanitize

import (
	"strings"
	"unicode/utf8"
)

// writer receives safe characters and the few controls that mean something for the layout.
type writer interface {
	ascii(s string) // printable ASCII
	char(r rune)
	newline()
	tab()
	carriage()           // a CR that no LF follows
	erase(params string) // erase in line (CSI K)
}

// walk reads s once and tells w what is left of it.
func walk(s string, w writer) {
	for len(s) > 0 {
		if n := plain(s); n > 0 {
			w.ascii(s[:n])
			s = s[n:]
			continue
		}
		switch c := s[0]; {
		case c == 0x1b:
			s = s[escape(s, w):]
		case c < 0x20 || c == 0x7f:
			s = s[control(s, w):]
		default:
			r, n := utf8.DecodeRuneInString(s)
			s = s[wide(s, r, n, w):]
		}
	}
}

// control handles a C0 control or DEL and says how many bytes it took.
func control(s string, w writer) int {
	switch s[0] {
	case '\n', '\v', '\f':
		w.newline()
	case '\t':
		w.tab()
	case '\r':
		if len(s) > 1 && s[1] == '\n' {
			w.newline()
			return 2
		}
		w.carriage()
	}
	return 1
}

// wide handles a character beyond ASCII, or an invalid byte.
func wide(s string, r rune, n int, w writer) int {
	switch {
	case r == 0x85:
		w.newline()
	case r == 0x9b:
		return n + csi(s[n:], w)
	case r == 0x90 || r == 0x98 || r >= 0x9d && r <= 0x9f:
		return n + stringLen(s[n:])
	case r < 0xa0, invisible(r):
	case r == 0x2028 || r == 0x2029:
		w.ascii(" ")
	case r == utf8.RuneError && n == 1:
		w.char(utf8.RuneError)
	default:
		w.char(r)
	}
	return n
}

// invisible says which characters are dropped: bidi controls (they reorder what a person reads),
// variation selectors (terminals disagree about the width), and others that show nothing and can
// hide text.
func invisible(r rune) bool {
	switch {
	case r < 0x61c:
		return r == 0xad
	case r == 0x61c, r == 0x180e, r >= 0x180b && r <= 0x180d, r == 0x180f,
		r == 0x200b, r == 0x200e, r == 0x200f,
		r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff, r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// escape handles what begins with ESC.
func escape(s string, w writer) int {
	if len(s) < 2 {
		return 1
	}
	switch c := s[1]; {
	case c == '[':
		return 2 + csi(s[2:], w)
	case strings.IndexByte("]PX^_", c) >= 0:
		return 2 + stringLen(s[2:])
	case c >= 0x20 && c <= 0x2f:
		n := 2
		for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
			n++
		}
		if n < len(s) && s[n] >= 0x30 && s[n] <= 0x7e {
			n++
		}
		return n
	case c >= 0x30 && c <= 0x7e:
		return 2
	}
	return 1
}

// csi is the length of a control sequence after its introducer; a malformed one ends before the
// byte that does not belong to it.
func csi(s string, w writer) int {
	n := 0
	for n < len(s) && s[n] >= 0x30 && s[n] <= 0x3f {
		n++
	}
	params := s[:n]
	for n < len(s) && s[n] >= 0x20 && s[n] <= 0x2f {
		n++
	}
	if n < len(s) && s[n] >= 0x40 && s[n] <= 0x7e {
		if s[n] == 'K' {
			w.erase(params)
		}
		n++
	}
	return n
}

// stringLen is the length of a control string (OSC, DCS, SOS, PM, APC) after its introducer, its
// terminator included. One that does not end on its line is no string: its text is kept, so that
// nobody hides the rest of a page behind an opened sequence. Each look stops at the next ESC, so
// that all of them together are linear.
func stringLen(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\a':
			return i + 1
		case 0x1b:
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return 0
		case '\n', '\r', 0x18, 0x1a:
			return 0
		case 0xc2:
			if i+1 < len(s) && s[i+1] == 0x9c {
				return i + 2
			}
			// Another C1 introducer would be looked at again from there.
			if i+1 < len(s) && s[i+1] >= 0x80 && s[i+1] < 0xa0 {
				return 0
			}
		}
	}
	return 0
}
