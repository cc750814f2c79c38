package model

import (
	"dugout/sessionio"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAssembler(t *testing.T) {
	t.Parallel()
	var deltas []Delta
	a := NewAssembler(func(d Delta) { deltas = append(deltas, d) })
	a.Continue(sessionio.BlockText, "")
	a.Continue(sessionio.BlockThinking, "h")
	a.Continue(sessionio.BlockThinking, "m")
	a.Block(0).ThinkingSignature = "s"
	a.Continue(sessionio.BlockText, "hi")
	one := a.Open(sessionio.Block{Type: sessionio.BlockToolCall, ID: "1", Name: "ls"})
	two := a.Open(sessionio.Block{Type: sessionio.BlockToolCall, ID: "2", Name: "read"})
	a.Add(two, `{"a"`)
	a.Add(one, "")
	a.Add(two, `:1}`)
	want := []sessionio.Block{
		{Type: sessionio.BlockThinking, Thinking: "hm", ThinkingSignature: "s"},
		{Type: sessionio.BlockText, Text: "hi"},
		{Type: sessionio.BlockToolCall, ID: "1", Name: "ls", Arguments: json.RawMessage("{}")},
		{Type: sessionio.BlockToolCall, ID: "2", Name: "read", Arguments: json.RawMessage(`{"a":1}`)},
	}
	if diff := cmp.Diff(want, a.Blocks()); diff != "" {
		t.Error(diff)
	}
	wantDeltas := []Delta{
		{Kind: DeltaThinking, Text: "h"},
		{Kind: DeltaThinking, Text: "m"},
		{Kind: DeltaText, Block: 1, Text: "hi"},
		{Kind: DeltaToolStart, Block: 2, ToolID: "1", ToolName: "ls"},
		{Kind: DeltaToolStart, Block: 3, ToolID: "2", ToolName: "read"},
		{Kind: DeltaToolArgs, Block: 3, ToolID: "2", ToolName: "read", Text: `{"a"`},
		{Kind: DeltaToolArgs, Block: 3, ToolID: "2", ToolName: "read", Text: `:1}`},
	}
	if diff := cmp.Diff(wantDeltas, deltas); diff != "" {
		t.Error(diff)
	}
}

func TestCallsThatAreNotWhole(t *testing.T) {
	t.Parallel()
	for args, whole := range map[string]bool{
		`{}`: true, ` {"a":[1]} `: true,
		`{"a"`: false, `[]`: false, `"{}"`: false, `null`: false, `{}{}`: false, ``: false,
	} {
		blocks := []sessionio.Block{{Type: sessionio.BlockText}, {Type: sessionio.BlockToolCall, Name: "x", Arguments: json.RawMessage(args)}}
		_, bad := BadCall(blocks)
		if bad == whole || HasCalls(WholeCalls(blocks)) != whole || !HasCalls(blocks) {
			t.Errorf("%q: bad %v, left %v", args, bad, WholeCalls(blocks))
		}
	}
}
