package headless

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/sessionio"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 5, 6, 12, 0, 0, 0, time.UTC)

const hostile = "x\x1b]0;PWNED\x07\x1b[31mred\u009b2Jab\ncd\r\u202eef\u2028gh"

func view(live []protocol.Summary, saved []sessionio.Info) roster.View {
	s := roster.NewState()
	s.Apply(roster.Delta{AllLive: &live, AllSaved: &saved})
	return roster.Arrange(s.Snapshot(), roster.ViewOptions{Sort: roster.SortRecent, Drafts: true})
}

func sample() roster.View {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	return view([]protocol.Summary{
		{
			ID: "019f0000-0000-7000-8000-00000000000a", Path: "/s/a.jsonl", CWD: "/home/me/src/app", FirstMessage: "fix it", Name: "the fix",
			State: protocol.StateWaiting, Attention: protocol.AttentionPermission, Modified: ago(0), MessageCount: 4, UserMessages: 2, Model: "x/y",
		},
		{
			ID: "019f0000-0000-7000-8000-00000000000b", Path: "/s/b.jsonl", CWD: "/home/me/src/app", FirstMessage: "a child", Parent: "019f0000-0000-7000-8000-00000000000a",
			Depth: 1, State: protocol.StateStreaming, Modified: ago(5 * time.Minute), MessageCount: 1, UserMessages: 1,
		},
		{ID: "019f0000-0000-7000-8000-00000000000c", Path: "/s/c.jsonl", CWD: "/home/me", FirstMessage: "settled", Recap: "all is well", State: protocol.StateIdle, Modified: ago(3 * time.Hour), UserMessages: 1, Errors: 2},
	}, []sessionio.Info{
		{ID: "019f0000-0000-7000-8000-00000000000d", Path: "/s/d.jsonl", Store: "/s", Source: "pi", CWD: "/home/me/a/very/long/path/to/some/project", FirstMessage: "cut off", Modified: ago(48 * time.Hour), MessageCount: 12345, UserMessages: 1, Interrupted: true, UnreadableLines: 3, CostUSD: 0.5, Tokens: 7},
		{ID: "019f0000-0000-7000-8000-00000000000e", Path: "/s/e.jsonl", Store: "/s", CWD: "/書類/プロジェクト/とても長い名前のフォルダ", FirstMessage: "wide", Modified: ago(100 * 24 * time.Hour), UserMessages: 1, State: sessionio.LifecycleArchived},
	})
}

