package app

import (
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/screen"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// leaveWindow is how long the first ctrl+c counts.
const leaveWindow = 2 * time.Second

type leaveOverMsg struct{ ask int }

// interrupt is ctrl+c: it clears what is being written; at nothing written it asks, and the second
// one leaves.
func (m *Model) interrupt() tea.Cmd {
	if m.asked {
		return tea.Quit
	}
	i := len(m.stack) - 1
	if e, ok := m.stack[i].screen.(screen.Editing); ok {
		next, step, did := e.Interrupted()
		if did {
			m.stack[i].screen = next
			return m.apply(i, step)
		}
	}
	m.asked = true
	m.leaving++
	ask := m.leaving
	return m.after(leaveWindow, func(time.Time) tea.Msg { return leaveOverMsg{ask} })
}

func (m *Model) withLeaveHint(frame string) string {
	hint := m.th.Waiting.Render(cells.Fit("ctrl+c again leaves; agents go on", m.width))
	at := strings.LastIndexByte(frame, '\n')
	return frame[:at+1] + hint
}

// needing is a screen that knows how many sessions need the person.
type needing interface{ NeedYou() int }

// retitle sets the terminal's title when it changed: the screen's, and who needs the person.
func (m *Model) retitle() tea.Cmd {
	title := "dugout"
	for _, f := range m.stack {
		if n, ok := f.screen.(needing); ok {
			if c := n.NeedYou(); c > 0 {
				title = fmt.Sprintf("dugout (%d need you)", c)
				if c == 1 {
					title = "dugout (1 needs you)"
				}
			}
			break
		}
	}
	if own := strings.TrimSpace(sanitize.Line(m.top().screen.Title(), 200)); own != "" && own != "dugout" {
		title = own + " - " + title
	}
	if title == m.title {
		return nil
	}
	m.title = title
	return tea.SetWindowTitle(title)
}
