package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/tui/widget"
	"strings"
)

// line is something in the list: a row, or a note where there is none.
type line struct {
	kind   lineKind
	row    roster.Row
	folded bool // a parent whose children don't show
	text   string
}

type lineKind uint8

const (
	lineRow lineKind = iota
	lineNote
)

func (l line) height() int {
	if l.kind == lineRow && l.row.Section != roster.Inactive {
		return 2
	}
	return 1
}

// arrange makes the list anew from the snapshot and the options. The selection stays with its
// session.
func (s *Screen) arrange() {
	query, err := roster.ParseQuery(s.search.Value())
	s.queryErr = ""
	if err != nil {
		s.queryErr = err.Error()
	}
	o := roster.ViewOptions{Query: query, Sort: s.sort, NamedOnly: s.named}
	if s.scoped {
		o.Folder = s.o.Folder
	}
	s.view = roster.Arrange(s.data.Snapshot, o)
	s.query = query
	n := len(s.parts)
	for _, rows := range s.view.Sections {
		n += len(rows)
	}
	s.lines = make([]line, 0, n)
	for i, sec := range roster.Sections() {
		from := len(s.lines)
		s.section(sec, s.view.Sections[sec], !query.Empty())
		s.parts[i].lines = s.lines[from:len(s.lines):len(s.lines)]
		s.parts[i].list.SetItems(items(s.parts[i].lines))
	}
	s.list.SetItems(items(s.lines))
	s.settle()
}

func items(lines []line) []widget.Item {
	out := make([]widget.Item, len(lines))
	for i, l := range lines {
		out[i] = widget.Item{Height: l.height()}
		if l.kind == lineRow {
			out[i].Key = string(l.row.Record.Key)
		}
	}
	return out
}

// part is a section's lines below its heading, with a window of their own, so that all three
// sections show whatever their length.
type part struct {
	lines []line
	list  widget.List
}

func (p part) height() int {
	n := 0
	for _, l := range p.lines {
		n += l.height()
	}
	return n
}

// settle gives each section its lines of the window and brings the selection into its section's; the
// others show their beginning.
func (s *Screen) settle() {
	a := s.layout(s.width, s.height)
	s.list.SetHeight(max(1, a.list))
	heights := s.share(a.list)
	for i := range s.parts {
		s.parts[i].list.SetHeight(max(1, heights[i]))
		if !s.parts[i].list.Select(s.list.Selected()) {
			s.parts[i].list.First()
		}
	}
}

// share divides h lines, headings taken off, among the sections.
func (s *Screen) share(h int) [3]int {
	var need [3]int
	for i, p := range s.parts {
		need[i] = p.height()
	}
	return share(need, h-len(need))
}

// share gives each section what it needs; when that is too much, running gets half of the lines and
// the others a quarter each, and what one does not need goes to the next that does.
func share(need [3]int, h int) [3]int {
	h = max(0, h)
	if need[0]+need[1]+need[2] <= h {
		return need
	}
	got := [3]int{min(need[0], h-2*(h/4)), min(need[1], h/4), min(need[2], h/4)}
	for i := range got {
		left := h - got[0] - got[1] - got[2]
		got[i] += min(left, need[i]-got[i])
	}
	return got
}

// section appends the rows of a section; below a folded parent they are left out.
func (s *Screen) section(sec roster.Section, rows []roster.Row, searching bool) {
	if len(rows) == 0 {
		s.lines = append(s.lines, line{kind: lineNote, text: emptyNote(sec, s.view.Counts[sec])})
		return
	}
	fold := -1 // rows deeper than this are left out
	for i, r := range rows {
		if fold >= 0 && r.Indent > fold {
			continue
		}
		fold = -1
		l := line{kind: lineRow, row: r}
		if r.Children > 0 && !searching && s.folded(rows, i) {
			l.folded, fold = true, r.Indent
		}
		s.lines = append(s.lines, l)
	}
}

// folded says whether the children of rows[i] are hidden: by default they are, unless one of them
// needs the person.
func (s *Screen) folded(rows []roster.Row, i int) bool {
	if s.unfolded[rows[i].Record.Key] {
		return false
	}
	for _, r := range rows[i+1:] {
		if r.Indent <= rows[i].Indent {
			break
		}
		if r.Record.NeedsYou() {
			return false
		}
	}
	return true
}

func emptyNote(sec roster.Section, total int) string {
	if total > 0 {
		return "none of these match"
	}
	switch sec {
	case roster.Running:
		return "nothing runs"
	case roster.Idle:
		return "no live session rests"
	default:
		return "no saved sessions"
	}
}

func (s *Screen) setQuery(q string) {
	s.search.Set(q)
	s.arrange()
}

func asks(r *roster.Record) bool {
	return r.Live != nil && r.Live.Permission != nil
}

func archived(r *roster.Record) bool { return r.State == protocol.StateArchived }

// working says that something is under way that a pulse may show.
func working(r *roster.Record) bool {
	if r.Live == nil {
		return false
	}
	switch r.State {
	case protocol.StateStreaming, protocol.StateTool, protocol.StateCompacting, protocol.StateRetrying:
		return true
	}
	return false
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return strings.TrimSpace(many)
}
