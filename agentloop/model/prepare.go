package model

import (
	"bytes"
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Texts that stand where the file has nothing that a provider would take.
const (
	interruptedText = "The call was interrupted: no result was recorded."
	noOutputText    = "(no output)"
	openingText     = "(What was said before this point is not part of the context.)"
)

// Prepare turns a session's context into messages that any provider takes: bash executions, custom
// messages and summaries become user text; assistant messages that stopped by error or abort are
// left out, with the results of their calls; each remaining call gets its result right after it, in
// order, a synthetic "interrupted" error where none is stored; results without a call are left out;
// empty messages too; unknown blocks are dropped. Calls without an id or with one that is taken get
// a new one. The first message is always the user's. Messages of one role may follow each other:
// where a wire wants turns, its provider joins them. Pure.
func Prepare(messages []sessionio.Message) []sessionio.Message {
	p := preparer{slots: map[string][]*callSlot{}, ids: map[string]bool{}}
	for i := range messages {
		p.add(i, &messages[i])
	}
	return p.output()
}

// turnMessage is a message of the output; calls pairs with its tool calls.
type turnMessage struct {
	message sessionio.Message
	calls   []*callSlot
}

// callSlot is one tool call and the result that it got.
type callSlot struct {
	storedID string // as the file has it, "" when it has none
	id, name string // as sent
	dropped  bool   // of a message that is left out: takes its result with it
	result   *sessionio.Message
}

type preparer struct {
	kept  []turnMessage
	slots map[string][]*callSlot // of every assistant message so far, in order, by stored id
	ids   map[string]bool        // as sent
}

func (p *preparer) add(index int, m *sessionio.Message) {
	switch m.Role {
	case sessionio.RoleAssistant:
		p.addAssistant(index, m)
	case sessionio.RoleToolResult:
		p.addResult(m)
	default:
		if blocks := userBlocks(m); len(blocks) > 0 {
			p.kept = append(p.kept, turnMessage{message: sessionio.Message{
				Role: sessionio.RoleUser, Content: blocks, Timestamp: m.Timestamp,
			}})
		}
	}
}

func (p *preparer) addAssistant(index int, m *sessionio.Message) {
	dropped := m.StopReason == sessionio.StopError || m.StopReason == sessionio.StopAborted
	out := turnMessage{message: *m}
	out.message.Raw, out.message.Content = nil, nil
	for at, b := range m.Content {
		switch b.Type {
		case sessionio.BlockText:
			if strings.TrimSpace(b.Text) == "" {
				continue
			}
		case sessionio.BlockThinking:
			if b.Thinking == "" && b.ThinkingSignature == "" {
				continue
			}
		case sessionio.BlockToolCall:
			slot := &callSlot{storedID: b.ID, name: b.Name, dropped: dropped || b.Name == ""}
			p.slots[b.ID] = append(p.slots[b.ID], slot)
			if slot.dropped {
				continue
			}
			slot.id = p.freeID(b.ID, index, at)
			out.calls = append(out.calls, slot)
			b.ID, b.Arguments = slot.id, objectOrEmpty(b.Arguments)
		default:
			continue
		}
		b.Raw = nil
		out.message.Content = append(out.message.Content, b)
	}
	if !dropped && speaks(out.message.Content) {
		p.kept = append(p.kept, out)
	}
}

// speaks says whether blocks hold more than thinking: a message of thinking alone says nothing, and
// no provider takes it.
func speaks(blocks []sessionio.Block) bool {
	for _, b := range blocks {
		if b.Type != sessionio.BlockThinking {
			return true
		}
	}
	return false
}

// freeID keeps an id that is the first of its kind and makes one from the call's place otherwise.
func (p *preparer) freeID(id string, message, block int) string {
	for n := 0; id == "" || p.ids[id]; n++ {
		id = fmt.Sprintf("call_%d_%d", message, block)
		if n > 0 {
			id = fmt.Sprintf("%s_%d", id, n)
		}
	}
	p.ids[id] = true
	return id
}

// addResult gives a result to the latest open call of its id; one without an id to the first open
// call that has none either.
func (p *preparer) addResult(m *sessionio.Message) {
	slots := p.slots[m.ToolCallID]
	at := len(slots) - 1
	if m.ToolCallID == "" {
		at = 0
	}
	if len(slots) > 0 {
		slots[at].result = m
		p.slots[m.ToolCallID] = slices.Delete(slots, at, at+1)
	}
}

func (p *preparer) output() []sessionio.Message {
	var out []sessionio.Message
	for _, k := range p.kept {
		if len(out) == 0 && k.message.Role != sessionio.RoleUser {
			out = append(out, sessionio.Message{Role: sessionio.RoleUser, Content: text(openingText)})
		}
		out = append(out, k.message)
		for _, c := range k.calls {
			out = append(out, c.message())
		}
	}
	return out
}

func (c *callSlot) message() sessionio.Message {
	m := sessionio.Message{Role: sessionio.RoleToolResult, ToolCallID: c.id, ToolName: c.name}
	if c.result == nil {
		m.IsError, m.Content = true, text(interruptedText)
		return m
	}
	m.IsError, m.Details, m.Timestamp = c.result.IsError, c.result.Details, c.result.Timestamp
	m.Content = sayable(c.result.Content)
	if len(m.Content) == 0 {
		m.Content = text(noOutputText)
	}
	return m
}

// sayable keeps the text and the images of a content.
func sayable(blocks []sessionio.Block) []sessionio.Block {
	var out []sessionio.Block
	for _, b := range blocks {
		hasText := b.Type == sessionio.BlockText && strings.TrimSpace(b.Text) != ""
		hasImage := b.Type == sessionio.BlockImage && b.Data != "" && b.MimeType != ""
		if hasText || hasImage {
			b.Raw = nil
			out = append(out, b)
		}
	}
	return out
}

func text(s string) []sessionio.Block {
	return []sessionio.Block{{Type: sessionio.BlockText, Text: s}}
}

func objectOrEmpty(args json.RawMessage) json.RawMessage {
	if IsObject(args) {
		return args
	}
	return json.RawMessage("{}")
}

// IsObject says whether a text is one whole JSON object, as a call's arguments must be.
func IsObject(args []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(args), []byte("{")) && json.Valid(args)
}
