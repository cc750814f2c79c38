package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/sessionio"
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"
)

// look is what a row's drawing depends on besides the row.
type look struct {
	th       theme.Theme
	now      time.Time
	frame    int
	width    int
	selected bool
	folded   bool
	paths    bool
	query    roster.Query
	home     string // drawn as ~
	edit     string // in place of the title: a name being edited
}

// state is how a record's state is drawn: never by a glyph or a colour alone.
type state struct {
	word  string
	glyph string // "" pulses
	style func(theme.Theme) lipgloss.Style
}

func good(t theme.Theme) lipgloss.Style    { return t.Good }
func bad(t theme.Theme) lipgloss.Style     { return t.Bad }
func waits(t theme.Theme) lipgloss.Style   { return t.Waiting }
func runs(t theme.Theme) lipgloss.Style    { return t.Running }
func resting(t theme.Theme) lipgloss.Style { return t.Muted }

// stateOf names what a session is doing or wants. What the daemon says that this program does not
// know is called unknown, never idle.
func stateOf(r *roster.Record) state {
	switch r.Attention {
	case protocol.AttentionPermission:
		return state{"waiting", theme.GlyphPermission, waits}
	case protocol.AttentionQuestion:
		return state{"asks", theme.GlyphQuestion, waits}
	case protocol.AttentionFailed:
		if r.Interrupted() {
			return state{"broke off", theme.GlyphFailed, bad}
		}
		return state{"failed", theme.GlyphFailed, bad}
	}
	switch r.State {
	case protocol.StateStreaming:
		return state{"working", "", runs}
	case protocol.StateTool:
		return state{"tool", "", runs}
	case protocol.StateCompacting:
		return state{"compacts", "", runs}
	case protocol.StateRetrying:
		return state{"retrying", theme.GlyphRetry, waits}
	case protocol.StateWaiting:
		return state{"waiting", theme.GlyphPermission, waits}
	case protocol.StateQueued:
		return state{"queued", theme.GlyphQueued, runs}
	case protocol.StateIdle:
		return rest(r)
	case protocol.StateArchived:
		return state{"archived", theme.GlyphArchived, resting}
	case protocol.StateSaved:
		return saved(r)
	}
	return state{"unknown", theme.GlyphQuestion, resting}
}

func rest(r *roster.Record) state {
	switch {
	case r.Attention == protocol.AttentionFinished:
		return state{"finished", theme.GlyphFinished, good}
	case r.Verdict() == sessionio.VerdictCompleted:
		return state{"done", theme.GlyphFinished, resting}
	}
	return state{"idle", theme.GlyphIdle, resting}
}

func saved(r *roster.Record) state {
	switch r.Verdict() {
	case sessionio.VerdictCompleted:
		return state{"done", theme.GlyphFinished, resting}
	case sessionio.VerdictNeedsInput:
		return state{"asked", theme.GlyphQuestion, resting}
	}
	return state{"saved", theme.GlyphSaved, resting}
}

const wordWidth = 9

// drawRow draws a row in one line (inactive) or two, each exactly as wide as asked.
func drawRow(row roster.Row, o look) []string {
	r := row.Record
	st := stateOf(r)
	glyph := st.glyph
	if glyph == "" {
		glyph = theme.Pulse(o.frame)
	}
	mark := "  "
	if o.selected {
		mark = theme.GlyphSelected + " "
	}
	indent := strings.Repeat("  ", min(row.Indent, 4))
	p := pen{o: o}
	head := p.write(mark+indent, o.th.Marker) + p.write(glyph+" ", st.style(o.th)) +
		p.write(cells.Fit(st.word, wordWidth)+" ", st.style(o.th))
	right := p.write(rightCell(row, o), o.th.Muted)
	if row.Section == roster.Inactive {
		return []string{p.line(head, p.title(r), recapOf(r, o), right)}
	}
	second := p.write(strings.Repeat(" ", min(cells.Width(head), max(2, o.width/8))), o.th.Base)
	return []string{p.line(head, p.title(r), "", right), p.second(row, second)}
}

