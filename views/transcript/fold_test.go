package transcript

import (
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

var t0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func entry(id, parent string, m sessionio.Message) sessionio.Entry {
	return sessionio.Entry{
		Type: sessionio.TypeMessage, ID: sessionio.EntryID(id), ParentID: sessionio.EntryID(parent),
		Timestamp: t0, Message: &m,
	}
}

func text(s string) sessionio.Block { return sessionio.Block{Type: sessionio.BlockText, Text: s} }

func user(id, parent, s string) sessionio.Entry {
	return entry(id, parent, sessionio.Message{Role: sessionio.RoleUser, Content: []sessionio.Block{text(s)}})
}

func answer(id, parent string, stop sessionio.StopReason, blocks ...sessionio.Block) sessionio.Entry {
	return entry(id, parent, sessionio.Message{Role: sessionio.RoleAssistant, Content: blocks, StopReason: stop, Model: "m"})
}

func call(id, tool, args string) sessionio.Block {
	return sessionio.Block{Type: sessionio.BlockToolCall, ID: id, Name: tool, Arguments: json.RawMessage(args)}
}

func result(id, parent, callID, out string, isError bool, details string) sessionio.Entry {
	return entry(id, parent, sessionio.Message{
		Role: sessionio.RoleToolResult, ToolCallID: callID, ToolName: "bash",
		Content: []sessionio.Block{text(out)}, IsError: isError, Details: json.RawMessage(details),
	})
}

func failure(id, parent, line string) sessionio.Entry {
	data, _ := json.Marshal(sessionio.ErrorRecord{Time: t0, Kind: sessionio.ErrorGeneration, Line: line, Question: "why?"})
	return sessionio.Entry{
		Type: sessionio.TypeCustom, CustomType: sessionio.CustomError,
		ID: sessionio.EntryID(id), ParentID: sessionio.EntryID(parent), Timestamp: t0, Data: data,
	}
}

// sketch writes items as short lines.
func sketch(items []*Item) string {
	var b strings.Builder
	for _, it := range items {
		fmt.Fprintf(&b, "%s", it.Kind)
		if it.Card != nil {
			fmt.Fprintf(&b, " %s %s [%s] %q", it.Card.Tool, it.Card.State, it.Card.Title, it.Card.Output)
			if it.Card.Diff != "" {
				b.WriteString(" diff")
			}
			if it.Card.ExitCode != nil {
				fmt.Fprintf(&b, " exit %d", *it.Card.ExitCode)
			}
		} else {
			fmt.Fprintf(&b, " %q", it.Text)
		}
		if !it.Finished {
			b.WriteString(" …")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestFold(t *testing.T) {
	t.Parallel()
	exit := 3
	for name, c := range map[string]struct {
		in   []sessionio.Entry
		want string
	}{
		"a turn with a tool": {[]sessionio.Entry{
			user("1", "", "hi"),
			answer("2", "1", sessionio.StopToolUse, sessionio.Block{Type: sessionio.BlockThinking, Thinking: "hm"}, text("look"), call("c1", "bash", `{"command":"ls -l"}`)),
			result("3", "2", "c1", "out", false, `{"exitCode":0}`),
			answer("4", "3", sessionio.StopEnd, text("done")),
		}, "user \"hi\"\nthinking \"hm\"\nanswer \"look\"\ntool bash ok [ls -l] \"out\" exit 0\nanswer \"done\"\n"},
		"states of a card": {[]sessionio.Entry{
			answer("2", "", sessionio.StopToolUse, call("a", "edit", `{"path":"x.go"}`), call("b", "bash", `{}`), call("c", "bash", `{"x":1}`), call("d", "zz", `nonsense`)),
			result("3", "2", "a", "edited", false, `{"diff":"@@"}`),
			result("4", "3", "b", "not run: denied by the user", true, `{"denied":"denied by the user"}`),
			result("5", "4", "c", "interrupted: stopped", true, ``),
		}, "tool edit ok [x.go] \"edited\" diff\ntool bash denied [] \"not run: denied by the user\"\ntool bash interrupted [{\"x\":1}] \"interrupted: stopped\"\ntool zz interrupted [nonsense] \"\"\n"},
		"a result without its call": {[]sessionio.Entry{result("1", "", "zz", "late", true, `[]`)}, "tool bash failed [] \"late\"\n"},
		"a call id used twice": {[]sessionio.Entry{
			answer("1", "", sessionio.StopToolUse, call("c", "bash", `{"command":"1"}`)), result("2", "1", "c", "one", false, ""),
			answer("3", "2", sessionio.StopToolUse, call("c", "bash", `{"command":"2"}`)), result("4", "3", "c", "two", false, ""),
		}, "tool bash ok [1] \"one\"\ntool bash ok [2] \"two\"\n"},
		"how answers end": {[]sessionio.Entry{
			answer("1", "", sessionio.StopAborted, text("par")), answer("2", "1", sessionio.StopLength, text("long")),
			entry("3", "2", sessionio.Message{Role: sessionio.RoleAssistant, StopReason: sessionio.StopError, ErrorMessage: "529"}),
		}, "answer \"par\"\nnotice \"stopped here\"\nanswer \"long\"\nnotice \"the answer was cut at the output limit\"\nerror \"529\"\n"},
		"marks": {[]sessionio.Entry{
			{Type: sessionio.TypeCompaction, ID: "1", Summary: "so far", TokensBefore: 9},
			{Type: sessionio.TypeBranchSummary, ID: "2", ParentID: "1", Summary: "elsewhere"},
			{Type: sessionio.TypeModelChange, ID: "3", ParentID: "2", Provider: "p", ModelID: "m"},
			{Type: sessionio.TypeCustomMessage, ID: "4", ParentID: "3", CustomType: "note", Display: true, Content: []sessionio.Block{text("see")}},
			{Type: sessionio.TypeCustomMessage, ID: "5", ParentID: "4", CustomType: "note", Content: []sessionio.Block{text("hidden")}},
			{Type: sessionio.TypeLabel, ID: "6", ParentID: "5"},
			{Type: "who knows", ID: "7"},
			{Type: sessionio.TypeMessage, ID: "8"},
			entry("9", "6", sessionio.Message{Role: sessionio.RoleBash, Command: "ls", Output: "o", ExitCode: &exit}),
			failure("a", "9", "429: slow down"),
		}, "compaction \"so far\"\nbranch \"elsewhere\"\nnotice \"model: p/m\"\ncustom \"see\"\ntool ! failed [ls] \"o\" exit 3\nerror \"429: slow down\"\n"},
	} {
		if got := sketch(Fold(c.in)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestIDsAreUnique(t *testing.T) {
	t.Parallel()
	items := Fold([]sessionio.Entry{
		answer("2", "", sessionio.StopAborted, text("a"), text("b"), call("a", "edit", `{}`)),
		answer("3", "2", sessionio.StopError, text("a")),
	})
	seen := map[string]bool{}
	for _, it := range items {
		if seen[it.ID] {
			t.Errorf("two items are %q", it.ID)
		}
		seen[it.ID] = true
	}
}
