package widget

import (
	"dugout/views/tui/keymap"
	"dugout/views/tui/theme"
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

var plainTheme = theme.New(theme.Renderer(io.Discard, theme.Plain, true))

func press(keys ...string) []tea.KeyMsg {
	special := map[string]tea.KeyMsg{
		"left": {Type: tea.KeyLeft}, "right": {Type: tea.KeyRight}, "up": {Type: tea.KeyUp}, "down": {Type: tea.KeyDown},
		"home": {Type: tea.KeyHome}, "end": {Type: tea.KeyEnd}, "enter": {Type: tea.KeyEnter}, "esc": {Type: tea.KeyEsc}, "tab": {Type: tea.KeyTab},
		"pgup": {Type: tea.KeyPgUp}, "pgdown": {Type: tea.KeyPgDown},
		"backspace": {Type: tea.KeyBackspace}, "delete": {Type: tea.KeyDelete}, " ": {Type: tea.KeySpace, Runes: []rune(" ")},
		"ctrl+w": {Type: tea.KeyCtrlW}, "ctrl+k": {Type: tea.KeyCtrlK}, "ctrl+u": {Type: tea.KeyCtrlU}, "ctrl+y": {Type: tea.KeyCtrlY},
		"ctrl+a": {Type: tea.KeyCtrlA}, "ctrl+e": {Type: tea.KeyCtrlE}, "ctrl+j": {Type: tea.KeyCtrlJ}, "ctrl+_": {Type: tea.KeyCtrlUnderscore},
		"alt+b": {Type: tea.KeyRunes, Runes: []rune("b"), Alt: true}, "alt+f": {Type: tea.KeyRunes, Runes: []rune("f"), Alt: true},
		"alt+d": {Type: tea.KeyRunes, Runes: []rune("d"), Alt: true},
	}
	var out []tea.KeyMsg
	for _, k := range keys {
		if m, ok := special[k]; ok {
			out = append(out, m)
			continue
		}
		out = append(out, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
	}
	return out
}

// mark shows the text with | for the cursor.
func mark(e *Editor) string {
	return strings.Join(e.text[:e.at], "") + "|" + strings.Join(e.text[e.at:], "")
}

func TestEditorKeys(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ start, keys, want string }{
		{"", "a b", "ab|"},
		{"one two", "ctrl+w", "one |"},
		{"path/to/x", "ctrl+w", "|"},
		{"one two-three", "alt+b alt+b", "one |two-three"},
		{"one two", "ctrl+a alt+f", "one| two"},
		{"one two", "ctrl+a alt+d", "| two"},
		{"one two", "ctrl+u", "|"},
		{"one two", "ctrl+u ctrl+y ctrl+y", "one twoone two|"},
		{"one\ntwo", "ctrl+a ctrl+k", "one\n|"},
		{"one\ntwo", "up end ctrl+k", "one|two"},
		{"né", "backspace", "n|"},
		{"e", "\u0301 left", "|e\u0301"},
		{"👨\u200d👩\u200d👧x", "left backspace", "|x"},
		{"ab", "left delete", "a|"},
		{"ab", "ctrl+j c", "ab\nc|"},
		{"", "a b ctrl+_", "|"},
		{"keep", "x ctrl+w ctrl+_ ctrl+_", "keep|"},
		{"long line\nx\nlong line", "up up", "long line|\nx\nlong line"},
		{"long line\nx\nlong line", "up", "long line\nx|\nlong line"},
		{"abc", "home", "|abc"},
	} {
		e := NewEditor(true, nil)
		e.Width = 40
		e.Set(c.start)
		for _, k := range press(strings.Fields(c.keys)...) {
			e.Key(k)
		}
		if got := mark(&e); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.start, c.keys, got, c.want)
		}
	}
}

