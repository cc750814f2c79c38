package model

import (
	"dugout/sessionio"
	"slices"
)

// JoinTurns makes one message of each run of user messages, and of each run of assistant messages
// with nothing in between: what servers ask for that want the roles to alternate.
func JoinTurns(messages []sessionio.Message) []sessionio.Message {
	var out []sessionio.Message
	for _, m := range messages {
		n := len(out)
		if n > 0 && out[n-1].Role == m.Role && m.Role != sessionio.RoleToolResult {
			last := &out[n-1]
			last.Content = slices.Concat(last.Content, m.Content)
			continue
		}
		out = append(out, m)
	}
	return out
}
