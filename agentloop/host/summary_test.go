package host

import (
	"dugout/agentloop"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"testing"
)

func TestAttention(t *testing.T) {
	t.Parallel()
	ask := []*protocol.Permission{{ID: "p", Title: "rm"}}
	tests := []struct {
		name   string
		m      mirror
		unseen bool
		want   protocol.Attention
		state  protocol.State
	}{
		{"at rest", mirror{state: agentloop.State{Activity: agentloop.Idle}}, false, protocol.AttentionNone, protocol.StateIdle},
		{"settled unseen", mirror{state: agentloop.State{Activity: agentloop.Idle}}, true, protocol.AttentionFinished, protocol.StateIdle},
		{"a question comes before news", mirror{state: agentloop.State{Activity: agentloop.Idle, Verdict: sessionio.VerdictNeedsInput}}, true, protocol.AttentionQuestion, protocol.StateIdle},
		{"a failure before a question", mirror{state: agentloop.State{Activity: agentloop.Idle, LastError: "x", Verdict: sessionio.VerdictNeedsInput}}, true, protocol.AttentionFailed, protocol.StateIdle},
		{"permission before all", mirror{asks: ask, state: agentloop.State{Activity: agentloop.Waiting, LastError: "x"}}, false, protocol.AttentionPermission, protocol.StateWaiting},
		{"at work wants nothing", mirror{state: agentloop.State{Activity: agentloop.Streaming, LastError: "x"}}, true, protocol.AttentionNone, protocol.StateStreaming},
		{"messages wait", mirror{queue: []protocol.Queued{{}}, state: agentloop.State{Activity: agentloop.Idle}}, false, protocol.AttentionNone, protocol.StateQueued},
		{"retrying", mirror{state: agentloop.State{Activity: agentloop.Retrying}}, false, protocol.AttentionNone, protocol.StateRetrying},
	}
	for _, tt := range tests {
		if got := attentionOf(&tt.m, tt.unseen); got != tt.want {
			t.Errorf("%s: attention %q, want %q", tt.name, got, tt.want)
		}
		if got := stateOf(&tt.m); got != tt.state {
			t.Errorf("%s: state %q, want %q", tt.name, got, tt.state)
		}
	}
}

func TestOnlyCountsWait(t *testing.T) {
	t.Parallel()
	was := protocol.Summary{ID: "a", State: protocol.StateIdle}
	for name, change := range map[string]func(*protocol.Summary){
		"tokens":   func(s *protocol.Summary) { s.Tokens++ },
		"messages": func(s *protocol.Summary) { s.MessageCount++ },
		"clients":  func(s *protocol.Summary) { s.Clients++ },
	} {
		is := was
		if change(&is); urgent(was, is) {
			t.Errorf("%s is told at once", name)
		}
	}
	for name, change := range map[string]func(*protocol.Summary){
		"state":     func(s *protocol.Summary) { s.State = protocol.StateTool },
		"attention": func(s *protocol.Summary) { s.Attention = protocol.AttentionFailed },
		"question":  func(s *protocol.Summary) { s.Pending = 1 },
		"name":      func(s *protocol.Summary) { s.Name = "n" },
		"children":  func(s *protocol.Summary) { s.RunningChildren = 1 },
	} {
		is := was
		if change(&is); !urgent(was, is) {
			t.Errorf("%s waits", name)
		}
	}
}
