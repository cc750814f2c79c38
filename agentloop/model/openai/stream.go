package openai

import (
	"bytes"
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"encoding/json"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

// reader builds an answer from the chunks of a stream.
type reader struct {
	origin model.Origin
	answer *model.Assembler
	calls  *callReader
	msg    sessionio.Message
	finish string
	done   bool // the server said that it is
}

func read(ctx context.Context, origin model.Origin, events ssestream.Decoder, emit func(model.Delta)) (*sessionio.Message, error) {
	answer := model.NewAssembler(emit)
	r := &reader{origin: origin, answer: answer, calls: newCallReader(answer)}
	r.msg = sessionio.Message{
		Role: sessionio.RoleAssistant, API: API, Provider: origin.Provider, Model: origin.Model, Timestamp: time.Now().UnixMilli(),
	}
	for !r.done && events.Next() {
		data := bytes.TrimSpace(events.Event().Data)
		if bytes.Equal(data, []byte("[DONE]")) {
			r.done = true
			break
		}
		if err := r.chunk(data); err != nil {
			return r.partial(), err
		}
	}
	switch {
	case ctx.Err() != nil && !r.done:
		return r.partial(), ctx.Err()
	case !r.done && r.finish == "":
		return r.partial(), r.origin.Cut(events.Err())
	}
	return r.whole()
}

// chunk takes in one event.
func (r *reader) chunk(data []byte) error {
	var failure struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(data, &failure) == nil && len(failure.Error) > 0 && string(failure.Error) != "null" {
		return r.origin.Event(data)
	}
	var c sdk.ChatCompletionChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return r.origin.Garbled("the stream holds what is not JSON", data)
	}
	if c.ID != "" {
		r.msg.ResponseID = c.ID
	}
	if c.Model != "" && c.Model != r.msg.Model {
		r.msg.ResponseModel = c.Model
	}
	if c.JSON.Usage.Valid() {
		r.msg.Usage = usage(c.Usage)
	}
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		d := choice.Delta
		r.answer.Continue(sessionio.BlockThinking, reasoning(d.JSON.ExtraFields))
		r.answer.Continue(sessionio.BlockText, d.Content)
		r.answer.Continue(sessionio.BlockText, d.Refusal)
		for _, call := range d.ToolCalls {
			r.calls.add(call)
		}
		if choice.FinishReason != "" {
			r.finish = choice.FinishReason
		}
	}
	return nil
}

// reasoning finds thinking in the fields that servers have added to the format.
func reasoning(extra map[string]respjson.Field) string {
	for _, name := range []string{"reasoning_content", "reasoning"} {
		var s string
		if f, ok := extra[name]; ok && json.Unmarshal([]byte(f.Raw()), &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

func usage(u sdk.CompletionUsage) *sessionio.Usage {
	read, written := int(u.PromptTokensDetails.CachedTokens), int(u.PromptTokensDetails.CacheWriteTokens)
	out := &sessionio.Usage{
		Input:  max(0, int(u.PromptTokens)-read-written), // the prompt's count has the cached ones in it
		Output: int(u.CompletionTokens), CacheRead: read, CacheWrite: written,
	}
	out.TotalTokens = out.Input + out.Output + read + written
	if out.TotalTokens == 0 {
		return nil // a server that sends the field and does not count
	}
	return out
}

// partial is what had come when the stream failed; nil for nothing.
func (r *reader) partial() *sessionio.Message {
	r.calls.finish()
	if r.answer.Len() == 0 {
		return nil
	}
	r.msg.Content, r.msg.StopReason = model.WholeCalls(r.answer.Blocks()), sessionio.StopError
	return &r.msg
}

// whole is the answer of a stream that came to its end.
func (r *reader) whole() (*sessionio.Message, error) {
	r.calls.finish()
	blocks := r.answer.Blocks()
	r.msg.Content, r.msg.StopReason, r.msg.StopReasonRaw = blocks, sessionio.StopEnd, r.finish
	switch r.finish {
	case "length":
		r.msg.Content, r.msg.StopReason = model.WholeCalls(blocks), sessionio.StopLength
		return &r.msg, nil
	case "content_filter":
		return r.partial(), r.origin.Refused("the provider's content filter stopped the answer")
	case "error":
		return r.partial(), r.origin.Garbled("the server broke the answer off with an error", nil)
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
