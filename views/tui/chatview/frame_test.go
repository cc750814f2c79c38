package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/tui/screen"
	"dugout/views/tui/tuitest"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var sizes = [][2]int{{40, 15}, {80, 24}, {200, 60}}

const hostile = "x\x1b]0;PWNED\a\x1b[2J\x1b[31mred\x1b]52;c;UFdORUQ=\a\u009b31m\x1bP+q\x1b\\ tab\there cr\rover bs\b\b bidi\u202eabc nl\nsecond \x1b[6n\x1b[?1049l end"

func call(id, tool, args string) sessionio.Block {
	return sessionio.Block{Type: sessionio.BlockToolCall, ID: id, Name: tool, Arguments: json.RawMessage(args)}
}

func result(id, parent, callID, tool, out string, bad bool, details string) sessionio.Entry {
	return entry(id, parent, sessionio.Message{
		Role: sessionio.RoleToolResult, ToolCallID: callID, ToolName: tool, IsError: bad,
		Content: []sessionio.Block{{Type: sessionio.BlockText, Text: out}}, Details: json.RawMessage(details),
	})
}

func text(s string) sessionio.Block { return sessionio.Block{Type: sessionio.BlockText, Text: s} }

func assistant(id, parent string, stop sessionio.StopReason, blocks ...sessionio.Block) sessionio.Entry {
	return entry(id, parent, sessionio.Message{Role: sessionio.RoleAssistant, Content: blocks, StopReason: stop})
}

// cards is one call of each outcome.
func cards() []sessionio.Entry {
	lines := strings.TrimSuffix(strings.Repeat("line of output\n", 30), "\n")
	return []sessionio.Entry{
		said(sessionio.RoleUser, "1", "", "look at main.go,\nthen fix it"),
		assistant("2", "1", sessionio.StopToolUse, sessionio.Block{Type: sessionio.BlockThinking, Thinking: "first the file\nthen the tests\nthen more"},
			text("I **look** at `main.go` first:\n\n- read\n- fix"),
			call("a", "read", `{"path":"main.go"}`), call("b", "edit", `{"path":"main.go"}`), call("c", "bash", `{"command":"go test ./..."}`),
			call("d", "bash", `{"command":"rm -rf /"}`), call("e", "bash", `{"command":"sleep 100"}`), call("f", "bash", `{"command":"make"}`)),
		result("3", "2", "a", "read", lines, false, ""),
		result("4", "3", "b", "edit", "edited", false, `{"diff":"@@ -1,2 +1,2 @@\n package main\n-var x = 1\n+var x = 2\n"}`),
		result("5", "4", "c", "bash", lines+"\nFAIL", true, `{"exitCode":1}`),
		result("6", "5", "d", "bash", "not run: denied by the user", true, `{"denied":"denied by the user"}`),
		result("7", "6", "e", "bash", "interrupted: the turn was stopped", true, ""),
		result("8", "7", "f", "bash", "ok", false, `{"exitCode":0}`),
		{Type: sessionio.TypeCompaction, ID: "9", ParentID: "8", Summary: "so far so good", TokensBefore: 12345},
		{Type: sessionio.TypeBranchSummary, ID: "a", ParentID: "9", Summary: "tried the other way"},
		assistant("b", "a", sessionio.StopAborted, text("Done with")),
	}
}

