package markdown

import (
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func plain() *Renderer { return New(theme.New(theme.Renderer(io.Discard, theme.Plain, true))) }

func coloured() *Renderer { return New(theme.New(theme.Renderer(io.Discard, theme.True, true))) }

func TestRender(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		w        int
		in, want string
	}{
		"paragraphs":     {20, "one *two* **three**\nfour\n\nfive `six`", "one two three\nfour\n\nfive six"},
		"wraps at words": {10, "the quick brown fox", "the quick\nbrown fox"},
		"wraps a word":   {4, "abcdefghij kl", "abcd\nefgh\nij\nkl"},
		"wide letters":   {5, "漢字漢字", "漢字\n漢字"},
		"heading":        {20, "# One\n\n### Two *x*", "# One\n\n### Two x"},
		"list":           {20, "- a\n- b\n  - c\n    - d", "• a\n• b\n  ◦ c\n    ▪ d"},
		"loose list":     {20, "1. a\n\n2. b", "1. a\n\n2. b"},
		"ordered":        {20, "9. a\n10. b", " 9. a\n10. b"},
		"list wraps":     {8, "- one two three", "• one\n  two\n  three"},
		"tasks":          {20, "- [x] a\n- [ ] b", "• [x] a\n• [ ] b"},
		"quote":          {20, "> a\n> b\n>\n> c", "│ a\n│ b\n│ \n│ c"},
		"code":           {20, "```go\nfunc x() {\n\treturn\n}\n```", "  func x() {\n      return\n  }"},
		"code keeps":     {20, "```\na  b\n\n  c\n```\nafter", "  a  b\n  \n    c\n\nafter"},
		"long code":      {12, "    0123456789abc", "  0123456789\n  abc"},
		"rule":           {5, "a\n\n---\n\nb", "a\n\n─────\n\nb"},
		"link":           {60, "[t](https://e.org/x) <https://e.org> [https://e.org](https://e.org)", "t (https://e.org/x) https://e.org https://e.org"},
		"reference":      {60, "[t][1]\n\nmore\n\n[1]: https://e.org/x", "t (https://e.org/x)\n\nmore"},
		"image":          {60, "![alt](a.png)", "[image: alt] (a.png)"},
		"table":          {40, "| a | b |\n|---|--:|\n| 1 | 22 |\n| long | 3 |", "a    │  b\n─────┼───\n1    │ 22\nlong │  3"},
		"narrow table":   {13, "| a | b |\n|---|---|\n| one two three | x |", "a         │ b\n──────────┼──\none two   │ x\nthree     │"},
		"html":           {40, "<b>x</b>\n\n<div>\ny\n</div>", "<b>x</b>\n\n<div>\ny\n</div>"},
		"strike":         {20, "~~a~~ &amp; \\* b", "a & * b"},
		"entity":         {20, "a&#27;[31mb&#8238;c", "a[31mbc"},
		"unclosed fence": {20, "```\ncode\n\n# not a heading", "  code\n  \n  # not a heading"},
		"empty":          {20, "", ""},
	} {
		got := strings.Join(plain().Render(c.in, c.w), "\n")
		if trimEnds(got) != trimEnds(c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func trimEnds(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestStyles(t *testing.T) {
	t.Parallel()
	r := coloured()
	got := strings.Join(r.Render("**b** [t](https://e.org/a) [j](javascript:x) `c`", 80), "\n")
	for _, want := range []string{"\x1b[1mb\x1b[0m", "\x1b]8;;https://e.org/a\a", " (javascript:x)"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	if strings.Count(got, "\x1b]8;;") != 2 {
		t.Errorf("one link expected: %q", got)
	}
	code := strings.Join(r.Render("```go\nfunc x() string { return `a` } // c\n```", 80), "\n")
	if strings.Count(code, "\x1b[") < 8 {
		t.Errorf("code without colours: %q", code)
	}
}

// Whatever the pieces in which a text comes, the last drawing is that of the whole text, and only its
// last chunk was drawn anew.
func TestStreamingKeepsChunks(t *testing.T) {
	t.Parallel()
	src := "# T\n\npara *one*\n\n- a\n\n- b\n\n  more\n\nnext\n\n```go\nx := 1\n\ny\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> q\n\nend"
	r, d := plain(), &Doc{}
	for i := range len(src) + 1 {
		got := strings.Join(r.Lines(d, src[:i], 30), "\n")
		if want := strings.Join(r.Render(src[:i], 30), "\n"); got != want {
			t.Fatalf("after %d bytes:\n%s\nwant\n%s", i, got, want)
		}
	}
	before := d.chunks[0].lines
	r.Lines(d, src+" more", 30)
	if &before[0] != &d.chunks[0].lines[0] {
		t.Error("the first chunk was drawn again")
	}
	if len(d.chunks) < 5 {
		t.Errorf("%d chunks", len(d.chunks))
	}
}

var ours = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b\\]8;;[ -~]*\a")

func checkSafe(t *testing.T, lines []string, w int) {
	t.Helper()
	for _, l := range lines {
		if n := cells.Width(l); n > w {
			t.Fatalf("a line of %d cells, %d allowed: %q", n, w, l)
		}
		rest := ours.ReplaceAllString(l, "")
		if !utf8.ValidString(rest) {
			t.Fatalf("invalid text: %q", l)
		}
		for _, c := range rest {
			if c < 0x20 || c >= 0x7f && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 {
				t.Fatalf("a raw control %U in %q", c, l)
			}
		}
	}
}

func FuzzRender(f *testing.F) {
	for _, s := range []string{
		"# a\n\n- b\n  > c\n\n```go\nx\n", "| a | b |\n|--|:-:|\n| c", "[a]: http://x;y\x1b]8;;\n\n[a] ![a](b 'c')", "a\x1b[31m\x9b2J&#155;2J\u202e",
		"<http://e.org/\x07> www.x.org <b\x1b>", "1) x\n\n   y\n- - - 1. z", "\r\n\t\tx\r\n~~~\ny", strings.Repeat("> ", 40) + "deep", strings.Repeat("- ", 60) + "x",
		"&NewLine;&Tab;&ZeroWidthSpace;&#x202e;", "漢字👨\u200d👩\u200d👧 ❤\ufe0f é", "***a*b**c~~d~", "`` ` `` \\` \\\\",
	} {
		f.Add(s, 20)
	}
	r := coloured()
	f.Fuzz(func(t *testing.T, s string, w int) {
		if w < 1 || w > 300 {
			w = 1 + (w&0x7fffffff)%300
		}
		checkSafe(t, r.Render(s, w), w)
		checkSafe(t, r.Plain(s, r.th.Muted, w), w)
	})
}

func BenchmarkRender(b *testing.B) {
	src := strings.Repeat("# Title\n\nSome *text* with `code` and [a link](https://e.org) that goes on for a while, so it wraps.\n\n- one\n- two\n\n```go\nfunc f() { return 1 }\n```\n\n", 100)
	r := coloured()
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		r.Render(src, 100)
	}
}

func BenchmarkStreamOnePiece(b *testing.B) {
	src := strings.Repeat("Some *text* with `code` that goes on for a while, so it wraps.\n\n", 1000)
	r, d := coloured(), &Doc{}
	r.Lines(d, src, 100)
	for i := 0; b.Loop(); i++ {
		r.Lines(d, src+fmt.Sprint("tail ", i), 100)
	}
}
