package widget

import (
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

type picked string // what a test question tells

func question() Question {
	return Question{
		Title: "Delete “fix the flaky test”?", Body: []string{"The file goes to the trash, its artifacts are removed."}, Danger: true,
		Choices: []Choice{{Label: "Delete", Key: "y", Tell: picked("gone")}},
	}
}

// drive presses keys until the screen pops, and says what it told.
func drive(s screen.Screen, keys ...string) string {
	for _, k := range press(keys...) {
		next, step := s.Update(k)
		s = next
		if step.Nav.Pop {
			return fmt.Sprint("pop ", step.Nav.Tell)
		}
	}
	return "open"
}

func TestConfirm(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"enter": "pop <nil>", "esc": "pop <nil>", "n": "pop <nil>", "y": "pop gone", "tab enter": "pop gone", "right left enter": "pop <nil>", "x": "open",
	} {
		if got := drive(NewConfirm(question(), plainTheme, nil), strings.Fields(keys)...); got != want {
			t.Errorf("%s: %s, want %s", keys, got, want)
		}
	}
}

func TestConfirmGrace(t *testing.T) {
	t.Parallel()
	q := question()
	q.SelfOpened = true
	c := NewConfirm(q, plainTheme, nil)
	if got := drive(c, "y", "enter", "esc"); got != "open" {
		t.Errorf("keys of before: %s", got)
	}
	if c.Init() == nil {
		t.Fatal("nothing ends the grace period")
	}
	c.Update(graceOverMsg{})
	if got := drive(c, "y"); got != "pop gone" {
		t.Errorf("after it: %s", got)
	}
}

func TestPicker(t *testing.T) {
	t.Parallel()
	options := []Option{{"a", "anthropic/opus\x1b[2J", "200k"}, {"b", "openai/gpt", ""}, {"c", "scripted/demo", "no AI"}}
	for keys, want := range map[string]string{
		"enter": "pop {model b}", "down enter": "pop {model c}", "s c r enter": "pop {model c}", "z z enter": "open", "esc": "pop <nil>",
	} {
		p := NewPicker("model", "Model", options, "b", plainTheme, nil)
		if got := drive(p, strings.Fields(keys)...); got != want {
			t.Errorf("%s: %s, want %s", keys, got, want)
		}
	}
}

func TestHelp(t *testing.T) {
	t.Parallel()
	groups := []HelpGroup{{"Editing", keymap.Edit()}, {"Moving", keymap.List()}}
	h := NewHelp(groups, plainTheme, nil)
	h.Update(screen.SizeMsg{Width: 60, Height: 12})
	if top := h.View(60, 12); !strings.Contains(top, "ctrl+b") || strings.Contains(top, "pgdn") {
		t.Errorf("top:\n%s", top)
	}
	drive(h, "pgdown", "pgdown", "pgdown", "pgdown")
	if end := h.View(60, 12); !strings.Contains(end, "pgdn") {
		t.Errorf("end:\n%s", end)
	}
	if got := drive(h, "esc"); got != "pop <nil>" {
		t.Error(got)
	}
}

func TestFooter(t *testing.T) {
	t.Parallel()
	bs := []keymap.Binding{
		{Keys: []string{"enter"}, Help: "open", Footer: true},
		{Keys: []string{"ctrl+o"}, Help: "new", Footer: true},
		{Keys: []string{"x"}, Help: "stop", Footer: true, Off: "nothing runs"},
		{Keys: []string{"?"}, Help: "help", Footer: true},
	}
	for w, want := range map[int]string{80: "enter open  ctrl+o new  ? help", 20: "enter open  ? help", 10: "? help", 4: "? h…"} {
		if got := Footer(bs, w, plainTheme); got != want {
			t.Errorf("%d: %q, want %q", w, got, want)
		}
	}
}

// Overlays keep to the window, whatever its size.
func TestOverlaysFit(t *testing.T) {
	t.Parallel()
	below := strings.Repeat("漢字 and more text, rather long, ", 9)
	overlays := map[string]func() screen.Overlay{
		"confirm": func() screen.Overlay { return NewConfirm(question(), plainTheme, nil) },
		"picker": func() screen.Overlay {
			return NewPicker("x", "Pick 漢字漢字漢字漢字漢字漢字漢字漢字", []Option{{"a", strings.Repeat("漢", 80), "detail"}, {"b", "b", strings.Repeat("d", 99)}}, "", plainTheme, nil)
		},
		"help": func() screen.Overlay { return NewHelp([]HelpGroup{{"Editing", keymap.Edit()}}, plainTheme, nil) },
	}
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 220).Draw(t, "w"), rapid.IntRange(1, 60).Draw(t, "h")
		for name, build := range overlays {
			o := build()
			o.Update(screen.SizeMsg{Width: w, Height: h})
			lines := strings.Split(o.Over(cells.Frame(below, w, h), w, h), "\n")
			if len(lines) != h {
				t.Fatalf("%s: %d lines of %d", name, len(lines), h)
			}
			for _, l := range lines {
				if cells.Width(l) != w {
					t.Fatalf("%s: line of %d cells, not %d: %q", name, cells.Width(l), w, l)
				}
			}
		}
	})
}

func TestConfirmShowsItsChoices(t *testing.T) {
	t.Parallel()
	q := question()
	q.Body = []string{strings.Repeat("much to say ", 100)}
	for _, h := range []int{6, 10, 24} {
		if out := NewConfirm(q, plainTheme, nil).Over("", 40, h); !strings.Contains(out, "Cancel") || !strings.Contains(out, "Delete (y)") {
			t.Errorf("height %d:\n%s", h, out)
		}
	}
}
