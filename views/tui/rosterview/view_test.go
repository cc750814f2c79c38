package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/sessionio"
	"dugout/views/tui/cells"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"dugout/views/tui/tuitest"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

var sizes = [][2]int{{40, 15}, {80, 24}, {200, 60}}

// frames are the states that golden files show. Each is made at the size that it is drawn at.
var frames = map[string]func(*Screen) screen.Screen{
	"mixed":  func(s *Screen) screen.Screen { return s },
	"search": func(s *Screen) screen.Screen { tuitest.Press(s, "'the'"); return s },
	"rename": func(s *Screen) screen.Screen { tuitest.Press(s, "down ctrl+r 'x'"); return s },
	"keys":   func(s *Screen) screen.Screen { tuitest.Press(s, "esc"); return s },
	"paths":  func(s *Screen) screen.Screen { tuitest.Press(s, "ctrl+p alt+c"); return s },
	"confirm": func(s *Screen) screen.Screen {
		_, step := tuitest.Press(s, "ctrl+d")
		return step.Nav.Push
	},
	"peek": func(s *Screen) screen.Screen {
		_, step := tuitest.Press(s, "alt+n alt+n alt+n space")
		return step.Nav.Push
	},
	"help": func(s *Screen) screen.Screen {
		_, step := tuitest.Press(s, "?")
		return step.Nav.Push
	},
	"nomatch": func(s *Screen) screen.Screen { tuitest.Press(s, "'zzz' ctrl+n ctrl+g"); return s },
	"gone": func(s *Screen) screen.Screen {
		d := mixed()
		d.AllLive = nil
		m := changed(d)
		m.Connected, m.Problem = false, "the daemon has stopped"
		s.Update(m)
		return s
	},
	"empty": func(s *Screen) screen.Screen { s.Update(RosterChangedMsg{Connected: true}); return s },
	"scan": func(s *Screen) screen.Screen {
		m := changed(mixed())
		m.Scanned, m.ToScan = 120, 4000
		s.Update(m)
		return s
	},
}

func frame(s *Screen, top screen.Screen, w, h int) string {
	if o, ok := top.(screen.Overlay); ok {
		o.Update(screen.SizeMsg{Width: w, Height: h})
		return o.Over(s.View(w, h), w, h)
	}
	return top.View(w, h)
}

func TestFrames(t *testing.T) {
	t.Parallel()
	for name, prepare := range frames {
		for _, size := range sizes {
			w, h := size[0], size[1]
			t.Run(fmt.Sprintf("%s-%dx%d", name, w, h), func(t *testing.T) {
				t.Parallel()
				s := start(&calls{}, changed(mixed()))
				s.Update(screen.SizeMsg{Width: w, Height: h})
				got := tuitest.Frame(t, frame(s, prepare(s), w, h), w, h)
				if strings.Contains(got, "PWNED") {
					t.Errorf("hostile text came through:\n%s", got)
				}
				tuitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, w, h), got)
			})
		}
	}
}

// Colours change how a frame looks and nothing that it says; without them there are none.
func TestColoursSayNothing(t *testing.T) {
	t.Parallel()
	for name, prepare := range frames {
		var want string
		for _, c := range []theme.Colours{theme.Plain, theme.Sixteen, theme.TwoFiftySix, theme.True} {
			s := New(Options{Theme: theme.New(theme.Renderer(io.Discard, c, c != theme.Sixteen)), Ports: (&calls{}).ports(), Folder: "/home/me/src/api", HomeDir: "/home/me"})
			s.Update(screen.SizeMsg{Width: 160, Height: 40})
			s.Update(screen.TickMsg{Now: noon})
			s.Update(changed(mixed()))
			out := frame(s, prepare(s), 160, 40)
			tuitest.Fits(t, out, 160, 40)
			if c == theme.Plain {
				want = ansi.Strip(out)
				if plain := strings.NewReplacer("\x1b[7m", "", "\x1b[m", "").Replace(out); strings.Contains(plain, "\x1b") {
					t.Errorf("%s: escape sequences without colours: %q", name, plain)
				}
				continue
			}
			if !strings.Contains(out, "\x1b[") {
				t.Errorf("%s: no colours of %d", name, c)
			}
			if got := ansi.Strip(out); got != want {
				t.Errorf("%s in colours %d:\n%s\nwithout:\n%s", name, c, got, want)
			}
		}
	}
}

// Whatever the size and the text, a frame is exactly the window.
func TestFramesFit(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab \t\n\x1b[]漢字é́👨👍🏽🇩🇪\u202e—…❤️")), 0, 80, -1)
	states := []protocol.State{protocol.StateStreaming, protocol.StateTool, protocol.StateWaiting, protocol.StateIdle, "?"}
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(20, 220).Draw(t, "w"), rapid.IntRange(1, 60).Draw(t, "h")
		var live []protocol.Summary
		for i := range rapid.IntRange(0, 8).Draw(t, "live") {
			live = append(live, liveOne(fmt.Sprint("l", i), rapid.SampledFrom(states).Draw(t, "state"), 0, func(s *protocol.Summary) {
				s.Name, s.Recap, s.CWD, s.Model, s.Queued = text.Draw(t, "name"), text.Draw(t, "recap"), text.Draw(t, "cwd"), text.Draw(t, "model"), i
				if i%3 == 0 {
					s.Permission = &protocol.Permission{ID: "p", Command: text.Draw(t, "command"), Preview: text.Draw(t, "preview")}
				}
				if i > 4 {
					s.Parent, s.Depth = "l0", 1
				}
			}))
		}
		var saved []sessionio.Info
		for i := range rapid.IntRange(0, 8).Draw(t, "saved") {
			saved = append(saved, savedOne(fmt.Sprint("s", i), text.Draw(t, "question"), 0, nil))
		}
		s := start(&calls{}, changed(roster.Delta{AllLive: &live, AllSaved: &saved}))
		s.Update(screen.SizeMsg{Width: w, Height: h})
		name := rapid.SampledFrom([]string{"mixed", "search", "rename", "keys", "confirm", "peek", "help", "nomatch", "paths"}).Draw(t, "frame")
		top := frames[name](s)
		if top == nil { // nothing to act on
			top = s
		}
		lines := strings.Split(frame(s, top, w, h), "\n")
		if len(lines) != h {
			t.Fatalf("%s: %d lines of %d", name, len(lines), h)
		}
		for _, l := range lines {
			if cells.Width(l) != w {
				t.Fatalf("%s: a line of %d cells in a window of %d: %q", name, cells.Width(l), w, l)
			}
		}
	})
}

func BenchmarkView(b *testing.B) {
	for _, n := range []int{100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := start(&calls{}, changed(many(n)))
			for b.Loop() {
				s.View(120, 40)
			}
		})
	}
}

// BenchmarkKey is a key in the search line until its frame.
func BenchmarkKey(b *testing.B) {
	for _, n := range []int{100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := start(&calls{}, changed(many(n)))
			keys := tuitest.Keys("t o k e n backspace backspace backspace backspace backspace")
			for i := 0; b.Loop(); i++ {
				s.Update(keys[i%len(keys)])
				s.View(120, 40)
			}
		})
	}
}

func many(n int) roster.Delta {
	var saved []sessionio.Info
	for i := range n {
		saved = append(saved, savedOne(fmt.Sprintf("%06d", i), fmt.Sprintf("refactor the token store of project %d and write tests", i), 0, nil))
	}
	return roster.Delta{AllSaved: &saved}
}
