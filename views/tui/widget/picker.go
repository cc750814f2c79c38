package widget

import (
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
)

// Actions of a picker.
const (
	PickTake   keymap.Action = "pick.take"
	PickCancel keymap.Action = "pick.cancel"
)

// Option is something to pick. Its texts are raw.
type Option struct {
	Key    string
	Title  string
	Detail string
}

// PickedMsg tells the screen below what was picked. Of is the picker's name.
type PickedMsg struct {
	Of, Key string
}

// Picker is an overlay to pick one of several things, filtered as one types.
type Picker struct {
	of, title string
	options   []Option
	shown     []Option
	editor    Editor
	list      List
	keys      []keymap.Binding
	th        theme.Theme
}

// NewPicker makes the overlay; at is the key selected first.
func NewPicker(of, title string, options []Option, at string, th theme.Theme, o keymap.Overrides) *Picker {
	p := &Picker{of: of, title: title, th: th, editor: NewEditor(false, o), keys: o.Apply(append(keymap.List(),
		keymap.Binding{Action: PickTake, Keys: []string{"enter"}, Help: "choose", Footer: true},
		keymap.Binding{Action: PickCancel, Keys: []string{"esc"}, Help: "cancel", Footer: true},
	))}
	for _, opt := range options {
		p.options = append(p.options, Option{opt.Key, sanitize.Line(opt.Title, 0), sanitize.Line(opt.Detail, 0)})
	}
	p.editor.Placeholder = "type to filter"
	p.list.SetHeight(10)
	p.filter()
	p.list.Select(at)
	return p
}

func (p *Picker) filter() {
	p.shown = p.options
	if q := strings.TrimSpace(p.editor.Value()); q != "" {
		p.shown = nil
		for _, m := range fuzzy.FindFrom(q, titles(p.options)) {
			p.shown = append(p.shown, p.options[m.Index])
		}
	}
	items := make([]Item, len(p.shown))
	for i, o := range p.shown {
		items[i] = Item{Key: o.Key, Height: 1}
	}
	p.list.SetItems(items)
}

type titles []Option

func (t titles) String(i int) string { return t[i].Title }
func (t titles) Len() int            { return len(t) }

// Init has nothing to do.
func (p *Picker) Init() tea.Cmd { return nil }

// Update handles keys.
func (p *Picker) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch msg := msg.(type) {
	case screen.SizeMsg:
		_, room := boxRoom(msg.Width, msg.Height)
		p.list.SetHeight(room - 3)
	case tea.KeyMsg:
		return p, p.key(msg)
	}
	return p, screen.Step{}
}

func (p *Picker) key(k tea.KeyMsg) screen.Step {
	b, _ := keymap.Find(p.keys, k.String())
	switch b.Action {
	case PickCancel:
		return done(nil)
	case PickTake:
		if key := p.list.Selected(); key != "" {
			return done(PickedMsg{p.of, key})
		}
		return screen.Step{}
	}
	if !p.list.Action(b.Action) && p.editor.Key(k) {
		p.filter()
	}
	return screen.Step{}
}

// Interrupted takes ctrl+c as cancel.
func (p *Picker) Interrupted() (screen.Screen, screen.Step, bool) { return p, done(nil), true }

// Title names the overlay.
func (p *Picker) Title() string { return p.title }

// Keys are the picker's keys.
func (p *Picker) Keys() []keymap.Binding { return p.keys }

// View draws the picker alone.
func (p *Picker) View(w, h int) string { return p.Over("", w, h) }

// Over draws the picker over the frame below.
func (p *Picker) Over(below string, w, h int) string {
	cols, room := boxRoom(w, h)
	cols = min(cols, 76)
	lines := []string{p.th.Strong.Render(cells.Cut(p.title, cols))}
	lines = append(lines, p.editor.View(cols, 1, p.th, true)...)
	if len(p.shown) == 0 {
		lines = append(lines, p.th.Muted.Render("nothing matches"))
	}
	window := p.list
	window.SetHeight(room - 3)
	top := window.Top()
	for _, o := range p.shown[min(top, len(p.shown)):min(len(p.shown), top+max(1, room-3))] {
		mark, style := "  ", p.th.Base
		if o.Key == p.list.Selected() {
			mark, style = theme.GlyphSelected+" ", p.th.Selected
		}
		line := cells.Cut(mark+o.Title, cols)
		rest := cells.Cut(o.Detail, cols-cells.Width(line)-2)
		if rest != "" {
			rest = "  " + p.th.Muted.Render(rest)
		}
		lines = append(lines, style.Render(line)+rest)
	}
	return Box(below, lines, p.th.Box, cols, w, h)
}
