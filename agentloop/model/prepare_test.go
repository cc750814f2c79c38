package model

import (
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func user(s string) sessionio.Message {
	return sessionio.Message{Role: sessionio.RoleUser, Content: text(s)}
}

func call(id, name string) sessionio.Block {
	return sessionio.Block{Type: sessionio.BlockToolCall, ID: id, Name: name, Arguments: json.RawMessage(`{"a":1}`)}
}

func assistant(stop sessionio.StopReason, blocks ...sessionio.Block) sessionio.Message {
	return sessionio.Message{Role: sessionio.RoleAssistant, StopReason: stop, Content: blocks}
}

func result(id, s string) sessionio.Message {
	return sessionio.Message{Role: sessionio.RoleToolResult, ToolCallID: id, Content: text(s)}
}

// draw writes messages down in short: role, text, calls.
func draw(messages []sessionio.Message) []string {
	var out []string
	for _, m := range messages {
		s := string(m.Role)
		if m.Role == sessionio.RoleToolResult {
			s += " " + m.ToolCallID
		}
		if m.IsError {
			s += " error"
		}
		for _, b := range m.Content {
			switch b.Type {
			case sessionio.BlockToolCall:
				s += fmt.Sprintf(" call(%s %s %s)", b.ID, b.Name, b.Arguments)
			case sessionio.BlockThinking:
				s += " think(" + b.Thinking + b.ThinkingSignature + ")"
			case sessionio.BlockImage:
				s += " image"
			default:
				s += " " + b.Text
			}
		}
		out = append(out, s)
	}
	return out
}

func TestPrepare(t *testing.T) {
	t.Parallel()
	one := 1
	image := sessionio.Block{Type: sessionio.BlockImage, Data: "AA==", MimeType: "image/png"}
	tests := []struct {
		name string
		in   []sessionio.Message
		want []string
	}{
		{
			"a result is missing in the middle",
			[]sessionio.Message{
				user("three"), assistant(sessionio.StopToolUse, call("c1", "x"), call("c2", "x"), call("c3", "x")),
				result("c3", "third"), result("c1", "first"), user("go on"),
			},
			[]string{
				"user three", `assistant call(c1 x {"a":1}) call(c2 x {"a":1}) call(c3 x {"a":1})`,
				"toolResult c1 first", "toolResult c2 error " + interruptedText, "toolResult c3 third", "user go on",
			},
		},
		{
			"an aborted answer goes with its results",
			[]sessionio.Message{
				user("q"), assistant(sessionio.StopAborted, call("c9", "x")), result("c9", "late"), user("next"),
			},
			[]string{"user q", "user next"},
		},
		{
			"a retry under the same id keeps its result",
			[]sessionio.Message{
				user("q"), assistant(sessionio.StopError, call("c", "x")), assistant(sessionio.StopToolUse, call("c", "x")), result("c", "r"),
			},
			[]string{"user q", `assistant call(c x {"a":1})`, "toolResult c r"},
		},
		{
			"calls without an id pair with results without one",
			[]sessionio.Message{user("q"), assistant(sessionio.StopToolUse, call("", "x"), call("", "y")), result("", "rx"), result("", "ry")},
			[]string{"user q", `assistant call(call_1_0 x {"a":1}) call(call_1_1 y {"a":1})`, "toolResult call_1_0 rx", "toolResult call_1_1 ry"},
		},
		{
			"an id used twice is sent as two",
			[]sessionio.Message{
				user("q"), assistant(sessionio.StopToolUse, call("c", "x")), result("c", "r1"),
				assistant(sessionio.StopToolUse, call("c", "x")), result("c", "r2"),
			},
			[]string{"user q", `assistant call(c x {"a":1})`, "toolResult c r1", `assistant call(call_3_0 x {"a":1})`, "toolResult call_3_0 r2"},
		},
		{
			"a call without a name is none, arguments that are no object are empty",
			[]sessionio.Message{user("q"), assistant(
				sessionio.StopToolUse, call("n", ""),
				sessionio.Block{Type: sessionio.BlockToolCall, ID: "s", Name: "x", Arguments: json.RawMessage(`"{}"`)},
			), result("n", "nameless")},
			[]string{"user q", "assistant call(s x {})", "toolResult s error " + interruptedText},
		},
		{
			"a message in between moves behind the results",
			[]sessionio.Message{user("q"), assistant(sessionio.StopToolUse, call("c", "x")), user("steer"), result("c", "r")},
			[]string{"user q", `assistant call(c x {"a":1})`, "toolResult c r", "user steer"},
		},
		{
			"empty messages, unknown blocks and thinking alone",
			[]sessionio.Message{
				user("q"), user(" \n"), assistant(sessionio.StopEnd), assistant(sessionio.StopEnd, sessionio.Block{}, sessionio.Block{Type: "audio", Text: "?"}),
				assistant(sessionio.StopLength, sessionio.Block{Type: sessionio.BlockThinking, Thinking: "hm"}),
				{Role: "future", Content: text("?")},
				{},
			},
			[]string{"user q"},
		},
		{
			"thinking keeps its signature",
			[]sessionio.Message{user("q"), assistant(
				sessionio.StopEnd, sessionio.Block{Type: sessionio.BlockThinking, ThinkingSignature: "sig", Redacted: true},
				sessionio.Block{Type: sessionio.BlockText, Text: "a"},
			)},
			[]string{"user q", "assistant think(sig) a"},
		},
		{
			"results: empty and with an image",
			[]sessionio.Message{
				user("q"), assistant(sessionio.StopToolUse, call("c", "x"), call("d", "x")), result("c", ""),
				{Role: sessionio.RoleToolResult, ToolCallID: "d", Content: []sessionio.Block{image, {Type: sessionio.BlockImage}}},
			},
			[]string{"user q", `assistant call(c x {"a":1}) call(d x {"a":1})`, "toolResult c " + noOutputText, "toolResult d image"},
		},
		{
			"what the assistant says first gets an opening",
			[]sessionio.Message{result("zz", "orphan"), assistant(sessionio.StopEnd, text("hi")...)},
			[]string{"user " + openingText, "assistant hi"},
		},
		{
			"bash, custom and summaries become the user's",
			[]sessionio.Message{
				{Role: sessionio.RoleCompactionSummary, Summary: "S"},
				{Role: sessionio.RoleBranchSummary},
				{Role: sessionio.RoleCustom, Content: text("note")},
				{Role: sessionio.RoleCustom, CustomType: "compaction_outcome", Content: text("screen")},
				{Role: sessionio.RoleBash, Command: "false", Output: "a ```` b\n", ExitCode: &one},
				{Role: sessionio.RoleBash, Command: "secret", ExcludeFromContext: true},
			},
			[]string{
				"user The conversation up to here was compacted; this summary stands for it.\n\n<summary>\nS\n</summary>",
				"user note", "user The user ran `false`\n`````\na ```` b\n`````\n(exit code 1)",
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, draw(Prepare(tt.in))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBashTextTellsHowItEnded(t *testing.T) {
	t.Parallel()
	got := bashText(&sessionio.Message{Command: "x", Cancelled: true, Truncated: true, FullOutputPath: "/tmp/full"})
	want := "The user ran `x`\n(no output)\n(the command was cancelled)\n(output cut; all of it is in /tmp/full)"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func genMessages() *rapid.Generator[[]sessionio.Message] {
	texts := rapid.SampledFrom([]string{"", " ", "hello", "run: ls", "```"})
	ids := rapid.SampledFrom([]string{"", "a", "b", "call_1_0"})
	block := rapid.Custom(func(t *rapid.T) sessionio.Block {
		return sessionio.Block{
			Type: rapid.SampledFrom([]sessionio.BlockType{
				sessionio.BlockText, sessionio.BlockThinking, sessionio.BlockImage, sessionio.BlockToolCall, sessionio.BlockToolCall, "", "future",
			}).Draw(t, "type"),
			Text: texts.Draw(t, "text"), Thinking: texts.Draw(t, "thinking"),
			ID: ids.Draw(t, "id"), Name: rapid.SampledFrom([]string{"", "bash"}).Draw(t, "name"),
			Data: texts.Draw(t, "data"), MimeType: "image/png",
			Arguments: rapid.SampledFrom([]json.RawMessage{nil, []byte("{}"), []byte("7"), []byte(`{"a"`)}).Draw(t, "args"),
		}
	})
	return rapid.SliceOf(rapid.Custom(func(t *rapid.T) sessionio.Message {
		return sessionio.Message{
			Role: rapid.SampledFrom([]sessionio.Role{
				sessionio.RoleUser, sessionio.RoleAssistant, sessionio.RoleAssistant, sessionio.RoleToolResult, sessionio.RoleToolResult,
				sessionio.RoleBash, sessionio.RoleCustom, sessionio.RoleBranchSummary, "future",
			}).Draw(t, "role"),
			Content:    rapid.SliceOfN(block, 0, 4).Draw(t, "content"),
			StopReason: rapid.SampledFrom([]sessionio.StopReason{"", sessionio.StopToolUse, sessionio.StopError, sessionio.StopAborted}).Draw(t, "stop"),
			ToolCallID: ids.Draw(t, "call"), Command: texts.Draw(t, "command"), Summary: texts.Draw(t, "summary"),
		}
	}))
}

func TestPrepareHoldsForAnyMessages(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := genMessages().Draw(t, "messages")
		out := Prepare(in)
		if diff := cmp.Diff(out, Prepare(in)); diff != "" {
			t.Fatalf("not the same twice:\n%s", diff)
		}
		if err := checkPairing(out); err != nil {
			t.Fatalf("%v in\n%s", err, strings.Join(draw(out), "\n"))
		}
		if diff := cmp.Diff(userTexts(in), withoutOpening(userTexts(out))); diff != "" {
			t.Fatalf("user text differs:\n%s", diff)
		}
		if diff := cmp.Diff(draw(out), draw(Prepare(out))); diff != "" {
			t.Fatalf("a second pass changes it:\n%s", diff)
		}
	})
}

// checkPairing is the rule of both wires, read off the output alone.
func checkPairing(messages []sessionio.Message) error {
	var open []string
	seen := map[string]bool{}
	for i, m := range messages {
		if len(m.Content) == 0 {
			return fmt.Errorf("message %d is empty", i)
		}
		if m.Role == sessionio.RoleToolResult {
			if len(open) == 0 || open[0] != m.ToolCallID {
				return fmt.Errorf("message %d answers %q, open are %q", i, m.ToolCallID, open)
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d comes before the results of %q", i, open)
		}
		if i == 0 && m.Role != sessionio.RoleUser {
			return fmt.Errorf("the first message is the %s's", m.Role)
		}
		for _, b := range m.Content {
			if b.Type != sessionio.BlockToolCall {
				continue
			}
			if b.ID == "" || b.Name == "" || seen[b.ID] || !IsObject(b.Arguments) || m.Role != sessionio.RoleAssistant {
				return fmt.Errorf("message %d has a bad call %+v", i, b)
			}
			seen[b.ID] = true
			open = append(open, b.ID)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("no results for %q", open)
	}
	return nil
}

func userTexts(messages []sessionio.Message) []string {
	var out []string
	for i := range messages {
		if m := &messages[i]; m.Role != sessionio.RoleAssistant && m.Role != sessionio.RoleToolResult {
			for _, b := range userBlocks(m) {
				out = append(out, b.Text)
			}
		}
	}
	return out
}

func withoutOpening(texts []string) []string {
	if len(texts) == 1 && texts[0] == openingText {
		return nil
	}
	if len(texts) > 0 && texts[0] == openingText {
		return texts[1:]
	}
	return texts
}

func BenchmarkPrepare(b *testing.B) {
	var in []sessionio.Message
	for i := range 1000 {
		id := fmt.Sprint("c", i)
		in = append(in, user("go"), assistant(sessionio.StopToolUse, call(id, "bash")), result(id, strings.Repeat("x", 200)))
	}
	b.ReportAllocs()
	for b.Loop() {
		Prepare(in)
	}
}
