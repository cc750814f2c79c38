package headless

import (
	"dugout/sessionio"
	"dugout/views/sanitize"
	"fmt"
	"io"
	"strings"
)

// Markdown writes a conversation as a Markdown document. Tool calls and results stand in fences
// that are longer than any run of backticks inside.
func Markdown(w io.Writer, h sessionio.Header, title string, c sessionio.Context) error {
	head := fmt.Sprintf("# %s\n\nSession `%s`", sanitize.Line(title, 400), sanitize.Line(string(h.ID), 200))
	if h.CWD != "" {
		head += fmt.Sprintf(" in `%s`", sanitize.Line(h.CWD, 1000))
	}
	if !h.Timestamp.IsZero() {
		head += ", begun " + stamp(h.Timestamp)
	}
	if _, err := fmt.Fprintf(w, "%s.\n", head); err != nil {
		return err
	}
	for i := range c.Messages {
		m := &c.Messages[i]
		who, text := spoken(m)
		text = strings.TrimRight(sanitize.Text(text), "\n ")
		if m.Role == sessionio.RoleToolResult || m.Role == sessionio.RoleBash {
			text = fence(text)
		}
		if _, err := fmt.Fprintf(w, "\n## %s\n\n%s\n", sanitize.Line(who, 400), text); err != nil {
			return err
		}
	}
	return nil
}

func fence(s string) string {
	longest, run := 2, 0
	for _, r := range s {
		if r == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	f := strings.Repeat("`", longest+1)
	return f + "\n" + s + "\n" + f
}
