package app

import (
	"dugout/views/tui/screen"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// clock is the program's one clock: fast while something on a screen moves, else once a minute. One
// tick is under way at a time; those of an earlier turn of the clock are dropped.
type clock struct {
	turn int
	fast bool
}

type clockMsg struct {
	turn int
	now  time.Time
}

const (
	fastTick = 120 * time.Millisecond
	slowTick = time.Minute
)

// tick asks for the next tick.
func (m *Model) tick() tea.Cmd {
	every, turn := slowTick, m.clock.turn
	if m.clock.fast {
		every = fastTick
	}
	return m.after(every, func(now time.Time) tea.Msg { return clockMsg{turn, now} })
}

// after is tea.Tick that ends with the program: Bubble Tea leaves its own timers running.
func (m *Model) after(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
	done := m.done
	return func() tea.Msg {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case now := <-t.C:
			return msg(now)
		case <-done:
			return nil
		}
	}
}

// onClock tells the time to everybody and winds the clock up again.
func (m *Model) onClock(c clockMsg) tea.Cmd {
	if c.turn != m.clock.turn {
		return nil
	}
	m.now = c.now
	cmd := m.broadcast(screen.TickMsg{Now: c.now})
	m.clock.fast = m.moving()
	return tea.Batch(cmd, m.tick())
}

// clockNow tells the time at once, after the program slept.
func (m *Model) clockNow() tea.Cmd {
	m.clock.turn++
	turn := m.clock.turn
	return func() tea.Msg { return clockMsg{turn, time.Now()} }
}

// keepTime makes the clock fast when something began to move. It slows down by itself.
func (m *Model) keepTime() tea.Cmd {
	if m.clock.fast || !m.moving() {
		return nil
	}
	m.clock.turn++
	m.clock.fast = true
	return m.tick()
}

// moving says whether something moves on the screens that show.
func (m *Model) moving() bool {
	for i := len(m.stack) - 1; i >= 0; i-- {
		if a, ok := m.stack[i].screen.(screen.Animated); ok && a.Moving() {
			return true
		}
		if _, ok := m.stack[i].screen.(screen.Overlay); !ok {
			return false
		}
	}
	return false
}
