package recall

import (
	"dugout/sessionio"
	"fmt"
	"strings"
)

// Text writes a result for a model to read.
func (r Result) Text(q Query) string {
	if len(r.Hits) == 0 {
		return "No earlier session of this project holds any of these words: " + q.String() +
			"\nWords are matched, not meanings. Other words for the same thing may be there, or the same words in another language (English, if this was none)."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "What earlier sessions of this project say about %s, most words first, then the newest:\n", q)
	for _, h := range r.Hits {
		fmt.Fprintf(&b, "\n[%s] session %s, %q\n%s: %s\n", day(h), h.Session, oneLine(cutRunes(h.Title, 80)), speaker(h.Role), h.Snippet)
		if h.Answer != nil {
			fmt.Fprintf(&b, "assistant, at the end of that turn: %s\n", h.Answer.Snippet)
		}
	}
	return b.String()
}

func day(h Hit) string {
	if h.Time.IsZero() {
		return "no date"
	}
	return h.Time.UTC().Format("2006-01-02 15:04")
}

func speaker(r sessionio.Role) string {
	switch r {
	case sessionio.RoleCompactionSummary, sessionio.RoleBranchSummary:
		return "summary"
	case sessionio.RoleUser, sessionio.RoleAssistant, sessionio.RoleToolResult, sessionio.RoleBash, sessionio.RoleCustom:
	}
	return string(r)
}

func cutRunes(s string, most int) string {
	for i := range s {
		if most == 0 {
			return s[:i] + "…"
		}
		most--
	}
	return s
}
