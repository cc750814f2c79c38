package widget

import (
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Actions of a question.
const (
	ChoiceNext   keymap.Action = "confirm.next"
	ChoicePrev   keymap.Action = "confirm.prev"
	ChoiceTake   keymap.Action = "confirm.take"
	ChoiceCancel keymap.Action = "confirm.cancel"
)

// Choice is an answer to a question.
type Choice struct {
	Label string
	Key   string  // takes it at once; "" for none
	Tell  tea.Msg // what the screen below is told; nil for nothing
}

// Question is what a Confirm asks.
type Question struct {
	Title   string
	Body    []string // paragraphs, safe for a terminal; wrapped
	Choices []Choice // beside Cancel, which comes first
	Danger  bool
	// SelfOpened says that no key of the person opened it: for a moment it swallows keys, which were
	// meant for what was there before.
	SelfOpened bool
}

// Grace is how long a question that opened by itself swallows keys.
const Grace = 600 * time.Millisecond

// Confirm is an overlay with a question. Cancel is chosen first.
type Confirm struct {
	q      Question
	keys   []keymap.Binding
	th     theme.Theme
	at     int // 0 is Cancel
	frozen bool
}

type graceOverMsg struct{}

// NewConfirm makes the overlay.
func NewConfirm(q Question, th theme.Theme, o keymap.Overrides) *Confirm {
	return &Confirm{q: q, th: th, frozen: q.SelfOpened, keys: o.Apply([]keymap.Binding{
		{Action: ChoicePrev, Keys: []string{"left", "up", "shift+tab"}, Help: "previous"},
		{Action: ChoiceNext, Keys: []string{"right", "down", "tab"}, Help: "next", Footer: true},
		{Action: ChoiceTake, Keys: []string{"enter"}, Help: "choose", Footer: true},
		{Action: ChoiceCancel, Keys: []string{"esc", "n"}, Help: "cancel", Footer: true},
	})}
}

// Init starts the grace period.
func (c *Confirm) Init() tea.Cmd {
	if !c.frozen {
		return nil
	}
	return tea.Tick(Grace, func(time.Time) tea.Msg { return graceOverMsg{} })
}

// Update handles keys; every answer pops the overlay.
func (c *Confirm) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch msg := msg.(type) {
	case graceOverMsg:
		c.frozen = false
	case tea.KeyMsg:
		if !c.frozen {
			return c, c.key(msg.String())
		}
	}
	return c, screen.Step{}
}

func (c *Confirm) key(key string) screen.Step {
	for _, ch := range c.q.Choices {
		if ch.Key != "" && ch.Key == key {
			return done(ch.Tell)
		}
	}
	b, _ := keymap.Find(c.keys, key)
	n := len(c.q.Choices) + 1
	switch b.Action {
	case ChoiceNext:
		c.at = (c.at + 1) % n
	case ChoicePrev:
		c.at = (c.at + n - 1) % n
	case ChoiceCancel:
		return done(nil)
	case ChoiceTake:
		if c.at == 0 {
			return done(nil)
		}
		return done(c.q.Choices[c.at-1].Tell)
	}
	return screen.Step{}
}

func done(tell tea.Msg) screen.Step { return screen.Step{Nav: screen.Nav{Pop: true, Tell: tell}} }

// Interrupted takes ctrl+c as cancel.
func (c *Confirm) Interrupted() (screen.Screen, screen.Step, bool) { return c, done(nil), true }

// Title names the question.
func (c *Confirm) Title() string { return c.q.Title }

// Keys are the keys of the question.
func (c *Confirm) Keys() []keymap.Binding { return c.keys }

// View draws the question alone.
func (c *Confirm) View(w, h int) string { return c.Over("", w, h) }

// Over draws the question over the frame below. The choices show whatever the height.
func (c *Confirm) Over(below string, w, h int) string {
	cols, room := boxRoom(w, h)
	cols = min(cols, 72)
	title := c.th.Strong.Render(cells.Cut(c.q.Title, cols))
	if c.q.Danger {
		title = c.th.Bad.Render(cells.Cut(c.q.Title, cols))
	}
	lines := []string{title}
	for _, p := range c.q.Body {
		lines = append(lines, cells.Wrap(p, cols)...)
	}
	choices := c.choices(cols)
	if n := room - len(choices) - 1; len(lines) > n {
		lines = lines[:max(1, n)]
	}
	if room > len(lines)+len(choices) {
		lines = append(lines, "")
	}
	style := c.th.Box
	if c.q.Danger {
		style = c.th.Danger
	}
	return Box(below, append(lines, choices...), style, cols, w, h)
}

// choices is one line, or one a choice where that is too narrow.
func (c *Confirm) choices(cols int) []string {
	all := append([]Choice{{Label: "Cancel", Key: "esc"}}, c.q.Choices...)
	var parts []string
	width := 0
	for i, ch := range all {
		label := "  " + ch.Label
		if i == c.at {
			label = theme.GlyphSelected + " " + ch.Label
		}
		text := c.th.Base.Render(label)
		if i == c.at {
			text = c.th.Selected.Inherit(c.th.Strong).Render(label)
		}
		if ch.Key != "" {
			text += " " + c.th.Muted.Render("("+keymap.Spell(ch.Key)+")")
		}
		width += cells.Width(text) + 3
		parts = append(parts, text)
	}
	if width <= cols {
		return []string{strings.Join(parts, "   ")}
	}
	return parts
}
