// Package screen is the contract between the app and its screens. Every screen imports it; it
// imports none of them, so screens never know each other.
package screen

import (
	"dugout/views/tui/keymap"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Screen is one full-window state of the program. Update is a function of (screen, message): it
// does no I/O, starts no goroutine, and reads no clock; whatever takes time is in Step.Cmd.
type Screen interface {
	Init() tea.Cmd
	Update(tea.Msg) (Screen, Step)
	View(width, height int) string // at most height lines of at most width cells
	Title() string                 // for the terminal's title, raw
	Keys() []keymap.Binding        // for help; the footer shows those marked for it
}

// Overlay is a screen that draws over the one below, which is kept on screen.
type Overlay interface {
	Screen
	// Over draws the overlay onto the frame below it.
	Over(below string, width, height int) string
}

// Closer is a screen that must let go of something (an attachment) when it leaves the stack.
type Closer interface {
	Close() tea.Cmd
}

// Editing is a screen with a text that ctrl+c clears before it leaves anything. The app asks for it
// at the first ctrl+c.
type Editing interface {
	// Interrupted takes a ctrl+c; false says that there was nothing for it to do.
	Interrupted() (Screen, Step, bool)
}

// Step is what an Update asks for.
type Step struct {
	Cmd tea.Cmd // work to run off the loop; its answer comes back to this screen only
	Tea tea.Cmd // a command whose message is for Bubble Tea itself: ExecProcess, SetWindowTitle, Sequence
	Nav Nav     // a change of screen, done before the next key is read
}

// Nav is a change of the screen stack. The zero value stays.
type Nav struct {
	Push    Screen
	Replace Screen // takes the place of the asking screen
	Pop     bool
	Quit    bool
	// Tell is delivered to the screen below as its next message, when the asking screen pops:
	// an overlay's result.
	Tell tea.Msg
}

// TickMsg is the one clock: sent to every screen in the stack while one of them moves, and once a
// minute for ages. Screens take the time from it alone.
type TickMsg struct{ Now time.Time }

// SizeMsg tells every screen the window's size, before its first View and when it changes. View has
// the size as arguments; this is for what must be known before, such as a page's length.
type SizeMsg struct{ Width, Height int }

// ResumedMsg tells a screen that it is on top again.
type ResumedMsg struct{}
