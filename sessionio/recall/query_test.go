package recall

import (
	"strings"
	"testing"
)

func TestQueryMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, text string
		words       int
		ok          bool
	}{
		{"database", "a DataBase and databases", 1, true},
		{"base de données", "Deployment of the module", 0, false},
		{"base de données", "la BASE DE DONNÉES", 2, true},
		{"go to", "go on", 1, true},
		{"日本 storage", "日本", 1, true},
		{"port port", "port", 1, true},
		{`"API port"`, "the api\n   PORT is", 0, true},
		{`"API port"`, "the api has a port", 0, false},
		{`"API port" storage`, "the api port", 0, true},
		{`"API port" storage`, "storage", 0, false},
		{`"API port" storage`, "api port, storage", 1, true},
		{`5" disk`, `a 5" disk`, 1, true},
		{`re:por(t|k)\b`, "a PORK chop", 0, true},
		{`re:^second`, "first\nsecond", 0, true},
		{`re:por(t|k)\b`, "porks", 0, false},
	} {
		q, err := ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		words, at, ok := q.match(c.text)
		if words != c.words || ok != c.ok || ok != (len(at) > 0) {
			t.Errorf("%q in %q: %d words, %v, at %v", c.query, c.text, words, ok, at)
		}
	}
}

func TestQueryRefused(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{"": "nothing to look for", ` "" `: "nothing to look for", "re:": "needs a pattern", "re:(": "missing closing"} {
		if _, err := ParseQuery(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", query, err)
		}
	}
}

func TestPlacesAreThoseOfTheText(t *testing.T) {
	t.Parallel()
	q, err := ParseQuery("données port")
	if err != nil {
		t.Fatal(err)
	}
	text := "ȺȺȺ İ DONNÉES, puis PORT" // folded, the first letters are longer
	_, at, ok := q.match(text)
	if !ok || len(at) != 2 || text[at[0].from:at[0].to] != "DONNÉES" || text[at[1].from:at[1].to] != "PORT" {
		t.Errorf("got %v %v", at, ok)
	}
}
