package treeview

import (
	"dugout/daemonclient/protocol"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"dugout/views/tui/tuitest"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"
)

type fake struct {
	tree  *protocol.Tree
	err   error
	calls []string
}

func (f *fake) Tree(protocol.SessionRef) (protocol.Tree, error) { return *f.tree, nil }

func (f *fake) Navigate(n protocol.Navigate) (protocol.Navigated, error) {
	f.calls = append(f.calls, fmt.Sprintf("to %s summary=%v", n.To, n.Summarise))
	return protocol.Navigated{Leaf: n.To, EditorText: "text of " + string(n.To)}, f.err
}

func (f *fake) Abort(protocol.SessionRef) error { f.calls = append(f.calls, "abort"); return nil }

type told struct{ text string }

func open(t *testing.T, f *fake, busy bool) *Screen {
	t.Helper()
	s := New(Options{
		Busy: busy, Ports: f, Theme: theme.New(theme.Renderer(io.Discard, theme.Plain, true)),
		Tell: func(n protocol.Navigated) tea.Msg { return told{n.EditorText} },
	})
	s.Update(s.Init()())
	return s
}

func press(s *Screen, keys string) screen.Step {
	_, st := tuitest.Press(s, keys)
	return st
}

// pick chooses in the picker of a step, and gives its answer to the screen.
func pick(t *testing.T, s *Screen, st screen.Step, keys string) screen.Step {
	t.Helper()
	if st.Nav.Push == nil {
		t.Fatal("no question about the branch that is left")
	}
	_, answer := tuitest.Press(st.Nav.Push, keys)
	_, next := s.Update(answer.Nav.Tell)
	return next
}

func TestSelect(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys, picks string
		want, tells string
	}{
		"a question, no summary": {"down enter", "enter", "to 5 summary=false", "text of 5"},
		"with a summary":         {"down enter", "down enter", "to 5 summary=true", "text of 5"},
		"the leaf":               {"enter", "", "", ""},
		"wraps":                  {"up up up up enter", "enter", "to 8 summary=false", "text of 8"},
		"found by search":        {"'again' enter", "enter", "to 8 summary=false", "text of 8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{tree: tree(branched)}
			s := open(t, f, false)
			st := press(s, c.keys)
			if c.picks != "" {
				st = pick(t, s, st, c.picks)
			}
			if st.Cmd != nil {
				_, st = s.Update(st.Cmd())
			}
			if got := strings.Join(f.calls, ","); got != c.want {
				t.Errorf("calls %q, want %q", got, c.want)
			}
			tells := ""
			if m, ok := st.Nav.Tell.(told); ok && st.Nav.Pop {
				tells = m.text
			}
			if tells != c.tells {
				t.Errorf("tells %q, want %q", tells, c.tells)
			}
		})
	}
}

func TestNoMoveWhileATurnRuns(t *testing.T) {
	t.Parallel()
	f := &fake{tree: tree(branched)}
	s := open(t, f, true)
	if st := press(s, "down enter"); st.Nav.Push != nil || st.Cmd != nil || !strings.Contains(s.View(80, 24), "a turn runs") {
		t.Error("it moves during a turn")
	}
	s = open(t, f, false)
	f.err = &protocol.Error{Code: protocol.CodeBusy, Message: "busy"}
	st := pick(t, s, press(s, "down enter"), "enter")
	if _, st = s.Update(st.Cmd()); st.Nav.Pop || !strings.Contains(s.View(80, 24), "a turn runs") {
		t.Error("a refusal went unsaid")
	}
	f.err = errors.New("the model failed")
	st = pick(t, s, press(s, "enter"), "enter")
	if _, st = s.Update(st.Cmd()); st.Nav.Pop || !strings.Contains(s.View(80, 24), "nothing was moved: the model failed") {
		t.Error("a failure went unsaid")
	}
}

func TestEscStopsASummary(t *testing.T) {
	t.Parallel()
	f := &fake{tree: tree(branched)}
	s := open(t, f, false)
	pick(t, s, press(s, "down enter"), "down enter") // the call is under way
	if st := press(s, "enter"); st.Cmd != nil {
		t.Error("a second move began")
	}
	press(s, "esc").Cmd()
	if strings.Join(f.calls, ",") != "abort" {
		t.Errorf("calls %v", f.calls)
	}
}

func TestEscAndFilters(t *testing.T) {
	t.Parallel()
	s := open(t, &fake{tree: tree(branched)}, false)
	if st := press(s, "'way' esc"); st.Nav.Pop || len(s.rows) != 7 {
		t.Error("the first esc clears the search")
	}
	press(s, "ctrl+o ctrl+o")
	if s.look.Filter != UserOnly || len(s.rows) != 3 {
		t.Errorf("filter %s, %d rows", s.look.Filter, len(s.rows))
	}
	press(s, "ctrl+o ctrl+o ctrl+o down tab")
	if r, _ := s.selected(); r.Node.ID != "5" || !r.Folded || len(s.rows) != 5 {
		t.Errorf("folding: %s, %d rows", r.Node.ID, len(s.rows))
	}
	press(s, "ctrl+left")
	if s.selectedID() != "1" {
		t.Errorf("up a branch went to %s", s.selectedID())
	}
	if st := press(s, "esc"); !st.Nav.Pop {
		t.Error("esc stays")
	}
}

func TestGoldenFrames(t *testing.T) {
	t.Parallel()
	s := open(t, &fake{tree: tree(branched + "a 8 u " + strings.Repeat("a long question ", 20) + "\nb 8 u \x1b[2Jhostile\u202e\x9b31m\n")}, false)
	for _, size := range [][2]int{{40, 15}, {80, 24}, {200, 60}} {
		w, h := size[0], size[1]
		tuitest.Golden(t, fmt.Sprintf("tree-%dx%d.txt", w, h), tuitest.Frame(t, s.View(w, h), w, h))
	}
}

func TestFramesFit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := open(t, &fake{tree: tree(branched + "a 8 u " + strings.Repeat("漢字 ", 90))}, false)
		w, h := rapid.IntRange(1, 120).Draw(rt, "w"), rapid.IntRange(1, 40).Draw(rt, "h")
		press(s, rapid.SampledFrom([]string{"down", "up", "tab", "'way'", "'zz'", "ctrl+o", "enter"}).Draw(rt, "key"))
		v := s.View(w, h)
		if lines := strings.Split(v, "\n"); len(lines) > h {
			rt.Fatalf("%d lines of %d", len(lines), h)
		}
		tuitest.Fits(t, v, w, h)
	})
}
