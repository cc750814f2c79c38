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

	"github.com/charmbracelet/lipgloss"
)

// doing is the one line that says what a live session does, wants, or did.
func doing(r *roster.Record) (string, func(theme.Theme) lipgloss.Style) {
	l := r.Live
	if l == nil {
		return recapText(r), resting
	}
	switch r.Attention {
	case protocol.AttentionPermission:
		return wish(l), waits
	case protocol.AttentionQuestion:
		return "asks: " + recapText(r), waits
	case protocol.AttentionFailed:
		return sanitize.Line(l.LastError, 1000), bad
	}
	if l.Activity != "" && r.State != protocol.StateIdle {
		return sanitize.Line(l.Activity, 1000), resting
	}
	return recapText(r), resting
}

// wish is what a session wants to do, in one line. Nothing in it is hidden: controls are spelled
// out.
func wish(l *protocol.Summary) string {
	p := l.Permission
	if p == nil {
		return "waits for an answer"
	}
	text := "wants to run: " + p.Command
	if p.Command == "" {
		text = "wants: " + p.Title
	}
	if l.Pending > 1 {
		text = fmt.Sprintf("(1 of %d) %s", l.Pending, text)
	}
	return sanitize.Line(sanitize.Show(text), 4000)
}

// recapText is the recap; without one, the first question where the title does not say it already.
func recapText(r *roster.Record) string {
	if t := strings.TrimSpace(r.Recap()); t != "" {
		return sanitize.Line(t, 1000)
	}
	if r.Name() != "" {
		return sanitize.Line(r.FirstMessage(), 1000)
	}
	return ""
}

func recapOf(r *roster.Record, o look) string {
	if o.paths {
		return shorten(r.Path(), o.home)
	}
	return recapText(r)
}

// factsOf is where a session works, with what model, for how much, in at most w cells. The folder
// gives way first, from its beginning.
func factsOf(r *roster.Record, home string, w int) string {
	rest := ""
	for _, f := range []string{branchOf(r), modelName(r), costOf(r)} {
		if f != "" {
			rest += "  " + f
		}
	}
	if r.Branch() != "" {
		rest = strings.TrimPrefix(rest, " ") // the branch belongs to its folder
	}
	return cells.CutLeft(strings.TrimSpace(cutPath(shorten(r.CWD(), home), w-cells.Width(rest))+rest), w)
}

func branchOf(r *roster.Record) string {
	if r.Branch() == "" {
		return ""
	}
	return "(" + cells.Cut(sanitize.Line(r.Branch(), 200), 24) + ")"
}

func costOf(r *roster.Record) string {
	if c := r.CostUSD(); c > 0 {
		return cost(c)
	}
	return ""
}

// cutPath shortens a path at its beginning, by whole folders where it can; "" when nothing of it
// would be left.
func cutPath(path string, w int) string {
	if cells.Width(path) <= w {
		return path
	}
	for rest := path; ; {
		i := strings.IndexByte(rest[min(1, len(rest)):], '/')
		if i < 0 {
			break
		}
		rest = rest[i+1:]
		if cells.Width(rest) < w {
			return cells.Ellipsis + rest
		}
	}
	if w < 4 {
		return ""
	}
	return cells.CutLeft(path, w)
}

func modelName(r *roster.Record) string {
	m := sanitize.Line(r.Model(), 200)
	if r.Live != nil && r.Live.Scripted {
		return m // the provider says that it is a script
	}
	return m[strings.LastIndexByte(m, '/')+1:]
}

func cost(usd float64) string {
	if usd < 0.005 {
		return "<$0.01"
	}
	return fmt.Sprintf("$%.2f", usd)
}

// shorten draws the home folder as ~.
func shorten(path, home string) string {
	if home != "" && home != "/" {
		if path == home {
			path = "~"
		} else if rest, ok := strings.CutPrefix(path, home+"/"); ok {
			path = "~/" + rest
		}
	}
	return sanitize.Line(path, 4000)
}

func (s *Screen) short(path string) string { return shorten(path, s.o.HomeDir) }

// sinceOf is the time that a row's age counts from: entering the state, for a saved one its last
// message.
func sinceOf(r *roster.Record) time.Time {
	if r.Live == nil {
		return r.Modified()
	}
	if r.NeedsYou() {
		return r.WaitsSince()
	}
	if r.Live.Since.IsZero() {
		return r.Modified()
	}
	return r.Live.Since
}

// age is a time span in a word of at most four cells; "" when either end is unknown.
func age(now, then time.Time) string {
	if now.IsZero() || then.IsZero() {
		return ""
	}
	d := now.Sub(then)
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d/time.Minute))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh", int(d/time.Hour))
	case d < 14*24*time.Hour:
		return fmt.Sprintf("%dd", int(d/(24*time.Hour)))
	case d < 365*24*time.Hour:
		return fmt.Sprintf("%dw", int(d/(7*24*time.Hour)))
	}
	return fmt.Sprintf("%dy", min(999, int(d/(365*24*time.Hour))))
}

// wishRule is what "always" would allow, nothing hidden.
func wishRule(p *protocol.Permission) string { return sanitize.Line(sanitize.Show(p.Rule), 2000) }
