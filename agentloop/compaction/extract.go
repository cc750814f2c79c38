package compaction

import (
	"dugout/sessionio"
	"fmt"
	"strings"
	"unicode/utf8"
)

// mostCarried bounds what a scripted summary takes over of the one before it.
const mostCarried = 4000

// extract is the summary of a scripted model: what was asked, which tools ran, what was said last.
// The same plan gives the same text.
func extract(p Plan, focus string) string {
	var b strings.Builder
	b.WriteString("(A scripted summary, made by rule and not by a model.)\n")
	if focus != "" {
		b.WriteString("\nFocus asked for: " + oneLine(focus) + "\n")
	}
	if p.Previous != "" {
		b.WriteString("\n## Before\n" + end(p.Previous, mostCarried) + "\n")
	}
	b.WriteString(digest(append(p.History[:len(p.History):len(p.History)], p.Prefix...)))
	return strings.TrimSpace(b.String())
}

func digest(messages []sessionio.Message) string {
	var asked, tools, order []string
	count := map[string]int{}
	last := ""
	for _, m := range messages {
		switch m.Role {
		case sessionio.RoleUser:
			asked = append(asked, "- "+oneLine(textOf(m)))
		case sessionio.RoleAssistant:
			if t := strings.TrimSpace(textOf(m)); t != "" {
				last = t
			}
			for _, c := range m.Content {
				if c.Type == sessionio.BlockToolCall {
					if count[c.Name] == 0 {
						order = append(order, c.Name)
					}
					count[c.Name]++
				}
			}
		}
	}
	for _, n := range order {
		tools = append(tools, fmt.Sprintf("- %s: %d", n, count[n]))
	}
	var b strings.Builder
	section := func(name string, lines []string) {
		if len(lines) > 0 {
			b.WriteString("\n## " + name + "\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	section("Asked", asked)
	section("Tool calls", tools)
	if last != "" {
		section("Said last", []string{oneLine(last)})
	}
	return b.String()
}

// oneLine is the first line, cut to what a list shows.
func oneLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	if utf8.RuneCountInString(line) > 160 {
		line = string([]rune(line)[:159]) + "…"
	}
	return line
}