func TestList(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := List(&b, sample(), now, "/home/me"); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
running (2)
  waiting    permission   now     4 00000000000a  ~/src/app                the fix
  streaming  -             5m     1 00000000000b  ~/src/app                  a child
idle (1)
  idle       -             3h     0 00000000000c  ~                        settled · all is well · ⚠ 2
inactive (2)
  saved      interrupted   2d 12345 00000000000d  …ng/path/to/some/project cut off
  archived   -            3mo     0 00000000000e  …ても長い名前のフォルダ  wide
`, "\n")
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

// Whatever a row holds, it is one line, and its columns stand where they always stand.
func TestHostileRow(t *testing.T) {
	t.Parallel()
	v := view([]protocol.Summary{{
		ID: sessionio.ID("id" + hostile), Path: "/s/" + hostile, CWD: "/home/" + hostile, Name: hostile, Recap: hostile, FirstMessage: hostile,
		State: protocol.StateIdle, Modified: now, UserMessages: 1, Model: hostile, GitBranch: hostile,
	}}, nil)
	var b strings.Builder
	if err := List(&b, v, now, ""); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 5 { // three sections, a row, the end
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	row := lines[2]
	harmless(t, row)
	if !strings.Contains(row, "red") {
		t.Errorf("the words are gone: %q", row)
	}
	b.Reset()
	if err := ListJSON(&b, v); err != nil {
		t.Fatal(err)
	}
	harmless(t, strings.TrimSuffix(b.String(), "\n"))
	var l listed
	if err := json.Unmarshal([]byte(b.String()), &l); err != nil {
		t.Fatal(err)
	}
	if l.Name != hostile || l.GitBranch != hostile { // programs get it all
		t.Errorf("got %q and %q", l.Name, l.GitBranch)
	}
}

// harmless checks that a terminal would show a line as it is.
func harmless(t *testing.T, line string) {
	t.Helper()
	if s := ansi.Strip(line); s != line || strings.ContainsAny(line, "\n\r\x1b\u009b\u202e\u2028\x07") {
		t.Errorf("a terminal would obey %q", line)
	}
}

func TestListJSON(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := ListJSON(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var got []listed
	for dec := json.NewDecoder(strings.NewReader(b.String())); dec.More(); {
		var l listed
		if err := dec.Decode(&l); err != nil {
			t.Fatal(err)
		}
		got = append(got, l)
	}
	if len(got) != 5 {
		t.Fatalf("%d objects, want 5", len(got))
	}
	if l := got[0]; l.Section != "running" || l.State != "waiting" || l.Attention != "permission" || l.Title != "the fix" || l.Source != "dugout" || l.Store != "/s" {
		t.Errorf("the first is %+v", l)
	}
	if l := got[1]; l.Depth != 1 || l.Section != "running" {
		t.Errorf("the child is %+v", l)
	}
	if l := got[3]; l.Source != "pi" || !l.Interrupted || l.UnreadableLines != 3 || l.CostUSD != 0.5 || l.Tokens != 7 || l.Modified != "2026-05-04T12:00:00Z" || l.Created != "" {
		t.Errorf("the interrupted one is %+v", l)
	}
}

func TestAge(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, c := range []struct {
		ago  time.Duration
		want string
	}{
		{-time.Hour, "now"},
		{0, "now"},
		{59 * time.Second, "now"},
		{time.Minute, "1m"},
		{59 * time.Minute, "59m"},
		{time.Hour, "1h"},
		{day - 1, "23h"},
		{day, "1d"},
		{7*day - 1, "6d"},
		{7 * day, "1w"},
		{59 * day, "8w"},
		{60 * day, "2mo"},
		{364 * day, "12mo"},
		{365 * day, "1y"},
		{3 * 365 * day, "3y"},
	} {
		if got := Age(now, now.Add(-c.ago)); got != c.want {
			t.Errorf("%s ago is %s, want %s", c.ago, got, c.want)
		}
	}
	if got := Age(now, time.Time{}); got != "-" {
		t.Errorf("no time is %s", got)
	}
}

func TestTilde(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"/home/me", "/home/me", "~"},
		{"/home/me/x", "/home/me", "~/x"},
		{"/home/meg", "/home/me", "/home/meg"},
		{"/other", "/home/me", "/other"},
		{"/home/me/x", "", "/home/me/x"},
		{"", "/home/me", ""},
	} {
		if got := Tilde(c[0], c[1]); got != c[2] {
			t.Errorf("Tilde(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestTailFits(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "short", strings.Repeat("x", 24), strings.Repeat("x", 25), "/" + strings.Repeat("書", 11), "/" + strings.Repeat("書", 12), strings.Repeat("書", 40), "e\u0301" + strings.Repeat("e\u0301", 30)} {
		got := tail(s, 24)
		if w := ansi.StringWidth(got); w != 24 {
			t.Errorf("tail(%q) = %q is %d wide", s, got, w)
		}
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := Summary(&b, sample()); err != nil || b.String() != "1 running, 1 idle, 2 inactive, 1 need you\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}

func TestShortID(t *testing.T) {
	t.Parallel()
	for id, want := range map[sessionio.ID]string{
		"019f0000-0000-7000-8000-00000000000a": "00000000000a", "abc": "abc         ", "": "            ",
	} {
		if got := ShortID(id); got != want {
			t.Errorf("ShortID(%q) = %q", id, got)
		}
	}
}
