package headless

import (
	"dugout/sessionio"
	"dugout/views/sanitize"
	"fmt"
	"io"
	"strings"
)

// ShowJSON writes the context's messages, one a line, as the model would get them.
func ShowJSON(w io.Writer, c sessionio.Context) error {
	enc := NewEncoder(w)
	for i := range c.Messages {
		if err := enc.Encode(c.Messages[i]); err != nil {
			return err
		}
	}
	return nil
}

// Show writes the conversation for a person, each message under a line that says whose it is.
func Show(w io.Writer, c sessionio.Context) error {
	for i := range c.Messages {
		who, text := spoken(&c.Messages[i])
		text = strings.TrimRight(sanitize.Text(text), "\n ")
		if _, err := fmt.Fprintf(w, "%s\n%s\n\n", sanitize.Line(who, 400), indent(text)); err != nil {
			return err
		}
	}
	return nil
}

func indent(s string) string {
	if s == "" {
		return "  (nothing)"
	}
	return "  " + strings.ReplaceAll(s, "\n", "\n  ")
}

// spoken is who said a message and what, as plain text.
func spoken(m *sessionio.Message) (who, text string) {
	switch m.Role {
	case sessionio.RoleUser:
		return "you", blocks(m.Content)
	case sessionio.RoleAssistant:
		who = "assistant"
		if m.Model != "" {
			who += " (" + m.Provider + "/" + m.Model + ")"
		}
		text = blocks(m.Content)
		if m.ErrorMessage != "" {
			text = strings.TrimLeft(text+"\n["+string(m.StopReason)+": "+m.ErrorMessage+"]", "\n")
		}
		return who, text
	case sessionio.RoleToolResult:
		who = "result of " + m.ToolName
		if m.IsError {
			who += " (error)"
		}
		return who, blocks(m.Content)
	case sessionio.RoleBash:
		return "shell", "$ " + m.Command + "\n" + m.Output
	case sessionio.RoleCompactionSummary:
		return "summary of what came before", m.Summary
	case sessionio.RoleBranchSummary:
		return "summary of a branch that was left", m.Summary
	case sessionio.RoleCustom:
		return "note (" + m.CustomType + ")", blocks(m.Content)
	default:
		return string(m.Role), blocks(m.Content)
	}
}

func blocks(content []sessionio.Block) string {
	var parts []string
	for _, b := range content {
		switch b.Type {
		case sessionio.BlockText:
			parts = append(parts, b.Text)
		case sessionio.BlockThinking:
			if b.Thinking != "" {
				parts = append(parts, "(thinking) "+b.Thinking)
			}
		case sessionio.BlockImage:
			parts = append(parts, fmt.Sprintf("[image %s, %d bytes]", b.MimeType, len(b.Data)*3/4))
		case sessionio.BlockToolCall:
			parts = append(parts, fmt.Sprintf("→ %s %s", b.Name, b.Arguments))
		default: // a kind that this version does not know
			parts = append(parts, "["+string(b.Type)+"]")
		}
	}
	return strings.Join(parts, "\n")
}
