package anthropic

import (
	"bytes"
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"encoding/json"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/ssestream"
)

// reader builds an answer from the events of a stream.
type reader struct {
	origin model.Origin
	answer *model.Assembler
	blocks map[int64]int // index on the wire -> block of the answer
	inputs map[int]json.RawMessage
	msg    sessionio.Message
	stop   string
	done   bool
}

func read(ctx context.Context, origin model.Origin, events ssestream.Decoder, emit func(model.Delta)) (*sessionio.Message, error) {
	r := &reader{origin: origin, answer: model.NewAssembler(emit), blocks: map[int64]int{}, inputs: map[int]json.RawMessage{}}
	r.msg = sessionio.Message{
		Role: sessionio.RoleAssistant, API: API, Provider: origin.Provider, Model: origin.Model, Timestamp: time.Now().UnixMilli(),
	}
	for !r.done && events.Next() {
		data := bytes.TrimSpace(events.Event().Data)
		if len(data) == 0 {
			continue
		}
		if err := r.event(data); err != nil {
			return r.partial(), err
		}
	}
	switch {
	case ctx.Err() != nil && !r.done:
		return r.partial(), ctx.Err()
	case !r.done && r.stop == "":
		return r.partial(), r.origin.Cut(events.Err())
	}
	return r.whole()
}

// event takes in one event; its type is in the data, whatever name the line before gave it.
func (r *reader) event(data []byte) error {
	var e sdk.MessageStreamEventUnion
	if err := json.Unmarshal(data, &e); err != nil {
		return r.origin.Garbled("the stream holds what is not JSON", data)
	}
	switch e.Type {
	case "error":
		return r.origin.Event(data)
	case "message_start":
		r.msg.ResponseID = e.Message.ID
		if id := e.Message.Model; id != r.msg.Model {
			r.msg.ResponseModel = id
		}
		u := e.Message.Usage
		r.count(u.InputTokens, u.OutputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens)
	case "content_block_start":
		r.start(e)
	case "content_block_delta":
		r.delta(e)
	case "content_block_stop":
		r.stopBlock(e.Index)
	case "message_delta":
		if s := string(e.Delta.StopReason); s != "" {
			r.stop = s
		}
		u := e.Usage
		r.count(u.InputTokens, u.OutputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens)
	case "message_stop":
		r.done = true
	}
	return nil
}

// count keeps the largest figure of each kind: they are running totals, and a later event may leave
// some out.
func (r *reader) count(in, out, read, written int64) {
	if in+out+read+written == 0 {
		return
	}
	if r.msg.Usage == nil {
		r.msg.Usage = &sessionio.Usage{}
	}
	u := r.msg.Usage
	u.Input, u.Output = max(u.Input, int(in)), max(u.Output, int(out))
	u.CacheRead, u.CacheWrite = max(u.CacheRead, int(read)), max(u.CacheWrite, int(written))
	u.TotalTokens = u.Input + u.Output + u.CacheRead + u.CacheWrite
}

func (r *reader) start(e sdk.MessageStreamEventUnion) {
	c := e.ContentBlock
	b := sessionio.Block{}
	piece := ""
	switch c.Type {
	case "text":
		b.Type, piece = sessionio.BlockText, c.Text
	case "thinking":
		b.Type, b.ThinkingSignature, piece = sessionio.BlockThinking, c.Signature, c.Thinking
	case "redacted_thinking":
		b.Type, b.ThinkingSignature, b.Redacted = sessionio.BlockThinking, c.Data, true
	case "tool_use":
		b.Type, b.ID, b.Name = sessionio.BlockToolCall, c.ID, c.Name
	default:
		return // what we did not ask for
	}
	at := r.answer.Open(b)
	r.blocks[e.Index] = at
	r.answer.Add(at, piece)
	if c.Type == "tool_use" {
		r.inputs[at] = json.RawMessage(c.JSON.Input.Raw())
	}
}

func (r *reader) delta(e sdk.MessageStreamEventUnion) {
	at, ok := r.blocks[e.Index]
	if !ok {
		return
	}
	switch e.Delta.Type {
	case "text_delta":
		r.answer.Add(at, e.Delta.Text)
	case "thinking_delta":
		r.answer.Add(at, e.Delta.Thinking)
	case "signature_delta":
		r.answer.Block(at).ThinkingSignature += e.Delta.Signature
	case "input_json_delta":
		if e.Delta.PartialJSON != "" {
			delete(r.inputs, at)
		}
		r.answer.Add(at, e.Delta.PartialJSON)
	}
}

// stopBlock adds arguments that came whole with the block's start, if none came in pieces.
func (r *reader) stopBlock(index int64) {
	at, ok := r.blocks[index]
	if input := r.inputs[at]; ok && model.IsObject(input) {
		delete(r.inputs, at)
		r.answer.Add(at, string(input))
	}
}

// partial is what had come when the stream failed; nil for nothing.
func (r *reader) partial() *sessionio.Message {
	if r.answer.Len() == 0 {
		return nil
	}
	r.msg.Content, r.msg.StopReason = model.WholeCalls(r.answer.Blocks()), sessionio.StopError
	return &r.msg
}

// whole is the answer of a stream that came to its end.
func (r *reader) whole() (*sessionio.Message, error) {
	for index := range r.blocks {
		r.stopBlock(index)
	}
	blocks := r.answer.Blocks()
	r.msg.Content, r.msg.StopReason, r.msg.StopReasonRaw = blocks, sessionio.StopEnd, r.stop
	switch r.stop {
	case "max_tokens", "model_context_window_exceeded":
		r.msg.Content, r.msg.StopReason = model.WholeCalls(blocks), sessionio.StopLength
		return &r.msg, nil
	case "refusal":
		return r.partial(), r.origin.Refused("the provider's safety filter stopped the answer")
	}
	if name, bad := model.BadCall(blocks); bad {
		raw, _ := json.Marshal(blocks)
		return r.partial(), r.origin.Garbled("the arguments of a call of "+name+" are not a JSON object", raw)
	}
	if model.HasCalls(blocks) {
		r.msg.StopReason = sessionio.StopToolUse
	}
	return &r.msg, nil
}
