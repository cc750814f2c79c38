package widget

import (
	"dugout/views/tui/cells"
	"dugout/views/tui/screen"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func findings(n int) []Finding {
	var out []Finding
	for i := range n {
		out = append(out, Finding{
			Key: fmt.Sprint(i), Head: fmt.Sprintf("head %d\x1b[2J", i),
			Body: []string{strings.Repeat("which port is it? ", 1+i*7), "→ 8080\nit is"},
		})
	}
	return out
}

func TestFoundIsReadAndChosen(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{"enter": "pop {memory 0}", "down enter": "pop {memory 1}", "esc": "pop <nil>", "x": "open"} {
		if got := drive(NewFound("memory", "port", findings(3), plainTheme, nil), strings.Fields(keys)...); got != want {
			t.Errorf("%s: %s, want %s", keys, got, want)
		}
	}
	if got := drive(NewFound("memory", "port", nil, plainTheme, nil), "enter"); got != "open" {
		t.Errorf("nothing was chosen: %s", got)
	}
	view := NewFound("memory", "port", findings(2), plainTheme, nil).View(60, 20)
	for _, want := range []string{"› head 0", "which port is it?", "→ 8080 it is", "  head 1", "2 found"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	if strings.Contains(view, "\x1b[2J") {
		t.Error("raw text is drawn")
	}
}

// Whatever the window, the frame fits and shows what is selected.
func TestFoundFits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := NewFound("memory", "port", findings(8), plainTheme, nil)
		w, h := rapid.IntRange(1, 120).Draw(t, "w"), rapid.IntRange(1, 40).Draw(t, "h")
		p.Update(screen.SizeMsg{Width: w, Height: h})
		for range rapid.IntRange(0, 9).Draw(t, "down") {
			p.Update(press("down")[0])
		}
		view := p.View(w, h)
		lines := strings.Split(view, "\n")
		if len(lines) != h {
			t.Fatalf("%d lines in a window of %d", len(lines), h)
		}
		for _, l := range lines {
			if cells.Width(l) != w {
				t.Fatalf("a line of %d cells in a window of %d", cells.Width(l), w)
			}
		}
		if w >= 20 && h >= 6 && !strings.Contains(view, "› head "+p.list.Selected()) {
			t.Fatalf("the selected one does not show:\n%s", view)
		}
	})
}
