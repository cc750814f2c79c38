package anthropic

import (
	"dugout/agentloop/model"
	"dugout/agentloop/model/modeltest"
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// body makes a call and returns what was sent, field by field.
func body(t *testing.T, req model.Request) (map[string]json.RawMessage, modeltest.Request) {
	t.Helper()
	server := modeltest.NewServer(t)
	p := New(Options{BaseURL: server.URL + "/v1/", APIKey: "k", HTTPClient: server.Client()})
	if _, err := p.Stream(t.Context(), req, func(model.Delta) {}); err != nil {
		t.Fatal(err)
	}
	var out map[string]json.RawMessage
	if err := json.Unmarshal(server.Last().Raw, &out); err != nil {
		t.Fatal(err)
	}
	return out, server.Last()
}

func assistant(blocks ...sessionio.Block) sessionio.Message {
	return sessionio.Message{
		Role: sessionio.RoleAssistant, API: API, Provider: Name, Model: "fake-model", StopReason: sessionio.StopToolUse, Content: blocks,
	}
}

func TestRequestBody(t *testing.T) {
	t.Parallel()
	req := modeltest.Ask("look")
	call := sessionio.Block{Type: sessionio.BlockToolCall, ID: "c1", Name: "read", Arguments: json.RawMessage(`{"path":"a<b"}`)}
	result := modeltest.User("content")
	result.Role, result.ToolCallID, result.IsError = sessionio.RoleToolResult, "c1", true
	req.Messages = append(req.Messages,
		assistant(
			sessionio.Block{Type: sessionio.BlockThinking, Thinking: "hm", ThinkingSignature: "sig/+="},
			sessionio.Block{Type: sessionio.BlockThinking, ThinkingSignature: "payload==", Redacted: true},
			sessionio.Block{Type: sessionio.BlockThinking, Thinking: "unsigned"}, call,
		), result, modeltest.User("and now"))
	got, _ := body(t, req)
	for field, want := range map[string]string{
		"model": `"fake-model"`, "stream": "true", "max_tokens": "8192",
		"system": `[{"text":"Be brief.","cache_control":{"type":"ephemeral"},"type":"text"}]`,
	} {
		if string(got[field]) != want {
			t.Errorf("%s is %s, want %s", field, got[field], want)
		}
	}
	if _, ok := got["thinking"]; ok {
		t.Errorf("a model that is not known to think was asked to: %s", got["thinking"])
	}
	var messages, want any
	_ = json.Unmarshal(got["messages"], &messages)
	_ = json.Unmarshal([]byte(`[
		{"role":"user","content":[{"type":"text","text":"look"}]},
		{"role":"assistant","content":[
			{"type":"thinking","thinking":"hm","signature":"sig/+="},
			{"type":"redacted_thinking","data":"payload=="},
			{"type":"tool_use","id":"c1","name":"read","input":{"path":"a<b"}}]},
		{"role":"user","content":[
			{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"content"}]},
			{"type":"text","text":"and now","cache_control":{"type":"ephemeral"}}]}]`), &want)
	if diff := cmp.Diff(want, messages); diff != "" {
		t.Error(diff)
	}
	var tools []json.RawMessage
	_ = json.Unmarshal(got["tools"], &tools)
	if len(tools) != 2 || !strings.Contains(string(tools[0]), `"input_schema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`) {
		t.Errorf("tools %s", got["tools"])
	}
}

func TestThinkingOfAnotherModelStaysAtHome(t *testing.T) {
	t.Parallel()
	for _, change := range []func(*sessionio.Message){
		func(m *sessionio.Message) { m.Model = "another" },
		func(m *sessionio.Message) { m.Provider = "another" },
		func(m *sessionio.Message) { m.API = "openai-completions" },
	} {
		m := assistant(sessionio.Block{Type: sessionio.BlockThinking, Thinking: "hm", ThinkingSignature: "sig"}, sessionio.Block{Type: sessionio.BlockText, Text: "said"})
		change(&m)
		req := modeltest.Ask("q")
		req.Messages = append(req.Messages, m, modeltest.User("go on"))
		if got, _ := body(t, req); strings.Contains(string(got["messages"]), "sig") || !strings.Contains(string(got["messages"]), "said") {
			t.Errorf("%s", got["messages"])
		}
	}
}

func TestThinkingLevels(t *testing.T) {
	t.Parallel()
	const drop = `"block_binding":{"prefix_mismatch_behavior":"drop_block"}`
	for _, tt := range []struct {
		id, level        string
		thinking, effort string
		beta             bool
	}{
		{"claude-opus-5-5", "high", `{"display":"summarized","type":"adaptive",` + drop + `}`, `{"effort":"high"}`, true},
		{"claude-opus-5-5", "off", `{"display":"summarized","type":"adaptive",` + drop + `}`, "", true},
		{"claude-sonnet-5-5", "off", `{"type":"disabled"}`, "", false},
		{"claude-sonnet-5-5", "", "", "", false},
		{"claude-sonnet-5-5", "max", `{"display":"summarized","type":"adaptive",` + drop + `}`, `{"effort":"max"}`, true},
		{"claude-opus-5-20260901", "minimal", `{"display":"summarized","type":"adaptive"}`, `{"effort":"low"}`, false},
		{"claude-opus-4-6", "xhigh", `{"display":"summarized","type":"adaptive"}`, `{"effort":"high"}`, false},
		{"anthropic/claude-opus-4.7", "xhigh", `{"display":"summarized","type":"adaptive"}`, `{"effort":"xhigh"}`, false},
		{"claude-mythos-5-1", "low", `{"display":"summarized","type":"adaptive"}`, `{"effort":"low"}`, false},
		{"claude-haiku-4-5-20251001", "medium", `{"budget_tokens":10240,"type":"enabled"}`, "", false},
		{"claude-haiku-4-5", "max", `{"budget_tokens":32000,"type":"enabled"}`, "", false},
		{"claude-haiku-4-5", "off", "", "", false},
		{"glm-5", "high", "", "", false},
	} {
		req := modeltest.Ask("q")
		req.Model, req.ThinkingLevel = tt.id, tt.level
		got, sent := body(t, req)
		if string(got["thinking"]) != tt.thinking || string(got["output_config"]) != tt.effort {
			t.Errorf("%s %s: thinking %s, output_config %s", tt.id, tt.level, got["thinking"], got["output_config"])
		}
		if has := sent.Header.Get("Anthropic-Beta") == bindingBeta; has != tt.beta {
			t.Errorf("%s %s: beta header %q", tt.id, tt.level, sent.Header.Get("Anthropic-Beta"))
		}
	}
}

func TestNoBudgetWhereCallsCameWithoutThinking(t *testing.T) {
	t.Parallel()
	call := sessionio.Block{Type: sessionio.BlockToolCall, ID: "c1", Name: "read", Arguments: json.RawMessage(`{}`)}
	thought := sessionio.Block{Type: sessionio.BlockThinking, Thinking: "hm", ThinkingSignature: "s"}
	for _, tt := range []struct {
		blocks []sessionio.Block
		want   bool
	}{{[]sessionio.Block{call}, false}, {[]sessionio.Block{thought, call}, true}} {
		req := modeltest.Ask("q")
		req.Model, req.ThinkingLevel = "claude-haiku-4-5", "high"
		m := assistant(tt.blocks...)
		m.Model = req.Model
		result := modeltest.User("r")
		result.Role, result.ToolCallID = sessionio.RoleToolResult, "c1"
		req.Messages = append(req.Messages, m, result)
		if got, _ := body(t, req); (got["thinking"] != nil) != tt.want {
			t.Errorf("thinking %s after %d blocks", got["thinking"], len(tt.blocks))
		}
	}
}

func TestGeneration(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]int{
		"claude-opus-4-6": 406, "claude-opus-5": 500, "claude-opus-5-20260901": 500, "claude-haiku-4-5-20251001": 405,
		"us.anthropic.claude-sonnet-4.6": 406, "claude-3-5-haiku-latest": 0, "kimi-k2": 0, "claude-fable-5-2[1m]": 502,
	} {
		if got := generation(id); got != want {
			t.Errorf("%s: got %d, want %d", id, got, want)
		}
	}
}

func TestWireID(t *testing.T) {
	t.Parallel()
	if got := wireID("toolu_01Ab-9"); got != "toolu_01Ab-9" {
		t.Errorf("a good id became %q", got)
	}
	for _, id := range []string{"fc|1", strings.Repeat("x", 65), "ä"} {
		if got := wireID(id); got == id || got != wireID(id) || wireID(got) != got {
			t.Errorf("%q became %q", id, got)
		}
	}
}

// The environment is set for the whole process: no t.Parallel here.
func TestEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "surprise")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "surprise")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("ANTHROPIC_PROFILE", "surprise")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Odd: surprise")
	server := modeltest.NewServer(t)
	p := New(Options{BaseURL: server.URL, HTTPClient: server.Client()})
	if _, err := p.Stream(t.Context(), modeltest.Ask("q"), func(model.Delta) {}); err != nil {
		t.Fatal(err)
	}
	if h := fmt.Sprint(server.Last().Header); strings.Contains(h, "surprise") {
		t.Errorf("headers %s", h)
	}
}
