package headless

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/sessionio"
	"dugout/views/sanitize"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// listed is one line of `ls --json`. The names are a contract.
type listed struct {
	ID              sessionio.ID `json:"id"`
	Path            string       `json:"path"`
	Store           string       `json:"store"`
	Source          string       `json:"source"`
	Section         string       `json:"section"`
	State           string       `json:"state"`
	Attention       string       `json:"attention"`
	Name            string       `json:"name"`
	Title           string       `json:"title"`
	Asks            string       `json:"asks"` // what waits for a permission
	Recap           string       `json:"recap"`
	Verdict         string       `json:"verdict"`
	CWD             string       `json:"cwd"`
	GitBranch       string       `json:"gitBranch"`
	Model           string       `json:"model"`
	Created         string       `json:"created"`
	Modified        string       `json:"modified"`
	MessageCount    int          `json:"messageCount"`
	UserMessages    int          `json:"userMessages"`
	Errors          int          `json:"errors"`
	UnreadableLines int          `json:"unreadableLines"`
	Interrupted     bool         `json:"interrupted"`
	Parent          string       `json:"parent"`
	Depth           int          `json:"depth"`
	CostUSD         float64      `json:"costUSD"`
	Tokens          int          `json:"tokens"`
}

// ListJSON writes one object a line for each row, in the order of the screen.
func ListJSON(w io.Writer, v roster.View) error {
	enc := NewEncoder(w)
	for _, sec := range roster.Sections() {
		for _, row := range v.Sections[sec] {
			if err := enc.Encode(listedOf(row)); err != nil {
				return err
			}
		}
	}
	return nil
}

func listedOf(row roster.Row) listed {
	r := row.Record
	l := listed{
		ID: r.ID(), Path: r.Path(), Source: "dugout",
		Section: string(row.Section), State: string(r.State), Attention: string(r.Attention),
		Name: r.Name(), Title: r.Title(), Recap: r.Recap(), Verdict: string(r.Verdict()),
		CWD: r.CWD(), GitBranch: r.Branch(), Model: r.Model(),
		Created: stamp(r.Created()), Modified: stamp(r.Modified()),
		MessageCount: r.MessageCount(), UserMessages: r.UserMessages(), Errors: r.Errors(), Interrupted: r.Interrupted(),
		Depth: r.Depth, CostUSD: r.CostUSD(), Tokens: r.Tokens(),
	}
	if r.Live != nil && r.Live.Permission != nil {
		l.Asks = r.Live.Permission.Title
	}
	l.Store = filepath.Dir(l.Path)
	if s := r.Saved; s != nil {
		l.UnreadableLines, l.Parent = s.UnreadableLines, s.ParentSession
		if s.Source != "" {
			l.Source = s.Source
		}
		if s.Store != "" {
			l.Store = s.Store
		}
	}
	return l
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// List writes plain lines with stable columns: state, attention, age, messages, short id, folder,
// title. Children are indented under their parent.
func List(w io.Writer, v roster.View, now time.Time, userHome string) error {
	for _, sec := range roster.Sections() {
		if _, err := fmt.Fprintf(w, "%s (%d)\n", sec, len(v.Sections[sec])); err != nil {
			return err
		}
		for _, row := range v.Sections[sec] {
			if _, err := fmt.Fprintln(w, listLine(row, now, userHome)); err != nil {
				return err
			}
		}
	}
	return nil
}

func listLine(row roster.Row, now time.Time, userHome string) string {
	r := row.Record
	badge := ""
	if n := r.Errors(); n > 0 {
		badge = fmt.Sprintf(" · ⚠ %d", n)
	}
	title := sanitize.Line(r.Title(), 400)
	recap := r.Recap()
	if r.Live != nil && r.Live.Permission != nil {
		recap = "asks: " + r.Live.Permission.Title
	}
	if recap = sanitize.Line(recap, 400); recap != "" {
		title += " · " + recap
	}
	return strings.TrimRight(fmt.Sprintf("  %-10s %-11s %4s %5d %s  %s %s%s%s",
		r.State, outcome(r), Age(now, r.Modified()), r.MessageCount(), ShortID(r.ID()),
		tail(sanitize.Line(Tilde(r.CWD(), userHome), 400), 24), strings.Repeat("  ", row.Indent), title, badge), " ")
}

// outcome is what a session wants of the person, else what became of it.
func outcome(r *roster.Record) string {
	switch {
	case r.Interrupted():
		return "interrupted"
	case r.Attention != protocol.AttentionNone:
		return string(r.Attention)
	case r.Verdict() == sessionio.VerdictNeedsInput:
		return "asked"
	case r.Verdict() == sessionio.VerdictCompleted:
		return "done"
	}
	return "-"
}

// Age is now, 5m, 3h, 2d, 3w, 5mo or 2y.
func Age(now, t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	d := now.Sub(t)
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	case d < 7*day:
		return fmt.Sprintf("%dd", d/day)
	case d < 60*day:
		return fmt.Sprintf("%dw", d/(7*day))
	case d < 365*day:
		return fmt.Sprintf("%dmo", d/(30*day))
	default:
		return fmt.Sprintf("%dy", d/(365*day))
	}
}

// ShortID is what tells sessions apart at a glance: the last 12 letters of the id, safe to print.
func ShortID(id sessionio.ID) string {
	s := sanitize.Line(string(id), 200)
	return fmt.Sprintf("%-12s", s[max(0, len(s)-12):])
}

// Tilde shortens the user's home folder.
func Tilde(path, userHome string) string {
	if rest, ok := strings.CutPrefix(path, userHome); ok && userHome != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}

// tail fits a path into n cells: its end tells more than its beginning.
func tail(s string, n int) string {
	if w := ansi.StringWidth(s); w > n {
		whole := s
		s = ansi.TruncateLeft(whole, w-n+1, "…")
		if ansi.StringWidth(s) > n { // the cut went through a wide character
			s = ansi.TruncateLeft(whole, w-n+2, "…")
		}
	}
	return s + strings.Repeat(" ", max(0, n-ansi.StringWidth(s)))
}

// Summary writes one line of counts, for status bars.
func Summary(w io.Writer, v roster.View) error {
	_, err := fmt.Fprintf(w, "%d running, %d idle, %d inactive, %d need you\n",
		v.Counts[roster.Running], v.Counts[roster.Idle], v.Counts[roster.Inactive], len(v.NeedsYou))
	return err
}
