package modeltest

import (
	"fmt"
	"slices"
)

// refuse says why a real server would refuse the messages of a body; "" when it would not.
func refuse(w Wire, body map[string]any) string {
	messages := maps(body["messages"])
	if len(messages) == 0 {
		return "no messages"
	}
	if w == Anthropic {
		return refuseAnthropic(body, messages)
	}
	return refuseOpenAI(messages)
}

func refuseOpenAI(messages []map[string]any) string {
	var open []string
	for i, m := range messages {
		if m["role"] == "tool" {
			id, _ := m["tool_call_id"].(string)
			at := slices.Index(open, id)
			if at < 0 {
				return fmt.Sprintf("message %d: result %q without a call", i, id)
			}
			open = slices.Delete(open, at, at+1)
			continue
		}
		if len(open) > 0 {
			return fmt.Sprintf("message %d: calls %q have no result", i, open)
		}
		for _, c := range maps(m["tool_calls"]) {
			id, _ := c["id"].(string)
			open = append(open, id)
		}
		if s, ok := m["content"].(string); (m["content"] == nil || ok && s == "") && len(open) == 0 {
			return fmt.Sprintf("message %d is empty", i)
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("calls %q have no result", open)
	}
	return ""
}

func refuseAnthropic(body map[string]any, messages []map[string]any) string {
	if n, _ := body["max_tokens"].(float64); n < 1 {
		return "max_tokens is missing"
	}
	var open []string
	for i, m := range messages {
		if want := map[bool]string{true: "user", false: "assistant"}[i%2 == 0]; m["role"] != want {
			return fmt.Sprintf("message %d is of %v: roles must alternate, user first", i, m["role"])
		}
		blocks := maps(m["content"])
		if len(blocks) == 0 {
			return fmt.Sprintf("message %d is empty", i)
		}
		var calls, results []string
		for _, b := range blocks {
			switch b["type"] {
			case "tool_use":
				calls = append(calls, fmt.Sprint(b["id"]))
				if _, ok := b["input"].(map[string]any); !ok {
					return fmt.Sprintf("message %d: input of %v is not an object", i, b["id"])
				}
			case "tool_result":
				results = append(results, fmt.Sprint(b["tool_use_id"]))
			case "text":
				if b["text"] == "" {
					return fmt.Sprintf("message %d: text content blocks must be non-empty", i)
				}
			}
		}
		if !slices.Equal(results, open) {
			return fmt.Sprintf("message %d: results %q for calls %q", i, results, open)
		}
		open = calls
	}
	if len(open) > 0 {
		return fmt.Sprintf("calls %q have no result", open)
	}
	if messages[len(messages)-1]["role"] != "user" {
		return "the last message must be the user's"
	}
	return ""
}

func maps(v any) []map[string]any {
	list, _ := v.([]any)
	var out []map[string]any
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}
