package model

import (
	"dugout/sessionio"
	"fmt"
	"slices"
	"strings"
)

// screenOnly are the custom messages of the format that are shown to a person and never sent.
func screenOnly(customType string) bool {
	return slices.Contains([]string{
		"session_slash_command", "session_slash_command_result", "compaction_outcome", "refinement_outcome",
	}, customType)
}

// userBlocks is what a message that is neither the assistant's nor a result says as a user's; none
// for one that says nothing, or has a role that we do not know.
func userBlocks(m *sessionio.Message) []sessionio.Block {
	switch m.Role {
	case sessionio.RoleUser:
		return sayable(m.Content)
	case sessionio.RoleCustom:
		if screenOnly(m.CustomType) {
			return nil
		}
		return sayable(m.Content)
	case sessionio.RoleBash:
		if m.ExcludeFromContext || strings.TrimSpace(m.Command) == "" && strings.TrimSpace(m.Output) == "" {
			return nil
		}
		return text(bashText(m))
	case sessionio.RoleCompactionSummary:
		return summary("The conversation up to here was compacted; this summary stands for it.", m.Summary)
	case sessionio.RoleBranchSummary:
		return summary("Another branch of this conversation was left; this is what happened there.", m.Summary)
	case sessionio.RoleAssistant, sessionio.RoleToolResult:
	}
	return nil
}

func summary(lead, s string) []sessionio.Block {
	if strings.TrimSpace(s) == "" {
		return nil
	}
	return text(lead + "\n\n<summary>\n" + s + "\n</summary>")
}

// bashText tells of a command that the user ran: command, output in a fence that the output cannot
// close, and how it ended.
func bashText(m *sessionio.Message) string {
	var b strings.Builder
	fmt.Fprintf(&b, "The user ran `%s`\n", m.Command)
	if m.Output == "" {
		b.WriteString("(no output)")
	} else {
		fence := strings.Repeat("`", max(3, longestRun(m.Output, '`')+1))
		fmt.Fprintf(&b, "%s\n%s\n%s", fence, strings.TrimSuffix(m.Output, "\n"), fence)
	}
	if m.Cancelled {
		b.WriteString("\n(the command was cancelled)")
	} else if m.ExitCode != nil && *m.ExitCode != 0 {
		fmt.Fprintf(&b, "\n(exit code %d)", *m.ExitCode)
	}
	if m.Truncated {
		b.WriteString("\n(output cut")
		if m.FullOutputPath != "" {
			b.WriteString("; all of it is in " + m.FullOutputPath)
		}
		b.WriteString(")")
	}
	return b.String()
}

func longestRun(s string, of rune) int {
	longest, run := 0, 0
	for _, r := range s {
		if r == of {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}
