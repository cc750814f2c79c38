// Package prompt makes the system prompt: dugout's own text, the place and the day, and the
// instructions of the user and the project (AGENTS.md, else CLAUDE.md). It is made anew for each
// turn, so that a resumed session runs under today's prompt.
package prompt

import (
	_ "embed"
	"fmt"
	"runtime"
	"strings"
	"time"
)

//go:embed system.md
var system string

// Options of System.
type Options struct {
	CWD   string
	Home  string    // dugout's own: its AGENTS.md holds for every project
	Now   time.Time // the day is named; zero leaves it out
	OS    string    // default this system's
	Tools []string  // names, in order; may be empty
}

// System makes the prompt. It never fails: what can't be read is left out, and said.
func System(o Options) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(system))
	b.WriteString("\n\nWhere you are:\n")
	fmt.Fprintf(&b, "- working folder: %s\n", oneLine(o.CWD))
	if root := gitRoot(o.CWD); root != "" {
		fmt.Fprintf(&b, "- git repository: %s\n", oneLine(root))
	}
	system := o.OS
	if system == "" {
		system = runtime.GOOS
	}
	fmt.Fprintf(&b, "- system: %s\n", oneLine(system))
	if !o.Now.IsZero() {
		fmt.Fprintf(&b, "- date: %s\n", o.Now.Format(time.DateOnly))
	}
	if len(o.Tools) > 0 {
		fmt.Fprintf(&b, "- tools: %s\n", oneLine(strings.Join(o.Tools, ", ")))
	}
	writeInstructions(&b, instructions(o))
	return b.String()
}

// oneLine keeps a path from adding lines of its own.
func oneLine(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return fmt.Sprintf("%q", s)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
