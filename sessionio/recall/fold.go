package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// foldRune is a letter without its case. Only ASCII letters become ASCII letters, so that raw bytes
// can be searched for them.
func foldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	if l := unicode.ToLower(r); l >= utf8.RuneSelf {
		return l
	}
	return r
}

// fold folds every rune, so that the runes of the two texts stand at the same places.
func fold(s string) string { return strings.Map(foldRune, s) }

// unfold finds the places of a text that belong to places in its folded form, which must ascend.
func unfold(text, folded string, places []int) []int {
	out := make([]int, len(places))
	i, j := 0, 0
	for k, p := range places {
		for j < p {
			_, n := utf8.DecodeRuneInString(folded[j:])
			_, m := utf8.DecodeRuneInString(text[i:])
			i, j = i+m, j+n
		}
		out[k] = i
	}
	return out
}
