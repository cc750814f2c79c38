package widget

import (
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Finding is something that was found, told in a few lines. Its texts are raw.
type Finding struct {
	Key  string
	Head string   // one line: where it is from
	Body []string // each wrapped over a few lines
}

// findingLines bounds the lines of one text of a finding.
const findingLines = 3

// Found is an overlay of findings to read and choose from.
type Found struct {
	of, title string
	findings  []Finding
	list      List
	cols      int
	keys      []keymap.Binding
	th        theme.Theme
}

// NewFound makes the overlay; the choice is told as PickedMsg.
func NewFound(of, title string, findings []Finding, th theme.Theme, o keymap.Overrides) *Found {
	p := &Found{of: of, title: sanitize.Line(title, 200), th: th, keys: o.Apply(append(keymap.List(),
		keymap.Binding{Action: PickTake, Keys: []string{"enter"}, Help: "open", Footer: true},
		keymap.Binding{Action: PickCancel, Keys: []string{"esc", "q"}, Help: "close", Footer: true},
	))}
	for _, f := range findings {
		clean := Finding{Key: f.Key, Head: sanitize.Line(f.Head, 0)}
		for _, b := range f.Body {
			clean.Body = append(clean.Body, sanitize.Line(b, 0))
		}
		p.findings = append(p.findings, clean)
	}
	p.fit(80, 24)
	return p
}

// fit lays the findings out for a window.
func (p *Found) fit(w, h int) {
	cols, room := boxRoom(w, h)
	p.cols = min(cols, 96)
	items := make([]Item, len(p.findings))
	for i, f := range p.findings {
		items[i] = Item{Key: f.Key, Height: len(p.lines(f, false))}
	}
	p.list.SetHeight(max(1, room-2))
	p.list.SetItems(items)
}

// Init has nothing to do.
func (p *Found) Init() tea.Cmd { return nil }

// Update handles keys.
func (p *Found) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch msg := msg.(type) {
	case screen.SizeMsg:
		p.fit(msg.Width, msg.Height)
	case tea.KeyMsg:
		b, _ := keymap.Find(p.keys, msg.String())
		switch b.Action {
		case PickCancel:
			return p, done(nil)
		case PickTake:
			if key := p.list.Selected(); key != "" {
				return p, done(PickedMsg{p.of, key})
			}
		default:
			p.list.Action(b.Action)
		}
	}
	return p, screen.Step{}
}

// Interrupted takes ctrl+c as closing.
func (p *Found) Interrupted() (screen.Screen, screen.Step, bool) { return p, done(nil), true }

// Title names the overlay.
func (p *Found) Title() string { return p.title }

// Keys are the overlay's keys.
func (p *Found) Keys() []keymap.Binding { return p.keys }

// lines draws a finding.
func (p *Found) lines(f Finding, selected bool) []string {
	mark, style := "  ", p.th.Muted
	if selected {
		mark, style = theme.GlyphSelected+" ", p.th.Selected
	}
	out := []string{style.Render(cells.Cut(mark+f.Head, p.cols))}
	for _, b := range f.Body {
		wrapped := cells.Wrap(b, max(1, p.cols-2))
		if len(wrapped) > findingLines {
			wrapped = wrapped[:findingLines]
			last := findingLines - 1
			wrapped[last] = cells.Cut(strings.TrimRight(wrapped[last], " "), max(1, p.cols-4)) + " …"
		}
		for _, l := range wrapped {
			out = append(out, "  "+p.th.Base.Render(l))
		}
	}
	return out
}

// View draws the findings alone.
func (p *Found) View(w, h int) string { return p.Over("", w, h) }

// Over draws the findings over the frame below.
func (p *Found) Over(below string, w, h int) string {
	p.fit(w, h)
	_, room := boxRoom(w, h)
	var all []string
	for _, f := range p.findings {
		all = append(all, p.lines(f, f.Key == p.list.Selected())...)
	}
	top := min(p.list.Top(), len(all))
	lines := append([]string{p.th.Strong.Render(cells.Cut(p.title, p.cols))}, all[top:min(len(all), top+max(1, room-2))]...)
	foot := "enter opens the session, esc closes"
	if n := len(p.findings); n > 1 {
		foot = fmt.Sprintf("%d found · up/down · %s", n, foot)
	}
	lines = append(lines, p.th.Muted.Render(cells.Cut(foot, p.cols)))
	return Box(below, lines, p.th.Box, p.cols, w, h)
}
