package compaction

import (
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// mostResult bounds a tool result in the text to summarise.
const mostResult = 2000

// transcript writes messages as plain text, so that the model reads it as something to report on and
// not as its own dialogue to go on with.
func transcript(messages []sessionio.Message, results bool) string {
	var parts []string
	add := func(label, text string) {
		if text = strings.TrimSpace(text); text != "" {
			parts = append(parts, "["+label+"]: "+text)
		}
	}
	for _, m := range messages {
		switch m.Role {
		case sessionio.RoleUser, sessionio.RoleCustom:
			add("User", textOf(m))
		case sessionio.RoleAssistant:
			addAssistant(m, add)
		case sessionio.RoleToolResult:
			if results {
				add("Tool result", cut(textOf(m), mostResult))
			}
		case sessionio.RoleBash:
			add("User ran a command", "$ "+m.Command+"\n"+cut(m.Output, mostResult))
		case sessionio.RoleBranchSummary:
			add("Summary of a branch that was left", m.Summary)
		case sessionio.RoleCompactionSummary:
			add("Summary of what came before", m.Summary)
		}
	}
	return strings.Join(parts, "\n\n")
}

func addAssistant(m sessionio.Message, add func(label, text string)) {
	var calls []string
	for _, b := range m.Content {
		switch b.Type {
		case sessionio.BlockThinking:
			add("Assistant thinking", b.Thinking)
		case sessionio.BlockText:
			add("Assistant", b.Text)
		case sessionio.BlockToolCall:
			calls = append(calls, callText(b))
		}
	}
	add("Assistant tool calls", strings.Join(calls, "; "))
}

// callText writes a tool call as name(arg=json, ...), arguments in the order of their names.
func callText(b sessionio.Block) string {
	var args map[string]json.RawMessage
	if json.Unmarshal(b.Arguments, &args) != nil {
		return b.Name + "()"
	}
	names := make([]string, 0, len(args))
	for n := range args {
		names = append(names, n)
	}
	sort.Strings(names)
	for i, n := range names {
		names[i] = n + "=" + cut(string(args[n]), mostResult)
	}
	return b.Name + "(" + strings.Join(names, ", ") + ")"
}

func textOf(m sessionio.Message) string {
	var parts []string
	for _, b := range m.Content {
		switch b.Type {
		case sessionio.BlockText:
			parts = append(parts, b.Text)
		case sessionio.BlockImage:
			parts = append(parts, "(an image)")
		}
	}
	return strings.Join(parts, "\n")
}

// cut keeps the first n bytes, on a rune's edge, and says how much is gone.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s\n[… %d more bytes]", s[:n], len(s)-n)
}

// end keeps the last n bytes, on a rune's edge, and says that the beginning is gone.
func end(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return fmt.Sprintf("[the first %d bytes are left out: too long]\n%s", i, s[i:])
}