func TestEditorLeavesWhatItCannotUse(t *testing.T) {
	t.Parallel()
	e := NewEditor(true, nil)
	e.Width = 10
	for _, k := range press("up", "down", "left", "backspace", "enter", "esc", "tab") {
		if e.Key(k) {
			t.Errorf("an empty editor took %s", k)
		}
	}
	one := NewEditor(false, keymap.Overrides{keymap.EditKillToStart: {"f9"}})
	one.Set("x")
	for _, k := range press("up", "ctrl+j", "ctrl+u") {
		if one.Key(k) {
			t.Errorf("one line took %s", k)
		}
	}
}

func TestPaste(t *testing.T) {
	t.Parallel()
	paste := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\r\nb\rc\x1b[31m"), Paste: true}
	e := NewEditor(true, nil)
	e.Key(paste)
	if e.Value() != "a\nb\nc\x1b[31m" {
		t.Errorf("several lines: %q", e.Value())
	}
	if out := strings.Join(e.View(20, 5, plainTheme, false), "\n"); strings.Contains(out, "\x1b") {
		t.Errorf("an escape is drawn: %q", out)
	}
	e.Key(press("ctrl+_")[0])
	if !e.Empty() {
		t.Errorf("one undo left %q", e.Value())
	}
	one := NewEditor(false, nil)
	one.Key(paste)
	if one.Value() != "a b c\x1b[31m" {
		t.Errorf("one line: %q", one.Value())
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	e := NewEditor(true, nil)
	e.Set("see @ma now")
	e.Replace(4, 7, "main.go")
	if got := mark(&e); got != "see main.go| now" {
		t.Error(got)
	}
	if e.Cursor() != 11 {
		t.Errorf("cursor at byte %d", e.Cursor())
	}
}

func TestHistory(t *testing.T) {
	t.Parallel()
	var h History
	h.SetItems([]string{"new", "old"})
	var got []string
	add := func(s string, ok bool) {
		if !ok {
			s = "-"
		}
		got = append(got, s)
	}
	add(h.Newer())
	add(h.Older("draft"))
	add(h.Older("new"))
	add(h.Older("old"))
	add(h.Newer())
	add(h.Newer())
	add(h.Newer())
	if s := strings.Join(got, " "); s != "- new old - new draft -" {
		t.Error(s)
	}
}

// After any keys: every row fits, the cursor shows on exactly one, undo leads back to nothing.
func TestEditorHolds(t *testing.T) {
	t.Parallel()
	names := []string{"a", "é", "漢", "👨\u200d👩\u200d👧", "\u0301", " ", "\t", "left", "right", "up", "down", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+k", "ctrl+u", "ctrl+y", "ctrl+j", "ctrl+_", "alt+b", "alt+f", "alt+d", "word", "🇩", "🇪"}
	rapid.Check(t, func(t *rapid.T) {
		multi, w, h := rapid.Bool().Draw(t, "multi"), rapid.IntRange(3, 30).Draw(t, "w"), rapid.IntRange(1, 5).Draw(t, "h")
		e := NewEditor(multi, nil)
		e.Width = w
		for _, k := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 60).Draw(t, "keys") {
			e.Key(press(k)[0])
			if e.at < 0 || e.at > len(e.text) {
				t.Fatalf("cursor %d of %d", e.at, len(e.text))
			}
		}
		rows := e.View(w, h, plainTheme, true)
		if len(rows) > h {
			t.Fatalf("%d rows of %d", len(rows), h)
		}
		cursors := 0
		for _, r := range rows {
			if ansi.StringWidth(r) > w {
				t.Fatalf("row %q is wider than %d", r, w)
			}
			cursors += strings.Count(r, "\x1b[7m")
		}
		if cursors != 1 {
			t.Fatalf("%d cursors in %q", cursors, rows)
		}
	})
}

func BenchmarkEditorBigPaste(b *testing.B) {
	text := strings.Repeat("a line of a pasted file that is long\n", 3000)
	for b.Loop() {
		e := NewEditor(true, nil)
		e.Width = 80
		e.Insert(text)
		e.View(80, 10, plainTheme, true)
	}
}
