package sanitize

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// attack is every trick at once: title, clear, hyperlink, clipboard, C1, DCS, tab, CR, BS, bidi, LF,
// device query, alternate screen.
const attack = "x\x1b]0;PWNED\a\x1b[2J\x1b[31mred\x1b]8;;http://e.invalid\alink\x1b]52;c;UFdORUQ=\a\u009b31m\x1bP+q\x1b\\ tab\there cr\rover bs\b\b bidi\u202eabc\u2066 nl\nsecond \x1b[6n\x1b[?1049l end"

func TestLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                             "plain",
		"":                                  "",
		attack:                              "xredlink tab here cr over bs bidiabc nl second  end",
		"a\nb\tc\r\nd\u2028e\u2029f\u0085g": "a b c d e f g",
		"a\x00b\x7fc\u0080d":                "abcd",
		"bad \xff\xc3( utf":                 "bad \ufffd\ufffd( utf",
		"heart ❤\ufe0f":                     "heart ❤",
		"👨\u200d👩\u200d👧":                   "👨👩👧",
		"क्\u200dष":                         "क्\u200dष",
		"open \x1b]0;never closed":          "open 0;never closed",
		"\x1b(Bcharset \x1b#8 \x1b7x":       "charset  x",
		"csi cut \x1b[12":                   "csi cut ",
		"csi odd \x1b[1\x01mx":              "csi odd mx",
		"osc by C1 \u009d0;t\u009cend":      "osc by C1 end",
		"lone \x1b":                         "lone ",
		"tags \U000e0041\U000e007f.":        "tags .",
		"漢字 né":                             "漢字 né",
	} {
		if got := Line(in, 0); got != want {
			t.Errorf("Line(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestLineBound(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"abcdefgh": "abcd", "ab漢字": "ab", "\xff\xff\xff\xff": "\ufffd", "abc\x1b[31mdef": "abc",
	} {
		if got := Line(in, 4); got != want {
			t.Errorf("Line(%q, 4) = %q, want %q", in, got, want)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"one\ntwo":                  "one\ntwo",
		"a\r\nb\r\n":                "a\nb\n",
		" 10%\r 20%\r100%\ndone":    "100%\ndone",
		"hello\rab":                 "abllo",
		"hello\r\x1b[Kab\nx":        "ab\nx",
		"hello\rab\x1b[2Kc":         "c",
		"kept\r\r\nnext":            "kept\nnext",
		"a\tb\tcd\n\tx":             "a   b   cd\n    x",
		"漢\tx":                      "漢  x",
		"\x1b[1mbold\x1b[0m\x1b[5n": "bold",
		"a\vb\fc":                   "a\nb\nc",
		"a\u2028b":                  "a b",
		"x\x1b]0;t\ny\x07z":         "x0;t\nyz",
	} {
		if got := Text(in); got != want {
			t.Errorf("Text(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestShowHidesNothing(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ls -l\n\techo":                 "ls -l\n    echo",
		"echo hi\x1b]0; rm -rf ~\a":     `echo hi\x1b]0; rm -rf ~\x07`,
		"rm x\rls":                      `rm x\x0dls`,
		"a\u202eb\u200dc\U000e0041\xff": `a\u202eb\u200dc\U000e0041\xff`,
		"é漢":                            "é漢",
	} {
		if got := Show(in); got != want {
			t.Errorf("Show(%q)\n got %q\nwant %q", in, got, want)
		}
	}
}

// unsafe names what a terminal would obey.
func unsafe(s string, lf bool) string {
	if !utf8.ValidString(s) {
		return "invalid UTF-8"
	}
	for _, r := range s {
		switch {
		case r == '\n' && lf:
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return "control"
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == 0x200e, r == 0x200f, r == 0x61c:
			return "bidi"
		case r == 0x2028, r == 0x2029:
			return "separator"
		case r >= 0xfe00 && r <= 0xfe0f:
			return "variation selector"
		}
	}
	return ""
}

func FuzzSanitize(f *testing.F) {
	for _, s := range []string{attack, "", "a\r\nb\rc", "👨\u200d\x1b[m👧", "\u200d\u200d漢", "\xc2\x1b[m\x9b", "\x1b]\x1b]\x1b]x\a", "a\u200d\rx\n👧", strings.Repeat("\x1b[K\r", 5)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line, text, show := Line(s, 0), Text(s), Show(s)
		if bad := unsafe(line, false); bad != "" {
			t.Errorf("Line(%q) = %q: %s", s, line, bad)
		}
		if bad := unsafe(text, true); bad != "" {
			t.Errorf("Text(%q) = %q: %s", s, text, bad)
		}
		if bad := unsafe(show, true); bad != "" {
			t.Errorf("Show(%q) = %q: %s", s, show, bad)
		}
		if again := Line(line, 0); again != line {
			t.Errorf("Line not idempotent: %q -> %q -> %q", s, line, again)
		}
		if again := Text(text); again != text {
			t.Errorf("Text not idempotent: %q -> %q -> %q", s, text, again)
		}
		if short := Line(s, 10); len(short) > 10 || Line(short, 10) != short {
			t.Errorf("Line(%q, 10) = %q", s, short)
		}
	})
}

func BenchmarkLine(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("a plain title ", 8), "mixed": strings.Repeat("né 漢字 title ", 8), "attack": attack,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Line(s, 0)
			}
		})
	}
}

func BenchmarkText(b *testing.B) {
	for name, s := range map[string]string{
		"ascii": strings.Repeat("a plain line of output\n", 4000), "colour": strings.Repeat("\x1b[32mok\x1b[0m\tdugout/views\n", 4000),
		"progress": strings.Repeat("#\r", 50000) + "end",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			for b.Loop() {
				Text(s)
			}
		})
	}
}
