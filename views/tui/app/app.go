// Package app is the root of the terminal program: it owns the stack of screens, the window and the
// pump of events, and puts the real client behind the screens' ports.
//
// Three kinds of message reach a screen. Input (keys, mouse) goes to the top of the stack. An answer
// to a screen's own command goes to that screen, or, when it has left, nowhere. Data (the roster's
// changes, the clock, the window's size) goes to every screen, so the roster under a chat is current
// when one comes back to it. Screens change by return value: the key after enter already meets the
// new screen.
package app

import (
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// frame is a screen in the stack. Its id is never used again.
type frame struct {
	id     int
	screen screen.Screen
}

// Model is the root of the program.
type Model struct {
	stack         []frame
	nextID        int
	width, height int
	sized         bool // the window's size is known
	now           time.Time
	clock         clock
	keys          []keymap.Binding
	th            theme.Theme
	data          tea.Msg // the roster as it stood last, for screens that come later
	title         string
	leaving       int  // counts the asks to leave
	asked         bool // ctrl+c was pressed once
	done          <-chan struct{}
}

// newModel makes the root with its first screens, the last one on top.
func newModel(th theme.Theme, o keymap.Overrides, now time.Time, screens ...screen.Screen) *Model {
	m := &Model{th: th, keys: o.Apply(keymap.Global()), now: now, width: 80, height: 24}
	for _, s := range screens {
		m.stack = append(m.stack, frame{m.nextID, s})
		m.nextID++
	}
	return m
}

// Init starts the screens and the clock.
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.tick(), m.retitle()}
	for i := range m.stack {
		_, cmd := m.step(m.stack[i].id, screen.TickMsg{Now: m.now})
		cmds = append(cmds, cmd, address(m.stack[i].id, m.stack[i].screen.Init()))
	}
	return tea.Batch(cmds...)
}

// Update routes a message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := m.route(msg)
	return m, tea.Batch(cmd, m.keepTime(), m.retitle())
}

func (m *Model) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height, m.sized = msg.Width, msg.Height, true
		return m.broadcast(screen.SizeMsg{Width: msg.Width, Height: msg.Height})
	case addressed:
		_, cmd := m.step(msg.to, msg.msg)
		return cmd
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		_, cmd := m.step(m.top().id, msg)
		return cmd
	case clockMsg:
		return m.onClock(msg)
	case tea.ResumeMsg:
		return m.clockNow()
	case leaveOverMsg:
		if msg.ask == m.leaving {
			m.asked = false
		}
		return nil
	case dataMsg:
		m.data = msg.msg
		return m.broadcast(msg.msg)
	}
	return m.broadcast(msg)
}

// dataMsg is the roster as it stands now, wrapped so that the root knows it without knowing it.
type dataMsg struct{ msg tea.Msg }

// key takes apart what the terminal delivered together, so that a key which changes the screen does
// not carry the next ones along.
func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	if k.Type != tea.KeyRunes || k.Paste || len(k.Runes) < 2 {
		return m.oneKey(k)
	}
	var cmds []tea.Cmd
	for _, r := range k.Runes {
		one := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt}
		cmds = append(cmds, m.oneKey(one))
	}
	return tea.Batch(cmds...)
}

func (m *Model) oneKey(k tea.KeyMsg) tea.Cmd {
	b, _ := keymap.Find(m.keys, k.String())
	if k.Paste {
		b = keymap.Binding{}
	}
	switch b.Action {
	case keymap.Suspend:
		return tea.Suspend
	case keymap.Interrupt:
		return m.interrupt()
	}
	m.asked = false
	_, cmd := m.step(m.top().id, k)
	return cmd
}

// broadcast gives a message to every screen that is in the stack now.
func (m *Model) broadcast(msg tea.Msg) tea.Cmd {
	var cmds []tea.Cmd
	for _, f := range append([]frame(nil), m.stack...) {
		_, cmd := m.step(f.id, msg)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

func (m *Model) top() frame { return m.stack[len(m.stack)-1] }

func (m *Model) place(id int) int {
	for i, f := range m.stack {
		if f.id == id {
			return i
		}
	}
	return -1
}

// View draws the topmost full screen and the overlays above it.
func (m *Model) View() string {
	if !m.sized {
		return ""
	}
	at := len(m.stack) - 1
	for at > 0 {
		if _, ok := m.stack[at].screen.(screen.Overlay); !ok {
			break
		}
		at--
	}
	out := m.stack[at].screen.View(m.width, m.height)
	for _, f := range m.stack[at+1:] {
		out = f.screen.(screen.Overlay).Over(out, m.width, m.height)
	}
	if m.asked {
		out = m.withLeaveHint(out)
	}
	return out
}
