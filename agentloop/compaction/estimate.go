package compaction

import "dugout/sessionio"

// The estimate counts UTF-16 units, as the format's reference does.
const (
	unitsPerToken = 4
	unitsPerImage = 4800
)

// ContextTokens estimates the tokens of a context: what the provider counted at the last answer, and
// an estimate of what came after it. A count from before a compaction, which the retained messages
// still carry, is of a context that is gone, and does not serve.
func ContextTokens(messages []sessionio.Message) int {
	stale := 0
	if len(messages) > 0 && messages[0].Role == sessionio.RoleCompactionSummary {
		stale = min(1+messages[0].RetainedMessageCount, len(messages))
	}
	sum := 0
	for i := len(messages) - 1; i >= 0; i-- {
		if n := counted(messages[i]); i >= stale && n > 0 {
			return sum + n
		}
		sum += MessageTokens(messages[i])
	}
	return sum
}

// counted is what the provider counted up to and with this answer; 0 when it did not.
func counted(m sessionio.Message) int {
	u := m.Usage
	if m.Role != sessionio.RoleAssistant || u == nil ||
		m.StopReason == sessionio.StopError || m.StopReason == sessionio.StopAborted {
		return 0
	}
	if u.TotalTokens > 0 {
		return u.TotalTokens
	}
	return u.Input + u.Output + u.CacheRead + u.CacheWrite
}

// MessageTokens estimates the tokens of one message.
func MessageTokens(m sessionio.Message) int {
	n := units(m.Command) + units(m.Output) + units(m.Summary)
	for _, b := range m.Content {
		switch b.Type {
		case sessionio.BlockText:
			n += units(b.Text)
		case sessionio.BlockThinking:
			n += units(b.Thinking)
		case sessionio.BlockToolCall:
			n += units(b.Name) + units(string(b.Arguments))
		case sessionio.BlockImage:
			n += unitsPerImage
		}
	}
	return (n + unitsPerToken - 1) / unitsPerToken
}

// units is the length in UTF-16 code units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

// Limits are the sizes of a compaction, in tokens.
type Limits struct{ Window, Reserve, Keep int }

// Fit shrinks reserve and kept part for a small window, where the defaults would leave no room at all.
func (l Limits) Fit() Limits {
	if l.Window > 0 {
		l.Reserve = min(l.Reserve, l.Window/4)
		l.Keep = min(l.Keep, l.Window/4)
	}
	return l
}

// Exceeded reports whether a context of that many tokens is to be compacted.
func (l Limits) Exceeded(tokens int) bool {
	l = l.Fit()
	return l.Window > 0 && tokens > l.Window-l.Reserve
}
