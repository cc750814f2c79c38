package roster

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"testing"
)

func TestQuery(t *testing.T) {
	t.Parallel()
	r := Merge(
		[]protocol.Summary{live("0190aa", protocol.StateWaiting, func(s *protocol.Summary) {
			s.Name, s.FirstMessage, s.Recap = "Refactor Auth", "please split the  token store", "waiting for CI"
			s.CWD, s.GitBranch, s.Model, s.Pending, s.Errors = "/home/me/src/api", "feature/split", "anthropic/claude-x", 1, 2
		})}, nil)[0]
	for query, want := range map[string]bool{
		"":                            true,
		"auth":                        true,
		"AUTH refactor":               true,
		"auth missing":                false,
		"rfctr":                       true, // letters in order, close together
		"rxq":                         false,
		"rzapi":                       false, // letters of several fields
		`"split the token"`:           true,
		`"token split"`:               false,
		`"split the to`:               true, // a phrase that is still being typed
		`"unclosed`:                   false,
		"0190":                        true,
		"feature/split":               true,
		"waiting":                     true,
		"re:^refactor":                true,
		"re:split.*store":             true,
		"re:xyz$":                     false,
		"is:running":                  true,
		"is:run":                      true,
		"is:waiting":                  true,
		"is:needing":                  true,
		"is:idle":                     false,
		"has:error":                   true,
		"has:queue":                   false,
		"cwd:/home/me/src":            true,
		"cwd:/home/me/src/api":        true,
		"cwd:/home/me/src/ap":         false,
		"cwd:src/ap":                  true,
		"model:claude":                true,
		"model:gpt":                   false,
		"branch:split":                true,
		"named:auth":                  true,
		"named:":                      true,
		"named:other":                 false,
		"is:running auth model:claud": true,
		"http://x":                    false, // a word with a colon is no filter
	} {
		q, err := ParseQuery(query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if got := q.Match(&r); got != want {
			t.Errorf("%q: got %v, want %v", query, got, want)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	t.Parallel()
	r := Merge(nil, []sessionio.Info{saved("a")})[0]
	for _, query := range []string{"re:", "re:(", `re:a(?=b)`, "is:purple", "has:fun"} {
		q, err := ParseQuery(query)
		if err == nil {
			t.Errorf("%s: no error", query)
		}
		if q.Match(&r) || q.Empty() {
			t.Errorf("%s: matches", query)
		}
	}
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ query, text, want string }{
		{"ok", "Ok, took", "[[0 2] [6 8]]"},
		{`"b c" a`, "a b c", "[[0 1] [2 5]]"},
		{"re:t.o", "two to", "[[0 3]]"},
		{"x", "İx", "[]"}, // case folding changes its length: no lie about places
		{"", "text", "[]"},
	} {
		q, err := ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		same(t, c.query+" in "+c.text, q.Highlight(c.text), c.want)
	}
}
