package recall

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSnippetRunsFromTheFirstWordToTheLast(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("and so on ", 30)
	for _, c := range []struct{ name, text, query, want string }{
		{"whole", "the deployment\nis on Monday", "monday", "the deployment is on Monday"},
		{"between", "x " + filler + "Deployment: by hand.\nOther: nothing.\nBackups: nightly. " + filler, "deployment backups", "Deployment: by hand. Other: nothing. Backups"},
		{"far apart", "Deployment: by hand. " + filler + filler + " Backups: nightly", "deployment backups", "Deployment: by hand."},
		{"far apart", "Deployment: by hand. " + filler + filler + " Backups: nightly", "deployment backups", "Backups: nightly"},
	} {
		q, err := ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		_, at, _ := q.match(c.text)
		if got := snippet(c.text, at, 200); !strings.Contains(got, c.want) || utf8.RuneCountInString(got) > 220 {
			t.Errorf("%s: %q lacks %q", c.name, got, c.want)
		}
	}
}

func TestSnippetHoldsWhatWasFound(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("aé日 \n\tbİ😀xyz"))).Draw(t, "text")
		word := rapid.StringMatching(`[aéb日x]{1,3}`).Draw(t, "word")
		q, err := ParseQuery(word)
		if err != nil {
			t.Skip()
		}
		_, at, ok := q.match(text)
		if !ok {
			return
		}
		most := rapid.IntRange(20, 60).Draw(t, "most")
		got := snippet(text, at, most)
		if !utf8.ValidString(got) || !strings.Contains(fold(got), fold(word)) || utf8.RuneCountInString(got) > most+8 {
			t.Errorf("%q cut out of %q", got, text)
		}
	})
}
