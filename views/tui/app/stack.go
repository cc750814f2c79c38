package app

import (
	"dugout/views/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// addressed carries a command's answer to the screen that asked, wherever it is in the stack.
type addressed struct {
	to  int
	msg tea.Msg
}

// address makes a command whose answer comes back to one screen only. Batches are taken apart, so
// that each part is addressed.
func address(to int, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			out := make(tea.BatchMsg, 0, len(msg))
			for _, c := range msg {
				if c != nil {
					out = append(out, address(to, c))
				}
			}
			return out
		case nil:
			return nil
		default:
			return addressed{to, msg}
		}
	}
}

// step gives a message to one screen and does what it asks for. The result says whether the screen
// was still there.
func (m *Model) step(id int, msg tea.Msg) (bool, tea.Cmd) {
	i := m.place(id)
	if i < 0 {
		return false, nil
	}
	next, step := m.stack[i].screen.Update(msg)
	m.stack[i].screen = next
	return true, m.apply(i, step)
}

// apply does a step of the screen at a place.
func (m *Model) apply(i int, step screen.Step) tea.Cmd {
	id := m.stack[i].id
	cmds := []tea.Cmd{address(id, step.Cmd), step.Tea}
	n := step.Nav
	switch {
	case n.Quit:
		return tea.Sequence(tea.Batch(cmds...), tea.Quit)
	case n.Replace != nil:
		cmds = append(cmds, m.remove(i), m.insert(i, n.Replace))
	case n.Push != nil:
		cmds = append(cmds, m.insert(i+1, n.Push))
	case n.Pop && len(m.stack) > 1:
		cmds = append(cmds, m.remove(i))
		if n.Tell != nil && i > 0 {
			_, cmd := m.step(m.stack[i-1].id, n.Tell)
			cmds = append(cmds, cmd)
		}
		if i == len(m.stack) { // it was on top, and nothing took its place
			_, cmd := m.step(m.top().id, screen.ResumedMsg{})
			cmds = append(cmds, cmd)
		}
	}
	return tea.Batch(cmds...)
}

// remove takes a screen out of the stack and lets it close what it holds. What its commands still
// bring goes nowhere.
func (m *Model) remove(i int) tea.Cmd {
	gone := m.stack[i].screen
	m.stack = append(m.stack[:i:i], m.stack[i+1:]...)
	c, ok := gone.(screen.Closer)
	if !ok {
		return nil
	}
	closing := c.Close()
	if closing == nil {
		return nil
	}
	return func() tea.Msg {
		closing()
		return nil
	}
}

// insert puts a screen into the stack and tells it what everybody knows.
func (m *Model) insert(i int, s screen.Screen) tea.Cmd {
	id := m.nextID
	m.nextID++
	rest := append([]frame{{id, s}}, m.stack[i:]...)
	m.stack = append(m.stack[:i:i], rest...)
	_, size := m.step(id, screen.SizeMsg{Width: m.width, Height: m.height})
	_, tick := m.step(id, screen.TickMsg{Now: m.now})
	cmds := []tea.Cmd{size, tick}
	if m.data != nil {
		_, cmd := m.step(id, m.data)
		cmds = append(cmds, cmd)
	}
	if at := m.place(id); at >= 0 {
		cmds = append(cmds, address(id, m.stack[at].screen.Init()))
	}
	return tea.Batch(cmds...)
}