// scenes are states of the chat worth looking at.
func scenes(t *testing.T) map[string]*rig {
	out := map[string]*rig{}
	scene := func(name string, f *fake, do func(*rig)) {
		r := open(t, f)
		r.s.now = t0
		do(r)
		out[name] = r
	}
	sum := summaryOf(protocol.StateIdle)
	sum.Name, sum.GitBranch, sum.CostUSD, sum.ContextTokens, sum.ContextWindow, sum.Clients = "fix the build", "main", 0.1234, 12000, 100000, 2
	scene("cards", &fake{snapshot: protocol.Snapshot{Summary: sum, Entries: cards(), Leaf: "b"}}, func(*rig) {})
	scene("cards-expanded", &fake{snapshot: protocol.Snapshot{Summary: sum, Entries: cards(), Leaf: "b"}}, func(r *rig) { r.press("ctrl+o") })
	scene("streaming", idle(), func(r *rig) {
		r.events(stateEvent(protocol.StateStreaming), added(said(sessionio.RoleUser, "5", "4", "third")),
			protocol.Event{Type: protocol.EventDelta, Delta: &protocol.Delta{Kind: "thinking", Text: "one\ntwo\nthree\nfour"}},
			protocol.Event{Type: protocol.EventDelta, Delta: &protocol.Delta{Kind: "text", Block: 1, Text: "## Plan\n\nIt *streams*, and then\n\n```go\nfunc main() {"}},
			protocol.Event{Type: protocol.EventQueue, Queue: []protocol.Queued{{ID: "q", Text: "and then the docs", FollowUp: true}}})
		r.tell(screen.TickMsg{Now: t0.Add(time.Second)})
		r.tell(screen.TickMsg{Now: t0.Add(65 * time.Second)})
		r.press("draft of")
	})
	scene("permission", idle(), func(r *rig) { askOne(r); r.later() })
	scene("permission-diff", idle(), func(r *rig) {
		r.events(stateEvent(protocol.StateWaiting), protocol.Event{Type: protocol.EventPermission, Permission: &protocol.Permission{
			ID: "p", Tool: "edit", Kind: "edit", Title: "edit main.go", Reason: "it changes a file", Paths: []string{"/p/app/main.go"},
			Preview: "@@ -1,2 +1,30 @@\n package main\n-a\u202e\n" + strings.Repeat("+new\x1b[8m line\n", 29),
		}})
		r.press("i am writing")
	})
	scene("hostile", &fake{snapshot: protocol.Snapshot{
		Summary: protocol.Summary{ID: "s1", State: protocol.StateIdle, Name: hostile, CWD: "/p/" + hostile, Model: hostile, Mode: hostile, GitBranch: hostile},
		Entries: []sessionio.Entry{
			said(sessionio.RoleUser, "1", "", hostile), assistant("2", "1", sessionio.StopToolUse, text(hostile), call("c", hostile, `{"command":"\u001b[2J\u202e"}`)),
			result("3", "2", "c", "bash", hostile, true, `{"diff":"@@ -1 +1 @@\n-\u001b[2J\n+\u202e\n"}`),
		},
		Permissions: []protocol.Permission{{ID: "p", Tool: hostile, Kind: "exec", Command: hostile, Reason: hostile, Rule: hostile}},
		Queue:       []protocol.Queued{{ID: "q", Text: hostile}}, Leaf: "3",
	}}, func(r *rig) { r.later() })
	scene("commands", idle(), func(r *rig) { r.press("/") })
	scene("lost", idle(), func(r *rig) {
		r.tell(eventsMsg{nil, false})
		r.press("unsent", "enter", "draft")
	})
	scene("empty", &fake{snapshot: protocol.Snapshot{Summary: protocol.Summary{ID: "s1", State: protocol.StateIdle, Model: "scripted/demo", Scripted: true, Mode: "ask"}}}, func(*rig) {})
	return out
}

func TestGoldenFrames(t *testing.T) {
	t.Parallel()
	all := scenes(t)
	if len(all) < 9 {
		t.Fatal("scenes are missing")
	}
	for name, r := range all {
		for _, size := range sizes {
			w, h := size[0], size[1]
			r.tell(screen.SizeMsg{Width: w, Height: h})
			view := r.s.View(w, h)
			checkRaw(t, view)
			tuitest.Golden(t, fmt.Sprintf("%s-%dx%d.txt", name, w, h), tuitest.Frame(t, view, w, h))
		}
	}
}

var ours = regexp.MustCompile("\x1b\\[[0-9;]*m|\x1b\\]8;;[ -~]*\a")

func checkRaw(t testing.TB, view string) {
	t.Helper()
	for _, c := range ours.ReplaceAllString(view, "") {
		if c < 0x20 && c != '\n' || c >= 0x7f && c < 0xa0 || c >= 0x202a && c <= 0x202e {
			t.Errorf("a raw %U is on the screen", c)
			return
		}
	}
}

// Whatever the size and the moment, a frame fits its window.
func TestFramesFit(t *testing.T) {
	t.Parallel()
	all := scenes(t)
	var names []string
	for n := range all {
		names = append(names, n)
	}
	keys := []string{"pgup", "pgdown", "ctrl+o", "up", "down", "tab", "ctrl+home", "ctrl+end", "r", "a", "漢字 é", "ctrl+j", "left"}
	rapid.Check(t, func(rt *rapid.T) {
		r := all[rapid.SampledFrom(names).Draw(rt, "scene")]
		w, h := rapid.IntRange(1, 120).Draw(rt, "w"), rapid.IntRange(1, 50).Draw(rt, "h")
		r.tell(screen.SizeMsg{Width: w, Height: h})
		r.press(rapid.SampledFrom(keys).Draw(rt, "key"))
		tuitest.Fits(rt2{t, rt}, r.s.View(w, h), w, h)
	})
}

// rt2 lets rapid shrink what a helper for testing.TB found.
type rt2 struct {
	testing.TB
	rt *rapid.T
}

func (r rt2) Helper()                      {}
func (r rt2) Errorf(f string, args ...any) { r.rt.Errorf(f, args...) }
