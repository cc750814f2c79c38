package modeltest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

type object = map[string]any

// stream answers with an event stream: every text and every argument one byte a delta, so that no
// provider gets by with pieces of a friendly size.
func stream(w http.ResponseWriter, r *http.Request, wire Wire, a Response) {
	events := openAIEvents(a)
	if wire == Anthropic {
		events = anthropicEvents(a)
	}
	w.Header().Set("Content-Type", "text/event-stream")
	flush := http.NewResponseController(w)
	for i, e := range events {
		if i == len(events)/2 && a.Fault != "" && a.Fault != BadArguments {
			breakOff(w, r, wire, a.Fault)
			return
		}
		_, _ = fmt.Fprint(w, e)
		_ = flush.Flush()
	}
}

func breakOff(w http.ResponseWriter, r *http.Request, wire Wire, f Fault) {
	flush := http.NewResponseController(w)
	switch f {
	case Stall:
		_ = flush.Flush()
		<-r.Context().Done()
	case Cut:
		_ = flush.Flush()
		if c, _, err := flush.Hijack(); err == nil {
			_ = c.Close()
		}
	case BusyInStream:
		e := object{"type": "error", "error": object{"type": "overloaded_error", "message": "Overloaded"}}
		_, _ = fmt.Fprint(w, event(map[Wire]string{Anthropic: "error"}[wire], e))
	case Garbled:
		_, _ = fmt.Fprint(w, "event: content_block_delta\ndata: {\"type\":\n\n")
	default: // Ended
	}
}

// event writes one down; a name for the wire that has them.
func event(name string, data any) string {
	b, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	s := "data: " + string(b) + "\n\n"
	if name != "" {
		s = "event: " + name + "\n" + s
	}
	return s
}

// arguments are those of a call, without their last byte where the fault says so.
func (a Response) arguments(i int) string {
	s := a.Calls[i].Arguments
	if a.Fault == BadArguments && i == len(a.Calls)-1 {
		return strings.TrimSuffix(s, s[len(s)-1:])
	}
	return s
}

func openAIEvents(a Response) []string {
	var out []string
	send := func(choice object) {
		out = append(out, event("", object{"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "fake-model", "choices": []any{choice}}))
	}
	delta := func(d object) { send(object{"index": 0, "delta": d, "finish_reason": nil}) }
	out = append(out, ": a comment\n\n")
	delta(object{"role": "assistant", "content": nil})
	for _, c := range []byte(a.Thinking) {
		delta(object{"reasoning_content": string(rune(c)), "content": nil})
	}
	for _, c := range []byte(a.Text) {
		delta(object{"content": string(rune(c))})
	}
	for i, call := range a.Calls {
		delta(object{"tool_calls": []any{object{"index": i, "id": call.ID, "type": "function", "function": object{"name": call.Name, "arguments": ""}}}})
		for _, c := range []byte(a.arguments(i)) {
			delta(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": string(rune(c))}}}})
		}
	}
	finish := a.Stop
	if finish == "" {
		finish = map[bool]string{true: "tool_calls", false: "stop"}[len(a.Calls) > 0]
	}
	send(object{"index": 0, "delta": object{}, "finish_reason": finish})
	out = append(out, event("", object{
		"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "fake-model", "choices": []any{},
		"usage": object{"prompt_tokens": 20, "completion_tokens": 7, "total_tokens": 27, "prompt_tokens_details": object{"cached_tokens": 8}},
	}))
	return append(out, "data: [DONE]\n\n")
}

func anthropicEvents(a Response) []string {
	var out []string
	send := func(name string, o object) {
		o["type"] = name
		out = append(out, event(name, o))
	}
	send("message_start", object{"message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "fake-model", "content": []any{},
		"usage": object{"input_tokens": 12, "output_tokens": 1, "cache_read_input_tokens": 8, "cache_creation_input_tokens": 0},
	}})
	send("ping", object{})
	index := 0
	block := func(start object, kind, field, text string) {
		send("content_block_start", object{"index": index, "content_block": start})
		for _, c := range []byte(text) {
			send("content_block_delta", object{"index": index, "delta": object{"type": kind, field: string(rune(c))}})
		}
		if start["type"] == "thinking" {
			send("content_block_delta", object{"index": index, "delta": object{"type": "signature_delta", "signature": a.Signature}})
		}
		send("content_block_stop", object{"index": index})
		index++
	}
	if a.Redacted != "" {
		block(object{"type": "redacted_thinking", "data": a.Redacted}, "", "", "")
	}
	if a.Thinking != "" {
		block(object{"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking", a.Thinking)
	}
	if a.Text != "" {
		block(object{"type": "text", "text": ""}, "text_delta", "text", a.Text)
	}
	for i, call := range a.Calls {
		block(object{"type": "tool_use", "id": call.ID, "name": call.Name, "input": object{}}, "input_json_delta", "partial_json", a.arguments(i))
	}
	stop := a.Stop
	if stop == "" {
		stop = map[bool]string{true: "tool_use", false: "end_turn"}[len(a.Calls) > 0]
	}
	send("message_delta", object{"delta": object{"stop_reason": stop, "stop_sequence": nil}, "usage": object{"output_tokens": 7}})
	send("message_stop", object{})
	return out
}
