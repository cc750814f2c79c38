package rosterview

import (
	"dugout/roster"
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/keymap"
	"dugout/views/tui/widget"
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// View draws the roster.
func (s *Screen) View(w, h int) string {
	if w <= 0 || h <= 0 {
		return ""
	}
	a := s.layout(w, h)
	out := []string{s.header(w)}
	if a.banner > 0 {
		out = append(out, s.th.Waiting.Render(cells.Cut(s.bannerText(), w)))
	}
	out = append(out, s.strip(w, a.strip)...)
	out = append(out, s.searchLine(w))
	list := s.listLines(a.main, a.list)
	if a.preview > 0 {
		list = s.besidePreview(list, a)
	}
	out = append(out, list...)
	for len(out) < h-1 {
		out = append(out, "")
	}
	if h < fixedLines { // the rows say more than the rest
		out = out[:h]
	} else {
		out = append(out[:h-1], s.dock(w))
	}
	return cells.Frame(strings.Join(out, "\n"), w, h)
}

// header is the counts at the left, what is shown at the right.
func (s *Screen) header(w int) string {
	left := s.th.Heading.Render("dugout")
	if s.o.Pick != nil {
		left = s.th.Heading.Render("resume a session")
	}
	for _, sec := range roster.Sections() {
		piece := fmt.Sprintf("%d %s", s.view.Counts[sec], sec)
		if cells.Width(left)+cells.Width(piece)+2 <= w {
			left += "  " + s.sectionStyle(sec).Render(piece)
		}
	}
	need := ""
	if n := len(s.view.NeedsYou); n > 0 {
		need = fmt.Sprintf("%d %s you", n, plural(n, "needs", "need"))
	}
	if need != "" && cells.Width(left)+cells.Width(need)+2 <= w {
		left += "  " + s.th.Waiting.Render(need)
	}
	right := s.showing()
	gap := w - cells.Width(left) - cells.Width(right)
	if gap < 2 {
		return cells.Cut(left, w)
	}
	return left + strings.Repeat(" ", gap) + s.th.Muted.Render(right)
}

func (s *Screen) sectionStyle(sec roster.Section) lipgloss.Style {
	if sec == roster.Running && s.view.Counts[sec] > 0 {
		return s.th.Running
	}
	return s.th.Muted
}

// showing says what of the roster is shown, and how.
func (s *Screen) showing() string {
	if s.data.ToScan > 0 {
		return fmt.Sprintf("reading sessions %d/%d %s", s.data.Scanned, s.data.ToScan, widget.Bar(s.data.Scanned, s.data.ToScan, 12))
	}
	var parts []string
	if s.scoped {
		parts = append(parts, s.short(s.o.Folder))
	}
	if s.named {
		parts = append(parts, "named only")
	}
	if s.sort != roster.SortRecent {
		parts = append(parts, "by "+string(s.sort))
	}
	if s.paths {
		parts = append(parts, "paths")
	}
	return strings.Join(parts, "  ")
}

// bannerText says that something is amiss with what is shown.
func (s *Screen) bannerText() string {
	if !s.heard {
		return s.o.Banner
	}
	problem := sanitize.Line(s.data.Problem, 1000)
	switch {
	case !s.data.Connected && problem != "":
		return "no daemon: " + problem + "; saved sessions below, trying again"
	case !s.data.Connected:
		return "no daemon: saved sessions below, trying again"
	}
	if problem == "" {
		return s.o.Banner
	}
	return problem
}

// searchLine is where one types; in key mode it says so.
func (s *Screen) searchLine(w int) string {
	right := ""
	switch {
	case s.queryErr != "":
		right = s.th.Bad.Render(cells.Cut(sanitize.Line(s.queryErr, 400), w/2))
	case !s.search.Empty():
		right = s.th.Muted.Render(fmt.Sprintf("%d of %d", s.view.Matches, s.view.Total))
	}
	prompt := s.th.Accent.Render("> ")
	room := w - 2
	if right != "" {
		room -= cells.Width(right) + 2
	}
	var text string
	if s.keyMode && s.search.Empty() {
		text = s.th.Muted.Render(cells.Cut("key mode: letters act, / searches", room))
	} else {
		text = strings.Join(s.search.View(room, 1, s.th, s.renaming == nil && !s.keyMode), "")
	}
	line := cells.Fit(prompt+text, w)
	if right != "" && room > 4 {
		line = cells.Fit(prompt+text, w-cells.Width(right)) + right
	}
	return line
}

// strip is who needs the person and for what, oldest first.
func (s *Screen) strip(w, h int) []string {
	need := s.view.NeedsYou
	if h < 2 || len(need) == 0 {
		return nil
	}
	head := fmt.Sprintf("needs you %d", len(need))
	shown := min(len(need), h-1)
	if shown < len(need) {
		head += ", the oldest first: " + s.shown(Next) + " goes through them"
	}
	out := []string{s.th.Waiting.Render(cells.Cut(head, w))}
	for i := range shown {
		out = append(out, s.stripLine(&need[i], w))
	}
	return out
}

func (s *Screen) stripLine(r *roster.Record, w int) string {
	st := stateOf(r)
	head := "  " + st.glyph + " " + cells.Fit(st.word, wordWidth) + " "
	since := fmt.Sprintf(" %4s", age(s.now, sinceOf(r)))
	room := w - cells.Width(head) - cells.Width(since)
	most := room
	if w >= 60 {
		most = max(8, room/2)
	}
	title := cells.Cut(sanitize.Line(r.Title(), 1000), most)
	what, style := doing(r)
	line := st.style(s.th).Render(head) + title
	if left := room - cells.Width(title) - 2; left > 4 && what != "" && w >= 60 {
		line += "  " + style(s.th).Render(cells.Cut(what, left))
	}
	return cells.Fit(line, w-cells.Width(since)) + s.th.Muted.Render(since)
}

// listLines is the window of the list.
func (s *Screen) listLines(w, h int) []string {
	if h <= 0 {
		return nil
	}
	if note := s.emptyNotes(); note != nil {
		return s.withNotes(note, w, h)
	}
	heights := s.share(h)
	blanks := h-len(s.parts)-heights[0]-heights[1]-heights[2] >= len(s.parts)-1
	var out []string
	for i, sec := range roster.Sections() {
		rows, more := s.window(s.parts[i], w, heights[i])
		if i > 0 && blanks {
			out = append(out, "")
		}
		out = append(append(out, s.heading(sec, more, w)), rows...)
	}
	return out[:min(len(out), h)]
}

// window draws the h lines of a section that show, and says how many rows don't.
func (s *Screen) window(p part, w, h int) (out []string, more string) {
	list := p.list
	list.SetHeight(max(1, h))
	top := list.Top()
	at, above, below := 0, 0, 0
	for _, l := range p.lines {
		n := l.height()
		switch {
		case at+n <= top:
			above++
		case at >= top+h:
			below++
		default:
			for i, text := range s.drawLine(l, w) {
				if at+i >= top && at+i < top+h {
					out = append(out, text)
				}
			}
		}
		at += n
	}
	if above > 0 {
		more = fmt.Sprintf(" %d above", above)
	}
	if below > 0 {
		more += fmt.Sprintf(" %d below", below)
	}
	return out, more
}

func (s *Screen) drawLine(l line, w int) []string {
	if l.kind == lineNote {
		return []string{s.th.Faint.Render(cells.Cut("    "+l.text, w))}
	}
	o := look{
		th: s.th, now: s.now, frame: s.frame, width: w, folded: l.folded, paths: s.paths, home: s.o.HomeDir,
		selected: string(l.row.Record.Key) == s.list.Selected(),
	}
	if l.row.Matched && !s.search.Empty() {
		o.query = s.query
	}
	if s.renaming != nil && s.renaming.key == l.row.Record.Key {
		o.edit = strings.Join(s.renaming.editor.View(max(4, w-24), 1, s.th, true), "")
	}
	return drawRow(l.row, o)
}

// heading is a section's name and count, and how many of its rows are out of sight.
func (s *Screen) heading(sec roster.Section, more string, w int) string {
	text := fmt.Sprintf("%s %d", sec, s.view.Counts[sec])
	shown := 0
	for _, r := range s.view.Sections[sec] {
		if r.Indent == 0 {
			shown++
		}
	}
	if shown != s.view.Counts[sec] {
		text = fmt.Sprintf("%s %d of %d", sec, shown, s.view.Counts[sec])
	}
	text = cells.Cut(text, w)
	rule := max(0, w-cells.Width(text)-1-len(more))
	return s.th.Heading.Render(text) + s.th.Faint.Render(" "+strings.Repeat("-", rule)) + s.th.Muted.Render(more)
}

// emptyNotes says what to do when there is nothing to list; nil when there is.
func (s *Screen) emptyNotes() []string {
	switch {
	case s.view.Matches > 0 || s.data.ToScan > 0:
		return nil
	case !s.heard:
		return []string{"looking for sessions…"}
	case s.view.Total == 0:
		return []string{
			"No sessions yet.", "",
			s.shown(NewSession) + " starts one in " + s.short(s.o.Folder),
			s.shown(Help) + " lists the keys",
			"`dugout demo` shows a roster at work, with no key and no network",
		}
	}
	out := []string{"Nothing matches."}
	if !s.search.Empty() {
		out = append(out, "esc clears the line; "+s.shown(NewWith)+" starts a session with it")
	}
	if s.named {
		out = append(out, s.shown(Named)+" shows those without a name too")
	}
	if s.scoped {
		out = append(out, s.shown(Scope)+" shows all folders, not just "+s.short(s.o.Folder))
	}
	return out
}

// shown is an action's first key.
func (s *Screen) shown(a keymap.Action) string {
	for _, b := range s.keys {
		if b.Action == a {
			return b.Shown()
		}
	}
	return ""
}

// withNotes is the three headings with the note below them.
func (s *Screen) withNotes(note []string, w, h int) []string {
	var out []string
	for _, sec := range roster.Sections() {
		out = append(out, s.heading(sec, "", w))
	}
	out = append(out, "")
	for _, n := range note {
		for _, l := range cells.Wrap(n, max(1, w-4)) {
			out = append(out, "  "+l)
		}
	}
	return out[:min(len(out), h)]
}

// besidePreview puts the selected session's details to the right of the list.
func (s *Screen) besidePreview(list []string, a areas) []string {
	var right []string
	if row, ok := s.selected(); ok {
		right = details(row, s.detailLook(a.preview-2))
	}
	bar := s.th.Faint.Render("|")
	out := make([]string, a.list)
	for i := range out {
		left, text := "", ""
		if i < len(list) {
			left = list[i]
		}
		if i < len(right) {
			text = right[i]
		}
		out[i] = cells.Fit(left, a.main) + bar + " " + cells.Cut(text, a.preview-2)
	}
	return out
}

// dock is the last line: a notice, else the keys.
func (s *Screen) dock(w int) string {
	switch {
	case s.renaming != nil:
		return widget.Footer(renameBindings(), w, s.th)
	case s.notice.text != "" && s.notice.bad:
		return s.th.Bad.Render(cells.Cut(s.notice.text, w))
	case s.notice.text != "":
		return s.th.Accent.Render(cells.Cut(s.notice.text, w))
	}
	return widget.Footer(s.active(), w, s.th)
}
