package anthropic

import (
	"dugout/agentloop/model"
	"dugout/agentloop/model/modeltest"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answer streams events to a provider as they stand, without the lines that name them.
func answer(t *testing.T, events string) (*sessionio.Message, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range strings.Split(strings.TrimSpace(events), "\n") {
			_, _ = fmt.Fprintf(w, "data: %s\n\n", strings.TrimSpace(e))
		}
	}))
	t.Cleanup(server.Close)
	p := New(Options{BaseURL: server.URL, HTTPClient: server.Client()})
	return p.Stream(t.Context(), modeltest.Ask("q"), func(model.Delta) {})
}

func TestStreamBlocks(t *testing.T) {
	t.Parallel()
	m, err := answer(t, `{"type":"message_start","message":{"id":"m1","model":"real-model","usage":{"input_tokens":3,"cache_creation_input_tokens":4,"output_tokens":1}}}
		{"type":"ping"}
		{"type":"content_block_start","index":0,"content_block":{"type":"redacted_thinking","data":"secret=="}}
		{"type":"content_block_stop","index":0}
		{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s","name":"web"}}
		{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{}"}}
		{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"c1","name":"read","input":{"path":"a"}}}
		{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}
		{"type":"content_block_stop","index":2}
		{"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"c2","name":"ls","input":{}}}
		{"type":"some_future_event"}
		{"type":"content_block_stop","index":3}
		{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"input_tokens":3,"output_tokens":9}}
		{"type":"message_stop"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []sessionio.Block{
		{Type: sessionio.BlockThinking, ThinkingSignature: "secret==", Redacted: true},
		{Type: sessionio.BlockToolCall, ID: "c1", Name: "read", Arguments: json.RawMessage(`{"path":"a"}`)},
		{Type: sessionio.BlockToolCall, ID: "c2", Name: "ls", Arguments: json.RawMessage(`{}`)},
	}
	if diff := cmp.Diff(want, m.Content); diff != "" {
		t.Error(diff)
	}
	usage := sessionio.Usage{Input: 3, Output: 9, CacheWrite: 4, TotalTokens: 16}
	if *m.Usage != usage || m.ResponseModel != "real-model" || m.ResponseID != "m1" || m.StopReason != sessionio.StopToolUse {
		t.Errorf("%+v, usage %+v", m, m.Usage)
	}
}

func TestStopReasons(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]sessionio.StopReason{
		"end_turn": sessionio.StopEnd, "stop_sequence": sessionio.StopEnd, "max_tokens": sessionio.StopLength,
		"model_context_window_exceeded": sessionio.StopLength, "something_new": sessionio.StopEnd,
	} {
		m, err := answer(t, `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}}
			{"type":"message_delta","delta":{"stop_reason":"`+reason+`"}}`)
		if err != nil || m.StopReason != want || m.StopReasonRaw != reason || m.Content[0].Text != "hi" || m.Usage != nil {
			t.Errorf("%s: %+v, %v", reason, m, err)
		}
	}
	_, err := answer(t, `{"type":"message_delta","delta":{"stop_reason":"refusal"}}`)
	var e *model.Error
	if !errors.As(err, &e) || e.Kind != model.Invalid {
		t.Errorf("a refusal gives %v", err)
	}
}
