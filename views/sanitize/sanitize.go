// Package sanitize is the only door from foreign text to a terminal: model output, tool output, file
// names, session titles. What comes out is valid UTF-8 with no escape sequence, no control
// character, no bidi override, and stays readable.
package sanitize

// Line makes one line: newlines, tabs and separators (U+2028, U+2029, U+0085) become a space,
// escape sequences are dropped whole, other controls become U+FFFD or are dropped, bidi controls
// and variation selectors are dropped, invalid bytes become U+FFFD. Text beyond maxBytes (0: 64 KiB) is
// not looked at.
func Line(s string, maxBytes int) string { panic("contract") }

// Text is Line for text of several lines: LF is kept, CRLF becomes LF, a lone CR starts its line
// again as a terminal would, tabs become spaces to the next multiple of 4.
func Text(s string) string { panic("contract") }
