package host

import (
	"dugout/daemonclient/protocol"
	"strings"
	"testing"
)

func numbered(seq uint64, size int) *sealed {
	return &sealed{event: protocol.Event{Seq: seq, Type: protocol.EventDelta}, size: size}
}

func TestRingGivesWhatIsMissing(t *testing.T) {
	t.Parallel()
	var r ring
	newest := uint64(0)
	for newest < maxKept+100 {
		newest++
		r.add(numbered(newest, 1))
	}
	oldest := newest - maxKept + 1
	tests := []struct {
		name string
		from uint64
		want int
		ok   bool
	}{
		{"nothing missing", newest, 0, true},
		{"one", newest - 1, 1, true},
		{"all that is kept", oldest - 1, maxKept, true},
		{"more than is kept", oldest - 2, 0, false},
		{"from the beginning", 0, 0, false},
		{"from another time", newest + 5, 0, false},
	}
	for _, tt := range tests {
		got, ok := r.since(tt.from, newest)
		if ok != tt.ok || len(got) != tt.want {
			t.Errorf("%s: %d events, %v", tt.name, len(got), ok)
		}
		for i, e := range got {
			if e.event.Seq != tt.from+1+uint64(i) {
				t.Fatalf("%s: seq %d at %d", tt.name, e.event.Seq, i)
			}
		}
	}
	r.add(numbered(newest+1, maxKeptBytes+1))
	if _, ok := r.since(newest, newest+1); ok || r.bytes != 0 {
		t.Errorf("an event above the bound is kept: %d bytes", r.bytes)
	}
}

func TestSlowSubscriberFallsBehindAndLosesNothingItNeeds(t *testing.T) {
	t.Parallel()
	s := &sub{nudge: func() {}}
	for n := range uint64(maxQueued) {
		s.put(numbered(n+1, 1))
	}
	if s.behind || len(s.waits) != maxQueued {
		t.Fatalf("behind=%v with %d events", s.behind, len(s.waits))
	}
	s.put(numbered(maxQueued+1, 1))
	s.put(numbered(maxQueued+2, 1))
	if !s.behind || len(s.waits) != 0 {
		t.Fatalf("behind=%v with %d events", s.behind, len(s.waits))
	}
	s.last(numbered(maxQueued+3, 1))
	s.put(numbered(maxQueued+4, 1))
	if len(s.waits) != 1 || s.waits[0].event.Seq != maxQueued+3 || !s.over {
		t.Errorf("the last event: %+v", s)
	}
}

func TestMirrorMergesDeltas(t *testing.T) {
	t.Parallel()
	var m mirror
	for _, d := range []protocol.Delta{
		{Kind: "thinking", Block: 0, Text: "hm"},
		{Kind: "thinking", Block: 0, Text: "m"},
		{Kind: "text", Block: 1, Text: "a"},
		{Kind: "tool_start", Block: 2, ToolID: "t1", ToolName: "bash"},
		{Kind: "tool_args", Block: 2, Text: `{"a"`},
		{Kind: "text", Block: 1, Text: "b"},
		{Kind: "tool_args", Block: 2, Text: `:1}`},
	} {
		m.delta(d)
	}
	want := []protocol.Delta{
		{Kind: "thinking", Block: 0, Text: "hmm"},
		{Kind: "text", Block: 1, Text: "ab"},
		{Kind: "tool_start", Block: 2, Text: `{"a":1}`, ToolID: "t1", ToolName: "bash"},
	}
	got := m.answer()
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("block %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestTailKeepsWholeRunes(t *testing.T) {
	t.Parallel()
	if got := tail("äöü", 3); got != "ü" {
		t.Errorf("got %q", got)
	}
	if got := tail(strings.Repeat("x", 10), 4); got != "xxxx" {
		t.Errorf("got %q", got)
	}
}
