package headless

import (
	"dugout/sessionio"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func block(s string) []sessionio.Block {
	return []sessionio.Block{{Type: sessionio.BlockText, Text: s}}
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	h := sessionio.Header{ID: "an-id", CWD: "/src", Timestamp: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	c := sessionio.Context{Messages: []sessionio.Message{
		{Role: sessionio.RoleUser, Content: block("question\n")},
		{Role: sessionio.RoleAssistant, Provider: "p", Model: "m", Content: []sessionio.Block{
			{Type: sessionio.BlockThinking, Thinking: "hm"},
			{Type: sessionio.BlockText, Text: "# answer"},
			{Type: sessionio.BlockToolCall, ID: "c", Name: "read", Arguments: json.RawMessage(`{"path":"x"}`)},
		}},
		{Role: sessionio.RoleToolResult, ToolName: "read", IsError: true, Content: block("```\nfenced\n```\n")},
		{Role: sessionio.RoleBash, Command: "ls", Output: "a\nb\n"},
		{Role: sessionio.RoleCompactionSummary, Summary: "before"},
		{Role: sessionio.RoleBranchSummary, Summary: "aside"},
		{Role: sessionio.RoleCustom, CustomType: "hint", Content: block("noted")},
		{Role: sessionio.RoleUser, Content: []sessionio.Block{{Type: sessionio.BlockImage, MimeType: "image/png", Data: "AAAA"}, {Type: "hologram"}}},
		{Role: sessionio.RoleAssistant, StopReason: sessionio.StopError, ErrorMessage: "broke off"},
		{Role: "bystander", Content: block("psst")},
	}}
	var b strings.Builder
	if err := Markdown(&b, h, "A title", c); err != nil {
		t.Fatal(err)
	}
	want := "# A title\n\nSession `an-id` in `/src`, begun 2026-01-02T03:04:05Z.\n" +
		"\n## you\n\nquestion\n" +
		"\n## assistant (p/m)\n\n(thinking) hm\n# answer\n→ read {\"path\":\"x\"}\n" +
		"\n## result of read (error)\n\n````\n```\nfenced\n```\n````\n" +
		"\n## shell\n\n```\n$ ls\na\nb\n```\n" +
		"\n## summary of what came before\n\nbefore\n" +
		"\n## summary of a branch that was left\n\naside\n" +
		"\n## note (hint)\n\nnoted\n" +
		"\n## you\n\n[image image/png, 3 bytes]\n[hologram]\n" +
		"\n## assistant\n\n[error: broke off]\n" +
		"\n## bystander\n\npsst\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

// A fence is longer than every run of backticks inside.
func TestFence(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                 "```",
		"plain":            "```",
		"`code`":           "```",
		"```":              "````",
		"a ````` b ``` c":  "``````",
		"``\n`":            "```",
		"ends with ``````": "```````",
	} {
		got := fence(in)
		if got != want+"\n"+in+"\n"+want {
			t.Errorf("fence(%q) = %q", in, got)
		}
	}
}

func TestHostileMessages(t *testing.T) {
	t.Parallel()
	c := sessionio.Context{Messages: []sessionio.Message{
		{Role: sessionio.RoleUser, Content: block(hostile)},
		{Role: sessionio.RoleAssistant, Provider: hostile, Model: hostile, ErrorMessage: hostile, StopReason: sessionio.StopReason(hostile), Content: []sessionio.Block{
			{Type: sessionio.BlockToolCall, Name: hostile, Arguments: json.RawMessage(`"` + "\u009b\u202e" + `"`)},
			{Type: sessionio.BlockType(hostile)},
			{Type: sessionio.BlockImage, MimeType: hostile},
		}},
		{Role: sessionio.RoleToolResult, ToolName: hostile, Content: block(hostile)},
		{Role: sessionio.RoleBash, Command: hostile, Output: hostile},
		{Role: sessionio.RoleCustom, CustomType: hostile, Content: block(hostile)},
		{Role: sessionio.Role(hostile), Content: block(hostile)},
	}}
	h := sessionio.Header{ID: hostile, CWD: hostile}
	var shown, exported, sent strings.Builder
	for _, err := range []error{Show(&shown, c), Markdown(&exported, h, hostile, c), ShowJSON(&sent, c)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, out := range []string{shown.String(), exported.String(), sent.String()} {
		for _, l := range strings.Split(out, "\n") {
			harmless(t, l)
		}
	}
	// A hostile name makes no heading of its own.
	if n := strings.Count(exported.String(), "\n#"); n != len(c.Messages) {
		t.Errorf("%d headings for %d messages:\n%s", n, len(c.Messages), exported.String())
	}
}

func TestShow(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	err := Show(&b, sessionio.Context{Messages: []sessionio.Message{
		{Role: sessionio.RoleUser, Content: block("two\nlines\n\n")}, {Role: sessionio.RoleAssistant},
	}})
	if want := "you\n  two\n  lines\n\nassistant\n  (nothing)\n\n"; err != nil || b.String() != want {
		t.Errorf("got %q, %v; want %q", b.String(), err, want)
	}
}
