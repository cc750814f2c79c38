package recall

import (
	"bytes"
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"
)

// escaped writes a string as a JSON writer that escapes all that some says.
func escaped(s string, some func(rune) bool) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || some(r):
			for _, u := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04X`, u)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

// What the sieve turns away must not match once it is decoded, whoever wrote the line.
func TestSieveLosesNothing(t *testing.T) {
	t.Parallel()
	writers := map[string]func(rune) bool{
		"plain": func(rune) bool { return false },
		"html":  func(r rune) bool { return strings.ContainsRune("<>&", r) },
		"ascii": func(r rune) bool { return r > 126 },
		"all":   func(rune) bool { return true },
		"odd":   func(r rune) bool { return r%3 == 0 },
	}
	letters := []rune("abkseıİKſéÉжЖ日😀 \n\"\\/<&'_u0049")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom(letters), 0, 40, -1).Draw(t, "text")
		query := rapid.StringOfN(rapid.SampledFrom(letters), 1, 6, -1).Draw(t, "query")
		q, err := ParseQuery(query)
		if err != nil {
			t.Skip()
		}
		name := rapid.SampledFrom([]string{"plain", "html", "ascii", "all", "odd"}).Draw(t, "writer")
		line := []byte(`{"type":"message","id":"e1","message":{"role":"user","content":` + escaped(text, writers[name]) + `}}`)
		var e sessionio.Entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatal(err)
		}
		_, got := said(&e)
		if got != text {
			t.Fatalf("read %q for %q", got, text)
		}
		s := newSieve(q)
		if _, _, ok := q.match(text); ok && !s.passes(line) {
			t.Errorf("%q is in %q, and the sieve turned %s away", query, text, line)
		}
	})
}

func TestSieveTurnsAway(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, line string
		passes      bool
	}{
		{"port", msg(1, "user", "a PORT"), true},
		{"port", msg(1, "user", "a harbour"), false},
		{"port", msg(1, "user", "a <b> harbour & \n\t é"), false},
		{"port", msg(1, "toolResult", "port"), false},
		{"port", msg(1, "user", `"message":{"role":"toolResult" port`), true},
		{"src/portal.go", msg(1, "user", "portal.go"), true},
		{"src/portal.go", msg(1, "user", "portal"), false},
		{"données", msg(1, "user", "DONNÉES"), true},
		{"été", msg(1, "user", "hiver"), false},
		{"сервер", msg(1, "user", "СЕРВЕР"), true},
		{"сервер", msg(1, "user", "север"), false},
		{`"api port"`, msg(1, "user", "the port"), true}, // the shorter half is not looked for
		{`"api port"`, msg(1, "user", "the api"), false},
		{`"api port"`, msg(1, "user", "nothing"), false},
	} {
		q, err := ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if s := newSieve(q); s.passes([]byte(c.line)) != c.passes {
			t.Errorf("%q over %s: passes %v", c.query, c.line, !c.passes)
		}
	}
}

func TestNeedleFindsWhatIndexFinds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.StringMatching(`[abzABZ1 ]{0,30}`).Draw(t, "line")
		word := rapid.StringMatching(`[abz1]{1,4}`).Draw(t, "word")
		n := newNeedle(word)
		if got, want := n.in([]byte(line)), bytes.Contains([]byte(strings.ToLower(line)), []byte(word)); got != want {
			t.Errorf("%q in %q: %v", word, line, got)
		}
	})
}
