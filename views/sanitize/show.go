package sanitize

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Show is for text that a person must judge, such as a command that asks for permission: nothing
// is dropped, so nothing can hide. LF stays, a tab becomes spaces, every other control, invisible
// character or invalid byte is spelled out (\x1b, \u202e).
func Show(s string) string {
	if plainText(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0xa0 && r > 0x7f, invisible(r), r == 0x200c, r == 0x200d, r == 0x2028, r == 0x2029:
			if r > 0xffff {
				fmt.Fprintf(&b, `\U%08x`, r)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}
