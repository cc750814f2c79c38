package app

import (
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"dugout/views/tui/tuitest"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var plain = theme.New(theme.Renderer(io.Discard, theme.Plain, true))

type (
	loaded string
	deltas int
	told   string
	closed string
)

// stub is a screen that notes what it gets.
type stub struct {
	name   string
	log    *[]string
	slow   chan string
	moving bool
	text   string
}

func (s *stub) note(format string, args ...any) {
	*s.log = append(*s.log, fmt.Sprintf(format, args...))
}

func (s *stub) Init() tea.Cmd {
	if s.slow == nil {
		return nil
	}
	return func() tea.Msg { return loaded(<-s.slow) }
}

func (s *stub) Title() string          { return s.name }
func (s *stub) View(w, h int) string   { return fmt.Sprintf("%s %dx%d", s.name, w, h) }
func (s *stub) Keys() []keymap.Binding { return nil }
func (s *stub) Moving() bool           { return s.moving }

func (s *stub) Close() tea.Cmd {
	s.note("%s closes", s.name)
	return func() tea.Msg { return closed(s.name) }
}

func (s *stub) Interrupted() (screen.Screen, screen.Step, bool) {
	had := s.text != ""
	s.text = ""
	return s, screen.Step{}, had
}

func (s *stub) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		s.note("%s:%s", s.name, msg)
		switch msg.String() {
		case "enter":
			return s, screen.Step{Nav: screen.Nav{Push: &stub{name: "chat", log: s.log, slow: make(chan string, 1)}}}
		case "r":
			return s, screen.Step{Nav: screen.Nav{Replace: &stub{name: "other", log: s.log}}}
		case "o":
			return s, screen.Step{Nav: screen.Nav{Push: &over{stub{name: "over", log: s.log}}}}
		case "esc":
			return s, screen.Step{Nav: screen.Nav{Pop: true, Tell: told("bye of " + s.name)}}
		case "w":
			s.text = "something"
		case "q":
			return s, screen.Step{Nav: screen.Nav{Quit: true}}
		}
	case loaded:
		s.note("%s got %s", s.name, msg)
	case deltas:
		s.note("%s data", s.name)
	case told:
		s.note("%s told %s", s.name, msg)
	case closed:
		s.note("%s got the close of %s", s.name, msg)
	case screen.ResumedMsg:
		s.note("%s resumed", s.name)
	}
	return s, screen.Step{}
}

type over struct{ stub }

func (o *over) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	_, step := o.stub.Update(msg)
	return o, step
}
func (o *over) Over(below string, _, _ int) string { return below + " under " + o.name }

func root(log *[]string) *Model {
	m := newModel(plain, nil, time.Unix(0, 0), &stub{name: "dugout", log: log})
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	return m
}

func press(m *Model, keys string) (cmd tea.Cmd) {
	for _, k := range tuitest.Keys(keys) {
		_, cmd = m.Update(k)
	}
	return cmd
}

func check(t *testing.T, log []string, want string) {
	t.Helper()
	if got := strings.Join(log, ", "); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestRouting(t *testing.T) {
	t.Parallel()
	var log []string
	m := root(&log)
	press(m, "enter")
	chat := m.top().screen.(*stub)
	press(m, "x")
	m.Update(deltas(1))
	answer := address(m.top().id, chat.Init())
	press(m, "esc y")
	chat.slow <- "late"
	m.Update(answer()) // of a screen that has left
	check(t, log, "dugout:enter, chat:x, dugout data, chat data, chat:esc, chat closes, dugout told bye of chat, dugout resumed, dugout:y")
}

func TestReplaceAndOverlay(t *testing.T) {
	t.Parallel()
	var log []string
	m := root(&log)
	press(m, "enter r")
	if n := len(m.stack); n != 2 || m.top().screen.Title() != "other" {
		t.Errorf("%d screens, %s on top", n, m.top().screen.Title())
	}
	m.Update(tea.WindowSizeMsg{Width: 33, Height: 7})
	press(m, "o")
	if got := m.View(); got != "other 33x7 under over" {
		t.Errorf("view %q", got)
	}
	press(m, "esc")
	if got := m.View(); got != "other 33x7" {
		t.Errorf("view %q", got)
	}
	press(m, "esc esc") // the last screen stays
	if n := len(m.stack); n != 1 {
		t.Errorf("%d screens", n)
	}
}

// Keys that the terminal delivers together meet the screen that each of them belongs to.
func TestTypeAhead(t *testing.T) {
	t.Parallel()
	var log []string
	m := root(&log)
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("roxy")})
	check(t, log, "dugout:r, dugout closes, other:o, over:x, over:y")
	log = nil
	m.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("roxy"), Paste: true})
	check(t, log, "over:[roxy]")
}

