package prompt

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestSystem(t *testing.T) {
	t.Parallel()
	w := newWorld(t, map[string]string{"proj/.git/HEAD": "", "proj/sub/x": "", "home/AGENTS.md": "global word", "proj/AGENTS.md": "project word"})
	o := Options{
		CWD: w + "/proj/sub", Home: w + "/home", Now: time.Date(2030, 2, 3, 4, 5, 6, 0, time.UTC),
		OS: "plan9", Tools: []string{"read", "bash"},
	}
	got := System(o)
	at := 0
	for _, want := range []string{
		"You are dugout", "working folder: " + w + "/proj/sub\n", "git repository: " + w + "/proj\n", "system: plan9\n",
		"date: 2030-02-03\n", "tools: read, bash\n", w + "/home/AGENTS.md", "global word", w + "/proj/AGENTS.md", "project word",
	} {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("no %q after %q in:\n%s", want, got[:at], got)
		}
		at += i
	}
	if strings.Contains(got, "04:05") {
		t.Error("a time of day in the prompt would defeat the provider's cache")
	}
	if System(o) != got {
		t.Error("the same options make another prompt")
	}
}

func TestSystemNeverFails(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{{}, {CWD: "/nowhere/at/all", Home: "/nor/here"}, {CWD: "relative"}, {CWD: "/a\nb\xff"}} {
		got := System(o)
		if !strings.HasPrefix(got, "You are dugout") || !utf8.ValidString(got) || strings.Contains(got, "/a\nb") {
			t.Errorf("%+v: %q", o, got)
		}
	}
}
