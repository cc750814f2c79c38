package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/widget"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Actions of the peek.
const (
	PeekAllow  keymap.Action = "peek.allow"
	PeekAlways keymap.Action = "peek.always"
	PeekDeny   keymap.Action = "peek.deny"
	PeekOpen   keymap.Action = "peek.open"
	PeekClose  keymap.Action = "peek.close"
)

func peekBindings() []keymap.Binding {
	return []keymap.Binding{
		{Action: PeekAllow, Keys: []string{"y"}, Help: "allow", Footer: true},
		{Action: PeekAlways, Keys: []string{"a"}, Help: "always", Footer: true},
		{Action: PeekDeny, Keys: []string{"n"}, Help: "deny", Footer: true},
		{Action: PeekOpen, Keys: []string{"enter", "right"}, Help: "open", Footer: true},
		{Action: PeekClose, Keys: []string{"esc", " ", "left", "q"}, Help: "close", Footer: true},
	}
}

// peek is an overlay with everything about one session, and where it is asked, the answers. It stays
// with its session while rows move. An answer goes to the question that is shown: when another takes
// its place, keys are swallowed for a moment, for they were meant for the one before.
type peek struct {
	o      Options
	row    roster.Row
	keys   []keymap.Binding
	now    time.Time
	asked  string // id of the permission question shown
	grace  int    // counts the questions that came in place of another
	frozen bool
	gone   bool
	top    int
	size   screen.SizeMsg
}

type unfreezeMsg struct{ grace int }

func newPeek(s *Screen, row roster.Row) *peek {
	p := &peek{o: s.o, row: row, now: s.now, keys: s.o.Keys.Apply(append(peekBindings(), keymap.List()...)), size: screen.SizeMsg{Width: s.width, Height: s.height}}
	p.asked = questionOf(row.Record)
	return p
}

func questionOf(r *roster.Record) string {
	if !asks(r) {
		return ""
	}
	return r.Live.Permission.ID
}

func (p *peek) Init() tea.Cmd { return nil }

func (p *peek) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch msg := msg.(type) {
	case screen.SizeMsg:
		p.size = msg
	case screen.TickMsg:
		p.now = msg.Now
	case RosterChangedMsg:
		return p, screen.Step{Cmd: p.refresh(msg.Snapshot)}
	case unfreezeMsg:
		p.frozen = p.frozen && msg.grace != p.grace
	case tea.KeyMsg:
		if !p.frozen {
			return p, p.key(msg.String())
		}
	}
	return p, screen.Step{}
}

// refresh takes the session as it is now.
func (p *peek) refresh(s roster.Snapshot) tea.Cmd {
	r, ok := s.Get(p.row.Record.Key)
	p.gone = !ok
	if !ok {
		return nil
	}
	p.row.Record = &r
	now := questionOf(&r)
	if now == p.asked {
		return nil
	}
	p.asked = now
	p.frozen, p.top = true, 0
	p.grace++
	grace := p.grace
	return tea.Tick(widget.Grace, func(time.Time) tea.Msg { return unfreezeMsg{grace} })
}

func (p *peek) key(key string) screen.Step {
	b, _ := keymap.Find(p.Keys(), key)
	leave := func(tell tea.Msg) screen.Step { return screen.Step{Nav: screen.Nav{Pop: true, Tell: tell}} }
	answer := func(allow, always bool) screen.Step {
		return leave(answerMsg{protocol.Answer{SessionRef: refOf(p.row.Record), PermissionID: p.asked, Allow: allow, Always: always}})
	}
	page := max(1, p.size.Height-6)
	switch b.Action {
	case PeekAllow:
		return answer(true, false)
	case PeekAlways:
		return answer(true, true)
	case PeekDeny:
		return answer(false, false)
	case PeekOpen:
		return leave(openMsg{refOf(p.row.Record)})
	case PeekClose:
		return leave(nil)
	case keymap.Up:
		p.scroll(-1)
	case keymap.Down:
		p.scroll(1)
	case keymap.PageUp:
		p.scroll(-page)
	case keymap.PageDown:
		p.scroll(page)
	}
	return screen.Step{}
}

func (p *peek) scroll(by int) {
	cols, room := p.room(p.size.Width, p.size.Height)
	p.top = max(0, min(p.top+by, len(p.lines(cols))-room))
}

// Interrupted takes ctrl+c as closing.
func (p *peek) Interrupted() (screen.Screen, screen.Step, bool) {
	return p, screen.Step{Nav: screen.Nav{Pop: true}}, true
}

func (p *peek) Title() string { return "dugout" }

// Keys are the answers, when there is a question, and the ways out.
func (p *peek) Keys() []keymap.Binding {
	out := append([]keymap.Binding(nil), p.keys...)
	for i := range out {
		switch out[i].Action {
		case PeekAllow, PeekDeny:
			if p.asked == "" || p.gone {
				out[i].Off = "nothing is asked"
			}
		case PeekAlways:
			if p.asked == "" || p.gone || p.row.Record.Live.Permission.Rule == "" {
				out[i].Off = "no rule would cover this"
			} else {
				out[i].Help = "always allow"
			}
		case PeekOpen:
			if p.gone {
				out[i].Off = "it is gone"
			}
		}
	}
	return out
}

func (p *peek) View(w, h int) string { return p.Over("", w, h) }

func (p *peek) room(w, h int) (cols, lines int) {
	return max(1, min(w-4, 100)), max(1, h-4)
}

func (p *peek) lines(cols int) []string {
	th := p.o.Theme
	out := details(p.row, detailLook{th: th, now: p.now, width: cols, home: p.o.HomeDir})
	if r := p.row.Record; p.asked != "" && r.Live.Permission.Rule != "" {
		out = append(out, "", th.Muted.Render(cells.Cut("always allows: "+wishRule(r.Live.Permission), cols)))
	}
	if p.gone {
		out = append([]string{th.Bad.Render("this session is gone")}, out...)
	}
	return out
}

// Over draws the peek over the roster.
func (p *peek) Over(below string, w, h int) string {
	cols, room := p.room(w, h)
	th := p.o.Theme
	lines := p.lines(cols)
	top := max(0, min(p.top, len(lines)-room))
	rest := len(lines) - top - room
	lines = lines[top:min(len(lines), top+room)]
	footer := widget.Footer(p.Keys(), cols, th)
	if rest > 0 {
		more := "down: more below  "
		footer = th.Waiting.Render(cells.Cut(more, cols)) + widget.Footer(p.Keys(), max(1, cols-len(more)), th)
	}
	return widget.Box(below, append(lines, "", footer), th.Box, cols, w, h)
}