func TestInterruptLeavesAtTheSecond(t *testing.T) {
	t.Parallel()
	quits := func(cmd tea.Cmd) bool {
		if cmd == nil {
			return false
		}
		switch msg := cmd().(type) {
		case tea.QuitMsg:
			return true
		case tea.BatchMsg:
			for _, c := range msg {
				if _, ok := c().(tea.QuitMsg); ok {
					return true
				}
			}
		}
		return false
	}
	var log []string
	m := root(&log)
	press(m, "w ctrl+c") // clears what was written
	if m.asked {
		t.Error("the first ctrl+c clears the text and nothing more")
	}
	press(m, "ctrl+c")
	if !m.asked || !strings.Contains(m.View(), "ctrl+c again leaves") {
		t.Errorf("no hint in %q", m.View())
	}
	press(m, "x")
	if m.asked {
		t.Error("another key does not take it back")
	}
	press(m, "ctrl+c")
	m.Update(leaveOverMsg{m.leaving})
	if m.asked {
		t.Error("it counts for ever")
	}
	press(m, "ctrl+c")
	if !quits(press(m, "ctrl+c")) {
		t.Error("the second one does not leave")
	}
	if !quits(press(root(&log), "q")) {
		t.Error("a screen can't quit")
	}
}

func TestClockRunsFastOnlyWhileSomethingMoves(t *testing.T) {
	t.Parallel()
	var log []string
	m := root(&log)
	s := m.top().screen.(*stub)
	m.Update(clockMsg{0, time.Unix(5, 0)})
	if m.clock.fast || !m.now.Equal(time.Unix(5, 0)) {
		t.Errorf("%+v at %s", m.clock, m.now)
	}
	s.moving = true
	m.Update(deltas(1))
	if !m.clock.fast || m.clock.turn != 1 {
		t.Errorf("not wound up: %+v", m.clock)
	}
	m.Update(deltas(1))
	if m.clock.turn != 1 {
		t.Error("two ticks under way")
	}
	if m.onClock(clockMsg{0, time.Unix(9, 0)}) != nil || m.now.Equal(time.Unix(9, 0)) {
		t.Error("a tick of an earlier turn counts")
	}
	press(m, "enter") // what moves is covered
	m.Update(clockMsg{1, time.Unix(10, 0)})
	if m.clock.fast {
		t.Error("fast for what does not show")
	}
}

type needy struct {
	stub
	n int
}

func (n *needy) NeedYou() int { return n.n }

func (n *needy) Update(tea.Msg) (screen.Screen, screen.Step) { return n, screen.Step{} }

func TestTitle(t *testing.T) {
	t.Parallel()
	var log []string
	m := newModel(plain, nil, time.Unix(0, 0), &needy{stub{name: "dugout", log: &log}, 2})
	m.Init()
	if m.title != "dugout (2 need you)" {
		t.Error(m.title)
	}
	m.insert(1, &stub{name: "fix\x1b]0;PWNED\a it", log: &log})
	m.Update(deltas(0))
	if m.title != "fix it - dugout (2 need you)" {
		t.Error(m.title)
	}
	if cmd := m.retitle(); cmd != nil {
		t.Error("the same title is set again")
	}
}