// childWords counts the children and says whether they show below.
func childWords(row roster.Row, folded bool) string {
	glyph := theme.GlyphOpen
	if folded {
		glyph = theme.GlyphClosed
	}
	s := fmt.Sprintf("%s %d %s", glyph, row.Children, plural(row.Children, "child", "children"))
	if row.Running > 0 {
		s += fmt.Sprintf(", %d running", row.Running)
	}
	return s
}

// pen writes text in the row's own style.
type pen struct{ o look }

func (p pen) write(s string, st lipgloss.Style) string {
	if s == "" {
		return ""
	}
	if p.o.selected {
		st = st.Inherit(p.o.th.Selected)
	}
	return st.Render(s)
}

// line puts a row's first line together: what stands at the left is cut for what stands at the
// right.
func (p pen) line(head, title, recap, right string) string {
	room := p.o.width - cells.Width(head) - cells.Width(right) - 1
	if room < 8 { // too narrow for both
		right, room = "", p.o.width-cells.Width(head)
	}
	if p.o.edit != "" {
		return cells.Fit(head+cells.Fit(p.o.edit, max(1, room))+" "+right, p.o.width)
	}
	title = cells.Cut(title, room)
	left := room - cells.Width(title) - 2
	text := p.highlighted(title, p.o.th.Base)
	if recap != "" && left >= 8 {
		text += p.write("  ", p.o.th.Base) + p.highlighted(cells.Cut(recap, left), p.o.th.Muted)
	}
	gap := p.o.width - cells.Width(head) - cells.Width(text) - cells.Width(right)
	return cells.Fit(head+text+p.write(strings.Repeat(" ", max(0, gap)), p.o.th.Base)+right, p.o.width)
}

// second is the line below: what it does or says at the left, where and with what at the right.
func (p pen) second(row roster.Row, head string) string {
	r := row.Record
	if row.Children > 0 {
		head += p.write(cells.Cut(childWords(row, p.o.folded), max(0, p.o.width-cells.Width(head)-4))+"  ", p.o.th.Accent)
	}
	room := p.o.width - cells.Width(head)
	facts := ""
	if p.o.width >= 60 {
		facts = factsOf(r, p.o.home, room/2)
	}
	text, st := doing(r)
	if p.o.paths {
		text, st = shorten(r.Path(), p.o.home), resting
	}
	text = cells.Cut(text, room-cells.Width(facts)-2)
	gap := room - cells.Width(text) - cells.Width(facts)
	return cells.Fit(head+p.highlighted(text, st(p.o.th))+p.write(strings.Repeat(" ", max(0, gap)), p.o.th.Base)+p.write(facts, p.o.th.Faint), p.o.width)
}

// highlighted draws text with what the query found in it marked.
func (p pen) highlighted(text string, st lipgloss.Style) string {
	var b strings.Builder
	at := 0
	for _, h := range p.o.query.Highlight(text) {
		b.WriteString(p.write(text[at:h[0]], st))
		b.WriteString(p.write(text[h[0]:h[1]], p.o.th.Match.Inherit(st)))
		at = h[1]
	}
	b.WriteString(p.write(text[at:], st))
	return b.String()
}

func (p pen) title(r *roster.Record) string { return sanitize.Line(r.Title(), 1000) }

// rightCell is the badges and the age, as many as a third of the row holds.
func rightCell(row roster.Row, o look) string {
	r := row.Record
	parts := []string{fmt.Sprintf("%4s", age(o.now, sinceOf(r)))}
	add := func(s string) {
		if s != "" && cells.Width(strings.Join(parts, "  "))+cells.Width(s)+2 <= max(12, o.width/3) {
			parts = append([]string{s}, parts...)
		}
	}
	if n := r.Errors(); n > 0 {
		add(fmt.Sprintf("%s %d", theme.GlyphWarning, n))
	}
	if l := r.Live; l != nil {
		if l.Queued > 0 {
			add(fmt.Sprintf("%d queued", l.Queued))
		}
		if l.Clients > 0 {
			add(fmt.Sprintf("%d here", l.Clients))
		}
	} else {
		if row.Children > 0 {
			add(childWords(row, o.folded))
		}
		if o.width >= 100 {
			add(fmt.Sprintf("%d msg", r.MessageCount()))
		}
		add(cutPath(shorten(r.CWD(), o.home), 24))
	}
	if r.ReadOnly() {
		add("read-only")
	}
	return strings.Join(parts, "  ")
}
