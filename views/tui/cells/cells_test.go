package cells

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"", 5, ""},
		{"漢字漢字", 5, "漢字…"},
		{"漢字漢字", 4, "漢…"},
		{"\x1b[1mabcd\x1b[m", 3, "\x1b[1mab…\x1b[m"},
	} {
		if got := Cut(c.in, c.w); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
	if got := CutLeft("/home/me/src/project", 10); got != "…c/project" {
		t.Errorf("CutLeft: %q", got)
	}
	if got := Fit("漢字", 3); got != "漢…" && got != "… " && Width(got) != 3 {
		t.Errorf("Fit: %q", got)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"one two three": "one two|three", "": "", "longwordindeed": "longwordi|ndeed", "漢字漢字漢字": "漢字漢字|漢字", "a\nb": "a|b",
	} {
		if got := strings.Join(Wrap(in, 9), "|"); got != want {
			t.Errorf("Wrap(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestOver(t *testing.T) {
	t.Parallel()
	frame := "aaaaaaaa\n漢字漢字\nc"
	if got, want := Over(frame, "XX\nYY\nZZ\nWW", 3, 0), "aaaXXaaa\n漢 YY 字\nc  ZZ\n   WW"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Whatever the text, no line is wider than it was asked to be.
func TestNeverWider(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOfN(rapid.RuneFrom([]rune("ab 漢字é́👨👍🏽🇩🇪-—…")), 0, 60, -1).Draw(t, "s")
		w := rapid.IntRange(1, 40).Draw(t, "w")
		if got := Cut(s, w); Width(got) > w {
			t.Fatalf("Cut %q: %d cells", got, Width(got))
		}
		if got := Fit(s, w); Width(got) != w {
			t.Fatalf("Fit %q: %d cells", got, Width(got))
		}
		if got := CutLeft(s, w); Width(got) > w {
			t.Fatalf("CutLeft %q: %d cells", got, Width(got))
		}
		for _, l := range Wrap(s, w) {
			if Width(l) > w {
				t.Fatalf("Wrap line %q: %d cells", l, Width(l))
			}
		}
		frame := Frame(s, 40, 3)
		for _, l := range strings.Split(Over(frame, "漢x", rapid.IntRange(0, 37).Draw(t, "x"), 0), "\n") {
			if Width(l) != 40 {
				t.Fatalf("Over line %q: %d cells", l, Width(l))
			}
		}
	})
}

func BenchmarkFit(b *testing.B) {
	for name, s := range map[string]string{"ascii": "fix the flaky test in the token store", "wide": "修正 flaky テスト in the token store"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Fit(s, 30)
			}
		})
	}
}
