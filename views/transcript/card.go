package transcript

import (
	"bytes"
	"dugout/sessionio"
	"encoding/json"
	"strings"
	"time"
)

// maxLive bounds the live output that a card keeps.
const maxLive = 64 << 10

// titleKeys are, for each tool, the arguments that say best what a call does.
var titleKeys = map[string][]string{
	"bash": {"command"}, "read": {"path"}, "write": {"path"}, "edit": {"path"}, "ls": {"path"},
	"grep": {"pattern", "path"}, "find": {"pattern", "path"}, "spawn": {"prompt"},
}

const maxTitle = 300

// TitleOf says in one line what a call does, without the tool's name. Half-written arguments give
// what is there.
func TitleOf(tool, args string) string {
	var all map[string]any
	if json.Unmarshal([]byte(args), &all) != nil {
		return cutBytes(args, maxTitle)
	}
	var parts []string
	for _, k := range titleKeys[tool] {
		if s, ok := all[k].(string); ok && s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) > 0 {
		return cutBytes(strings.Join(parts, " in "), maxTitle)
	}
	if len(all) == 0 {
		return ""
	}
	var b bytes.Buffer
	if json.Compact(&b, []byte(args)) != nil {
		return cutBytes(args, maxTitle)
	}
	return cutBytes(b.String(), maxTitle)
}

func cutBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// result puts a tool result into its card.
func (c *Card) result(m *sessionio.Message) {
	c.Output, c.Images = textOf(m.Content)
	c.Cut = false
	var d struct {
		Diff       string          `json:"diff"`
		ExitCode   *int            `json:"exitCode"`
		Denied     *string         `json:"denied"`
		Truncation json.RawMessage `json:"truncation"`
	}
	_ = json.Unmarshal(m.Details, &d) // of another shape: somebody else's tool
	c.Diff, c.ExitCode = d.Diff, d.ExitCode
	c.Truncated = len(d.Truncation) > 0 && string(d.Truncation) != "null"
	switch {
	case d.Denied != nil:
		c.State = CardDenied
	case m.IsError && strings.HasPrefix(c.Output, "interrupted"):
		c.State = CardInterrupted
	case m.IsError:
		c.State = CardFailed
	default:
		c.State = CardOK
	}
	if c.Tool == "" {
		c.Tool = m.ToolName
	}
}

// more adds live output, keeping its end.
func (c *Card) more(s string) {
	c.Output += s
	if over := len(c.Output) - maxLive; over > 0 {
		c.Output = strings.ToValidUTF8(c.Output[over:], "")
		c.Cut = true
	}
}

func textOf(blocks []sessionio.Block) (text string, images int) {
	var parts []string
	for _, b := range blocks {
		switch b.Type {
		case sessionio.BlockText:
			parts = append(parts, b.Text)
		case sessionio.BlockImage:
			images++
		}
	}
	return strings.Join(parts, "\n"), images
}

// bashCard is a command that the person ran.
func bashCard(m *sessionio.Message) *Card {
	c := &Card{Tool: "!", Title: m.Command, Output: m.Output, ExitCode: m.ExitCode, Truncated: m.Truncated, State: CardOK}
	switch {
	case m.Cancelled:
		c.State = CardInterrupted
	case m.ExitCode != nil && *m.ExitCode != 0:
		c.State = CardFailed
	}
	return c
}

func timeOf(e *sessionio.Entry) time.Time {
	if e.Timestamp.IsZero() && e.Message != nil && e.Message.Timestamp != 0 {
		return time.UnixMilli(e.Message.Timestamp)
	}
	return e.Timestamp
}
