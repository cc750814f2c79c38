package modeltest

import (
	"encoding/json"
	"testing"
)

func TestRefuse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		wire   Wire
		body   string
		refuse bool
	}{
		{"chat", OpenAI, `{"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"1"},{"id":"2"}]},{"role":"tool","tool_call_id":"2","content":""},{"role":"tool","tool_call_id":"1","content":"x"}]}`, false},
		{"chat, results in another order", OpenAI, `{"messages":[{"role":"assistant","tool_calls":[{"id":"1"},{"id":"2"}]},{"role":"tool","tool_call_id":"2","content":"y"},{"role":"tool","tool_call_id":"1","content":"x"}]}`, false},
		{"chat, a result is missing", OpenAI, `{"messages":[{"role":"assistant","tool_calls":[{"id":"1"}]},{"role":"user","content":"x"}]}`, true},
		{"chat, a result is missing at the end", OpenAI, `{"messages":[{"role":"assistant","tool_calls":[{"id":"1"}]}]}`, true},
		{"chat, a result without a call", OpenAI, `{"messages":[{"role":"tool","tool_call_id":"1","content":"x"}]}`, true},
		{"chat, empty", OpenAI, `{"messages":[{"role":"user","content":""}]}`, true},
		{"nothing", OpenAI, `{}`, true},
		{"messages", Anthropic, `{"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"tool_use","id":"1","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1"}]}]}`, false},
		{"messages, no limit", Anthropic, `{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]}]}`, true},
		{"messages, assistant first", Anthropic, `{"max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"text","text":"a"}]}]}`, true},
		{"messages, assistant last", Anthropic, `{"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"text","text":"a"}]}]}`, true},
		{"messages, two users", Anthropic, `{"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"user","content":[{"type":"text","text":"a"}]}]}`, true},
		{"messages, input as text", Anthropic, `{"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"tool_use","id":"1","input":"{}"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"1"}]}]}`, true},
		{"messages, a result is missing", Anthropic, `{"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"tool_use","id":"1","input":{}}]},{"role":"user","content":[{"type":"text","text":"a"}]}]}`, true},
		{"messages, empty text", Anthropic, `{"max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":""}]}]}`, true},
	} {
		var body map[string]any
		if err := json.Unmarshal([]byte(tt.body), &body); err != nil {
			t.Fatal(err)
		}
		if got := refuse(tt.wire, body); (got != "") != tt.refuse {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
