package recall

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query is what to look for:
//
//	word            any of the words, as part of a longer one too; more of them rank higher
//	"exact phrase"  must be there, whatever the blanks between its words
//	re:pattern      the rest of the line, a regular expression (RE2) that must match
//
// Case is ignored everywhere.
type Query struct {
	text  string
	words []string         // folded
	must  []*regexp.Regexp // phrases, over folded text; the pattern, over the text itself
	exact bool             // must holds the pattern
	parts []string         // folded words of the phrases, for the raw bytes
}

var errNothing = errors.New("nothing to look for: give a word")

// ParseQuery reads a line.
func ParseQuery(s string) (Query, error) {
	q := Query{text: strings.TrimSpace(s)}
	if rest, ok := strings.CutPrefix(q.text, "re:"); ok {
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return Query{}, errors.New("re: needs a pattern")
		}
		re, err := regexp.Compile("(?im)" + rest)
		if err != nil {
			return Query{}, fmt.Errorf("re: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		q.must, q.exact = []*regexp.Regexp{re}, true
		return q, nil
	}
	parts := strings.Split(q.text, `"`)
	if len(parts)%2 == 0 { // an odd quote is a letter
		parts = []string{q.text}
	}
	for i, p := range parts {
		words := strings.Fields(fold(p))
		if i%2 == 0 {
			q.words = append(q.words, words...)
			continue
		}
		if len(words) > 0 {
			q.must = append(q.must, phrase(words))
			q.parts = append(q.parts, slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) }))
		}
	}
	slices.Sort(q.words)
	q.words = telling(slices.Compact(q.words))
	if q.Empty() {
		return Query{}, errNothing
	}
	return q, nil
}

// phrase matches words in a row, in a folded text.
func phrase(words []string) *regexp.Regexp {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	return regexp.MustCompile(strings.Join(quoted, `\s+`))
}

// Empty says that there is nothing to look for.
func (q Query) Empty() bool { return len(q.words) == 0 && len(q.must) == 0 }

// String is the query as it was written.
func (q Query) String() string { return q.text }

// telling drops words of one or two letters beside longer ones: as a part of other words they are
// everywhere. In scripts that write a word in one sign or two they stay.
func telling(words []string) []string {
	short := func(w string) bool {
		return utf8.RuneCountInString(w) <= 2 && !strings.ContainsFunc(w, func(r rune) bool {
			return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
		})
	}
	if !slices.ContainsFunc(words, func(w string) bool { return !short(w) }) {
		return words
	}
	return slices.DeleteFunc(words, short)
}

// span is a place in a text, in bytes.
type span struct{ from, to int }

// match says how many words of the query a text holds, and where the first of each is. Not ok is a
// text that lacks a phrase, the pattern, or every word.
func (q Query) match(text string) (words int, at []span, ok bool) {
	folded := fold(text)
	for _, re := range q.must {
		in := folded
		if q.exact {
			in = text
		}
		m := re.FindStringIndex(in)
		if m == nil {
			return 0, nil, false
		}
		at = append(at, span{m[0], m[1]})
	}
	for _, w := range q.words {
		if i := strings.Index(folded, w); i >= 0 {
			words++
			at = append(at, span{i, i + len(w)})
		}
	}
	if len(q.must) == 0 && words == 0 {
		return 0, nil, false
	}
	slices.SortFunc(at, func(a, b span) int { return a.from - b.from })
	if !q.exact {
		at = unfoldSpans(text, folded, at)
	}
	return words, at, true
}

// unfoldSpans takes spans of a folded text back to the text.
func unfoldSpans(text, folded string, at []span) []span {
	if ascii(text) {
		return at
	}
	var places []int
	for _, s := range at {
		places = append(places, s.from, s.to)
	}
	slices.Sort(places)
	places = slices.Compact(places)
	back := unfold(text, folded, places)
	out := make([]span, len(at))
	for i, s := range at {
		a, _ := slices.BinarySearch(places, s.from)
		b, _ := slices.BinarySearch(places, s.to)
		out[i] = span{back[a], back[b]}
	}
	return out
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
