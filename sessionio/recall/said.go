package recall

import (
	"crypto/sha256"
	"dugout/sessionio"
	"strings"
	"time"
)

// said is what an entry says to the search; an empty text says nothing.
func said(e *sessionio.Entry) (sessionio.Role, string) {
	switch e.Type {
	case sessionio.TypeMessage:
		if m := e.Message; m != nil && (m.Role == sessionio.RoleUser || m.Role == sessionio.RoleAssistant) {
			return m.Role, TextOf(m)
		}
	case sessionio.TypeCompaction:
		return sessionio.RoleCompactionSummary, bare(e.Summary)
	case sessionio.TypeBranchSummary:
		return sessionio.RoleBranchSummary, bare(e.Summary)
	}
	return "", ""
}

// TextOf is the text of a message as the search sees it.
func TextOf(m *sessionio.Message) string {
	if m.Role == sessionio.RoleCompactionSummary || m.Role == sessionio.RoleBranchSummary {
		return bare(m.Summary)
	}
	var parts []string
	for _, b := range m.Content {
		if b.Type == sessionio.BlockText && b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// wrappers are the lines that programs of the format put around a summary; they are nobody's words.
var wrappers = map[string]bool{
	"The work went down another path from here and came back to this point.":               true,
	"What happened on the path that was left:":                                             true,
	"(A scripted summary, made by rule and not by a model.)":                               true,
	"The user explored a different conversation branch before returning here.":             true,
	"Summary of that exploration:":                                                         true,
	"The conversation history before this point was compacted into the following summary:": true,
	"<summary>": true, "</summary>": true,
	"<read-files>": true, "</read-files>": true, "<modified-files>": true, "</modified-files>": true,
}

// bare is a summary without the lines around it.
func bare(summary string) string {
	lines := strings.Split(summary, "\n")
	kept := lines[:0]
	for _, l := range lines {
		if !wrappers[strings.TrimSpace(l)] {
			kept = append(kept, l)
		}
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

// keyOf is the same for texts that say the same: case and blanks aside.
func keyOf(text string) string {
	sum := sha256.Sum256([]byte(fold(oneLine(text))))
	return string(sum[:16])
}

// KnownTo makes an Options.Known of the messages that an asker has.
func KnownTo(messages []sessionio.Message) func(string) bool {
	keys := make(map[string]bool, len(messages))
	for i := range messages {
		if t := TextOf(&messages[i]); t != "" {
			keys[keyOf(t)] = true
		}
	}
	return func(text string) bool { return keys[keyOf(text)] }
}

func timeOf(e *sessionio.Entry) time.Time {
	if e.Timestamp.IsZero() && e.Message != nil && e.Message.Timestamp > 0 {
		return time.UnixMilli(e.Message.Timestamp).UTC()
	}
	return e.Timestamp
}
