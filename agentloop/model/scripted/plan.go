package scripted

import (
	"dugout/agentloop/model"
	"dugout/sessionio"
	"strings"
)

// part is what one response plays of a script.
type part struct {
	lines   []line
	closing string // the sentence after everything, "" for none
	text    string // of the newest user message, and its time: what a fault is remembered by
	time    int64
}

// plan finds the newest user message and what of its script comes next: each answer since then has
// played one part.
func plan(req model.Request) part {
	newest := -1
	for i, m := range req.Messages {
		if m.Role == sessionio.RoleUser {
			newest = i
		}
	}
	if newest < 0 {
		return part{closing: introduction()}
	}
	said := textOf(req.Messages[newest])
	p := part{text: said, time: req.Messages[newest].Timestamp}
	if answer, ok := answerToSummary(said, len(req.Tools) > 0); ok {
		p.closing = answer
		return p
	}
	parts := split(parseScript(said))
	used := usedSince(req.Messages[newest+1:])
	if used.answers < len(parts) {
		p.lines = parts[used.answers]
	}
	if used.answers >= len(parts)-1 && !endsWithCall(p.lines) {
		p.closing = closing(p.lines, used)
	}
	return p
}

// split cuts a script after each run of tool lines. What follows an `ask:` is never reached.
func split(lines []line) [][]line {
	var parts [][]line
	start := 0
	for i, l := range lines {
		if l.kind == kindAsk {
			lines = lines[:i+1]
			break
		}
		if l.kind == kindTool && i+1 < len(lines) && lines[i+1].kind != kindTool {
			parts = append(parts, lines[start:i+1])
			start = i + 1
		}
	}
	return append(parts, lines[start:])
}

func endsWithCall(lines []line) bool {
	return len(lines) > 0 && lines[len(lines)-1].kind == kindTool
}

// use is what the messages since the newest user message tell.
type use struct {
	answers int // assistant messages
	tools   []string
	failed  int
}

func usedSince(messages []sessionio.Message) use {
	var u use
	for _, m := range messages {
		switch m.Role {
		case sessionio.RoleAssistant:
			u.answers++
			for _, b := range m.Content {
				if b.Type == sessionio.BlockToolCall {
					u.tools = append(u.tools, b.Name)
				}
			}
		case sessionio.RoleToolResult:
			if m.IsError {
				u.failed++
			}
		default:
		}
	}
	return u
}

func textOf(m sessionio.Message) string {
	var parts []string
	for _, b := range m.Content {
		if b.Type == sessionio.BlockText {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}
