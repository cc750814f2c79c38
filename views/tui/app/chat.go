package app

import (
	"dugout/daemonclient/protocol"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// openChat makes the chat of a session.
func (t terminal) openChat(ref protocol.SessionRef) screen.Screen { return absent(ref.ID) }

// newChat makes the chat of a session that is to be started.
func (t terminal) newChat(n protocol.NewSession) screen.Screen { return absent(n.CWD) }

// absent stands where the chat will be.
type absent string

func (a absent) Init() tea.Cmd { return nil }

func (a absent) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	if _, ok := msg.(tea.KeyMsg); ok {
		return a, screen.Step{Nav: screen.Nav{Pop: true}}
	}
	return a, screen.Step{}
}

func (a absent) View(int, int) string   { return "the chat is not built in; any key goes back" }
func (a absent) Title() string          { return string(a) }
func (a absent) Keys() []keymap.Binding { return nil }
