package tool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// plainGrep is the search in its plainest form.
func plainGrep(re *regexp.Regexp, content string, around int) string {
	lines := strings.Split(strings.TrimSuffix(content, "\n"), "\n")
	if content == "" {
		lines = nil
	}
	show := make([]byte, len(lines))
	for i, l := range lines {
		if !re.MatchString(strings.TrimRight(l, "\r")) {
			continue
		}
		for j := max(0, i-around); j <= min(len(lines)-1, i+around); j++ {
			if show[j] == 0 {
				show[j] = '-'
			}
		}
		show[i] = ':'
	}
	var b strings.Builder
	last := -1
	for i, mark := range show {
		if mark == 0 {
			continue
		}
		if around > 0 && last >= 0 && i != last+1 {
			b.WriteString("--\n")
		}
		fmt.Fprintf(&b, "f%c%d%c %s\n", mark, i+1, mark, strings.TrimRight(lines[i], "\r"))
		last = i
	}
	return b.String()
}

func TestScannerAgreesWithThePlainSearch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	line := rapid.SampledFrom([]string{"", "a", "b", "ab", "ba", "a\r", "ca", "aaaaaaaa", " a"})
	exprs := rapid.SampledFrom([]string{"a", "^a", "a$", "^$", "b|c", "a\\b", "\\Ab", "b\\z", "(?i)A", "x", "", "a\\s", "[^a]", "\\s", "(?s)a.", "(?-m:^a$)"})
	rapid.Check(t, func(rt *rapid.T) {
		content := strings.Join(rapid.SliceOfN(line, 0, 30).Draw(rt, "lines"), "\n")
		expr, around := exprs.Draw(rt, "expr"), rapid.IntRange(0, 3).Draw(rt, "context")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			rt.Fatal(err)
		}
		s := &search{re: regexp.MustCompile(expr), root: path, context: around}
		out := &found{limit: 1000, show: shower{filepath.Dir(path)}, gaps: around > 0}
		sc := s.scanner(out)
		sc.buf = make([]byte, rapid.IntRange(64, 256).Draw(rt, "window"))
		if err := sc.file(context.Background(), path); err != nil {
			rt.Fatal(err)
		}
		if got, want := out.text.String(), plainGrep(s.re, content, around); got != want {
			rt.Fatalf("%q in %q, context %d:\n%s\nwant\n%s", expr, content, around, got, want)
		}
	})
}

func BenchmarkGrep(b *testing.B) {
	path := filepath.Join(b.TempDir(), "f")
	content := strings.Repeat("some line of a file that has words in it and goes on\n", 200_000)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		b.Fatal(err)
	}
	for _, expr := range []string{"absent", "wor[kt]s", "(?i)ABSENT"} {
		b.Run(expr, func(b *testing.B) {
			b.SetBytes(int64(len(content)))
			s := &search{re: regexp.MustCompile(expr), root: path}
			for b.Loop() {
				if err := s.goSearch(context.Background(), &found{limit: 10}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
