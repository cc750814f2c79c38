package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"fmt"
	"strings"
	"time"
)

// detailLook is what the details' drawing depends on besides the row.
type detailLook struct {
	th    theme.Theme
	now   time.Time
	width int
	home  string
}

func (s *Screen) detailLook(w int) detailLook {
	return detailLook{th: s.th, now: s.now, width: max(1, w), home: s.o.HomeDir}
}

// details is everything known about a session, for the preview and the peek: what it wants first.
func details(row roster.Row, o detailLook) []string {
	r := row.Record
	var out []string
	add := func(lines ...string) { out = append(out, lines...) }
	title := cells.Wrap(sanitize.Line(r.Title(), 600), o.width)
	for _, l := range title[:min(len(title), 3)] {
		add(o.th.Strong.Render(l))
	}
	st := stateOf(r)
	add(st.style(o.th).Render(cells.Cut(strings.TrimSpace(st.glyph+" "+st.word)+sinceWords(o.now, r), o.width)))
	add(o.th.Muted.Render(cells.Cut("why: "+evidence(row), o.width)))
	if asks(r) {
		add("")
		add(permissionLines(r.Live, o)...)
	}
	if l := r.Live; l != nil && l.LastError != "" && r.Attention == protocol.AttentionFailed {
		add("")
		add(paragraph(o.th.Bad.Render, sanitize.Text(l.LastError), 4, o)...)
	}
	if t := strings.TrimSpace(r.Recap()); t != "" {
		add("")
		add(paragraph(o.th.Base.Render, sanitize.Line(t, 0), 4, o)...)
	}
	add("")
	for _, f := range facts(row, o) {
		add(o.th.Muted.Render(cells.Fit(f[0], 9)) + " " + cells.Cut(f[1], o.width-10))
	}
	if t := strings.TrimSpace(r.FirstMessage()); t != "" && r.Name() != "" {
		add("", o.th.Muted.Render("first asked"))
		add(paragraph(o.th.Base.Render, sanitize.Text(t), 6, o)...)
	}
	return out
}

func sinceWords(now time.Time, r *roster.Record) string {
	a := age(now, sinceOf(r))
	switch a {
	case "":
		return ""
	case "now":
		return ", just now"
	}
	if r.Live == nil {
		return ", " + a + " ago"
	}
	return " for " + a
}

// evidence is how the state is known.
func evidence(row roster.Row) string {
	r := row.Record
	switch {
	case r.Live == nil && r.Interrupted():
		return "the file ends in the middle of a turn, and nothing runs"
	case r.Live == nil:
		return "from its file alone: no daemon runs it"
	case r.Section == roster.Idle && row.Running > 0:
		return "it rests, but its children run"
	case r.Live.Queued > 0 && r.State == protocol.StateIdle:
		return "messages wait in its queue"
	}
	return "the daemon says " + sanitize.Line(string(r.State), 40)
}

// permissionLines is exactly what is asked: the command and the preview whole, controls spelled out.
func permissionLines(l *protocol.Summary, o detailLook) []string {
	p := l.Permission
	head := "may it use " + sanitize.Line(p.Tool, 60) + "?"
	if l.Pending > 1 {
		head += fmt.Sprintf("  (the oldest of %d questions)", l.Pending)
	}
	out := []string{o.th.Waiting.Render(cells.Cut(head, o.width))}
	if p.Reason != "" {
		out = append(out, cells.Wrap(sanitize.Line(p.Reason, 0), o.width)...)
	}
	block := func(text string, style func(string) string) {
		for _, line := range strings.Split(strings.TrimRight(sanitize.Show(text), "\n"), "\n") {
			for _, part := range cells.Wrap(line, max(1, o.width-2)) {
				out = append(out, "  "+style(part))
			}
		}
	}
	switch {
	case p.Command != "":
		block(p.Command, func(s string) string { return o.th.Code.Render(s) })
	default:
		block(p.Title, func(s string) string { return s })
	}
	for _, path := range p.Paths {
		block(path, func(s string) string { return o.th.Link.Render(s) })
	}
	if p.Preview != "" && p.Preview != p.Command {
		block(p.Preview, func(s string) string { return diffStyle(s, o.th) })
	}
	return out
}

func diffStyle(s string, th theme.Theme) string {
	switch {
	case strings.HasPrefix(s, "+"):
		return th.Added.Render(s)
	case strings.HasPrefix(s, "-"):
		return th.Removed.Render(s)
	case strings.HasPrefix(s, "@@"):
		return th.Hunk.Render(s)
	}
	return s
}

func paragraph(style func(...string) string, text string, most int, o detailLook) []string {
	lines := cells.Wrap(text, o.width)
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = cells.Cut(lines[most-1]+" "+cells.Ellipsis, o.width)
	}
	for i, l := range lines {
		lines[i] = style(l)
	}
	return lines
}

// facts are the figures, each with its name; what is unknown is left out.
func facts(row roster.Row, o detailLook) [][2]string {
	r := row.Record
	var out [][2]string
	add := func(k, v string) {
		if v != "" {
			out = append(out, [2]string{k, v})
		}
	}
	add("folder", shorten(r.CWD(), o.home))
	add("branch", sanitize.Line(r.Branch(), 200))
	add("model", sanitize.Line(r.Model(), 200))
	if l := r.Live; l != nil {
		add("mode", sanitize.Line(l.Mode, 40))
		if l.ContextWindow > 0 {
			add("context", fmt.Sprintf("%d%% of %s", 100*l.ContextTokens/l.ContextWindow, thousands(l.ContextWindow)))
		}
		add("queue", positive(l.Queued))
		add("clients", positive(l.Clients))
	}
	add("messages", fmt.Sprintf("%d, %d of them yours", r.MessageCount(), r.UserMessages()))
	if r.Tokens() > 0 {
		add("tokens", thousands(r.Tokens()))
	}
	if c := r.CostUSD(); c > 0 {
		add("cost", cost(c))
	}
	if row.Children > 0 {
		add("children", fmt.Sprintf("%d, %d running below", row.Children, row.Running))
	}
	if n := r.Errors(); n > 0 {
		add("errors", fmt.Sprintf("%s %d", theme.GlyphWarning, n))
	}
	if r.Saved != nil && r.Saved.UnreadableLines > 0 {
		add("broken", fmt.Sprintf("%d unreadable %s", r.Saved.UnreadableLines, plural(r.Saved.UnreadableLines, "line", "lines")))
	}
	add("file", shorten(r.Path(), o.home))
	return out
}

func positive(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func thousands(n int) string {
	if n < 10000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%dk", n/1000)
}
