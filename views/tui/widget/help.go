package widget

import (
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"

	tea "github.com/charmbracelet/bubbletea"
)

// Actions of the help.
const HelpClose keymap.Action = "help.close"

// HelpGroup is bindings under a heading.
type HelpGroup struct {
	Title string
	Keys  []keymap.Binding
}

// Help is an overlay that lists keys, made from the bindings themselves. It scrolls.
type Help struct {
	groups []HelpGroup
	keys   []keymap.Binding
	th     theme.Theme
	top    int
	page   int
}

// NewHelp makes the overlay.
func NewHelp(groups []HelpGroup, th theme.Theme, o keymap.Overrides) *Help {
	keys := append(keymap.List(), keymap.Binding{Action: HelpClose, Keys: []string{"esc", "q", "?", "enter"}, Help: "close", Footer: true})
	return &Help{groups: groups, th: th, keys: o.Apply(keys), page: 10}
}

// Init has nothing to do.
func (p *Help) Init() tea.Cmd { return nil }

// Update scrolls and closes.
func (p *Help) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch msg := msg.(type) {
	case screen.SizeMsg:
		_, p.page = boxRoom(msg.Width, msg.Height)
	case tea.KeyMsg:
		return p, p.key(msg.String())
	}
	p.top = max(0, min(p.top, len(p.lines(0))-1))
	return p, screen.Step{}
}

func (p *Help) key(key string) screen.Step {
	b, _ := keymap.Find(p.keys, key)
	last := max(0, len(p.lines(0))+2-p.page)
	by := map[keymap.Action]int{
		keymap.Up: -1, keymap.Down: 1, keymap.PageUp: -p.page, keymap.PageDown: p.page, keymap.First: -last, keymap.Last: last,
	}[b.Action]
	p.top = max(0, min(p.top+by, last))
	if b.Action == HelpClose {
		return done(nil)
	}
	return screen.Step{}
}

// Interrupted takes ctrl+c as closing.
func (p *Help) Interrupted() (screen.Screen, screen.Step, bool) { return p, done(nil), true }

// Title names the overlay.
func (p *Help) Title() string { return "keys" }

// Keys are the keys of the help itself.
func (p *Help) Keys() []keymap.Binding { return p.keys }

// lines is the whole help, unstyled cuts left to the box; the width of the key column is in cells.
func (p *Help) lines(cols int) []string {
	wide := 0
	for _, g := range p.groups {
		for _, b := range g.Keys {
			wide = max(wide, cells.Width(allKeys(b)))
		}
	}
	wide = min(wide, max(8, cols/2))
	var out []string
	for i, g := range p.groups {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, p.th.Heading.Render(g.Title))
		for _, b := range g.Keys {
			if len(b.Keys) == 0 {
				continue
			}
			text := b.Help
			if b.Off != "" {
				text += p.th.Muted.Render("  off: " + b.Off)
			}
			out = append(out, p.th.Key.Render(cells.Fit(allKeys(b), wide))+"  "+text)
		}
	}
	return out
}

func allKeys(b keymap.Binding) string {
	s := ""
	for i, k := range b.Keys {
		if i > 0 {
			s += " "
		}
		s += keymap.Spell(k)
	}
	return s
}

// View draws the help alone.
func (p *Help) View(w, h int) string { return p.Over("", w, h) }

// Over draws the help over the frame below.
func (p *Help) Over(below string, w, h int) string {
	cols, room := boxRoom(w, h)
	cols = min(cols, 72)
	lines := p.lines(cols)
	top := max(0, min(p.top, len(lines)-(room-2)))
	lines = lines[top:min(len(lines), top+max(1, room-2))]
	lines = append(lines, "", p.th.Muted.Render(cells.Cut("up/down scrolls, esc closes", cols)))
	return Box(below, lines, p.th.Box, cols, w, h)
}
