package compaction

import (
	"dugout/sessionio"
	"strings"
	"testing"
)

func TestContextTokens(t *testing.T) {
	t.Parallel()
	say := func(role sessionio.Role, tokens int) sessionio.Message {
		return sessionio.Message{Role: role, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: strings.Repeat("x", 4*tokens)}}}
	}
	counted := func(total int, stop sessionio.StopReason) sessionio.Message {
		m := say(sessionio.RoleAssistant, 10)
		m.Usage, m.StopReason = &sessionio.Usage{TotalTokens: total}, stop
		return m
	}
	parts := say(sessionio.RoleAssistant, 10)
	parts.Usage = &sessionio.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4}
	u := say(sessionio.RoleUser, 5)
	summary := sessionio.Message{Role: sessionio.RoleCompactionSummary, Summary: strings.Repeat("x", 40), RetainedMessageCount: 2}
	for name, c := range map[string]struct {
		messages []sessionio.Message
		want     int
	}{
		"none":                    {nil, 0},
		"no count":                {[]sessionio.Message{u, say(sessionio.RoleAssistant, 10)}, 15},
		"count and what follows":  {[]sessionio.Message{u, counted(1000, "stop"), u, u}, 1010},
		"parts":                   {[]sessionio.Message{u, parts}, 10},
		"failed ones don't count": {[]sessionio.Message{u, counted(1000, "stop"), u, counted(7, "error"), counted(0, "aborted")}, 1025},
		"stale after compaction":  {[]sessionio.Message{summary, u, counted(90000, "stop"), u}, 30},
		"new after compaction":    {[]sessionio.Message{summary, u, counted(90000, "stop"), u, counted(400, "stop"), u}, 405},
	} {
		if got := ContextTokens(c.messages); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestMessageTokens(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		m    sessionio.Message
		want int
	}{
		"rounds up":       {sessionio.Message{Content: []sessionio.Block{{Type: sessionio.BlockText, Text: "12345"}}}, 2},
		"utf-16 units":    {sessionio.Message{Content: []sessionio.Block{{Type: sessionio.BlockText, Text: "😀😀"}}}, 1},
		"image":           {sessionio.Message{Content: []sessionio.Block{{Type: sessionio.BlockImage, Data: "xx"}}}, 1200},
		"tool call":       {sessionio.Message{Content: []sessionio.Block{{Type: sessionio.BlockToolCall, Name: "read", Arguments: []byte(`{"a":1}`)}}}, 3},
		"command":         {sessionio.Message{Command: "ls", Output: "123456"}, 2},
		"unknown content": {sessionio.Message{Content: []sessionio.Block{{Type: "zzz"}}}, 0},
	} {
		if got := MessageTokens(c.m); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	l := Limits{Window: 100_000, Reserve: 16384, Keep: 20000}
	if l.Exceeded(100_000-16384) || !l.Exceeded(100_000-16384+1) {
		t.Error("the threshold is window - reserve, strictly")
	}
	if (Limits{Reserve: 16384}).Exceeded(1 << 30) {
		t.Error("an unknown window is never exceeded")
	}
	small := Limits{Window: 8000, Reserve: 16384, Keep: 20000}
	if small.Exceeded(100) || !small.Exceeded(7000) {
		t.Error("a small window has room too")
	}
}
