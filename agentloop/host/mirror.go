package host

import (
	"dugout/agentloop"
	"dugout/agentloop/model"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"slices"
	"unicode/utf8"
)

// outputTail is how much of a running tool's output a snapshot holds.
const outputTail = 64 << 10

// mirror is what a chat shows of a session beside its entries, as of the last event told.
type mirror struct {
	leaf    sessionio.EntryID
	partial []block // of the answer under way
	tools   []protocol.ToolRun
	asks    []*protocol.Permission
	queue   []protocol.Queued
	retry   *protocol.Retry
	state   agentloop.State
}

// block is what came of one block of the answer: its first delta, and all of its text.
type block struct {
	first protocol.Delta
	text  []byte
}

// delta merges a piece into its block: text and arguments grow, a tool's name and id stay.
func (m *mirror) delta(d protocol.Delta) {
	for i := range m.partial {
		b := &m.partial[i]
		if b.first.Block != d.Block {
			continue
		}
		b.text = append(b.text, d.Text...)
		if d.Kind == string(model.DeltaToolStart) {
			b.first.Kind, b.first.ToolID, b.first.ToolName = d.Kind, d.ToolID, d.ToolName
		}
		return
	}
	m.partial = append(m.partial, block{d, []byte(d.Text)})
}

// answer is the answer under way, one merged delta a block.
func (m *mirror) answer() []protocol.Delta {
	var list []protocol.Delta
	for _, b := range m.partial {
		d := b.first
		d.Text = string(b.text)
		list = append(list, d)
	}
	return list
}

func (m *mirror) output(callID, chunk string) {
	for i := range m.tools {
		if m.tools[i].CallID == callID {
			m.tools[i].Output = tail(m.tools[i].Output+chunk, outputTail)
		}
	}
}

// tail is the end of s, at most n bytes, beginning with a whole rune.
func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	for i := 0; i < len(s) && i < utf8.UTFMax; i++ {
		if utf8.RuneStart(s[i]) {
			return s[i:]
		}
	}
	return s
}

func (m *mirror) endTool(callID string) {
	m.tools = slices.DeleteFunc(m.tools, func(t protocol.ToolRun) bool { return t.CallID == callID })
}

func (m *mirror) endAsk(id string) {
	m.asks = slices.DeleteFunc(m.asks, func(p *protocol.Permission) bool { return p.ID == id })
}

// setState takes the agent's new state; what can't be under way in it goes.
func (m *mirror) setState(s agentloop.State) {
	m.state = s
	if s.Activity != agentloop.Retrying {
		m.retry = nil
	}
	if s.Activity == agentloop.Idle {
		m.partial, m.tools, m.asks = nil, nil, nil
	}
}

func wireDelta(d model.Delta) protocol.Delta {
	return protocol.Delta{Kind: string(d.Kind), Block: d.Block, Text: d.Text, ToolID: d.ToolID, ToolName: d.ToolName}
}

func wireAsk(a agentloop.PermissionAsk) *protocol.Permission {
	return &protocol.Permission{
		ID: a.ID, CallID: a.CallID, Tool: a.Tool, Kind: string(a.Effect.Kind), Title: a.Effect.Title,
		Command: a.Effect.Command, Paths: a.Effect.Paths, Preview: a.Effect.Preview,
		Reason: a.Reason, Rule: a.Rule, Asked: a.Asked,
	}
}

func wireQueue(q []agentloop.Queued) []protocol.Queued {
	list := make([]protocol.Queued, len(q))
	for i, m := range q {
		list[i] = protocol.Queued{ID: m.ID, Text: m.Text, FollowUp: m.Kind == agentloop.FollowUp}
	}
	return list
}

// slim is an entry that fits into a frame: one that is far too large to show says so instead.
func slim(e sessionio.Entry) sessionio.Entry {
	if weight(e) <= maxEntry || e.Message == nil {
		return e
	}
	m := *e.Message
	m.Content = []sessionio.Block{{Type: sessionio.BlockText, Text: "[too large to show; it is whole in the session's file]"}}
	m.Details, m.Output, m.Raw = nil, "", nil
	e.Message, e.Raw = &m, nil
	return e
}

// maxEntry is the largest entry that goes to a client as it is.
const maxEntry = 8 << 20

// weight is about the size of an entry's line.
func weight(e sessionio.Entry) int {
	n := 300 + len(e.Raw) + len(e.Data) + len(e.Details) + len(e.Summary)
	if len(e.Raw) == 0 && e.Message != nil {
		n += len(e.Message.Details) + len(e.Message.Output)
		for _, b := range e.Message.Content {
			n += len(b.Text) + len(b.Thinking) + len(b.ThinkingSignature) + len(b.Data) + len(b.Arguments)
		}
	}
	return n
}
