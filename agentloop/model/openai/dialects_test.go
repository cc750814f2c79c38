package openai

import (
	"dugout/agentloop/model"
	"dugout/agentloop/model/modeltest"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// answer streams chunks to a provider as they stand; a line "cut" ends the stream there.
func answer(t *testing.T, chunks string) (*sessionio.Message, []sessionio.Block, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, c := range strings.Split(strings.TrimSpace(chunks), "\n") {
			if c = strings.TrimSpace(c); c == "cut" {
				return
			}
			_, _ = fmt.Fprintf(w, "data: %s\n\n", c)
		}
		_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	p := New(Options{BaseURL: server.URL, HTTPClient: server.Client()})
	var got modeltest.Collect
	m, err := p.Stream(t.Context(), modeltest.Ask("q"), got.Emit)
	return m, got.Blocks, err
}

// draw writes blocks down in short, ids that were made here as "made".
func draw(blocks []sessionio.Block) string {
	made := regexp.MustCompile(`call_[0-9a-f]{32}`)
	var out []string
	for _, b := range blocks {
		switch b.Type {
		case sessionio.BlockToolCall:
			args := string(b.Arguments)
			if args == "" {
				args = "{}" // the deltas of a call without arguments
			}
			out = append(out, made.ReplaceAllString(b.ID, "made")+" "+b.Name+" "+args)
		case sessionio.BlockThinking:
			out = append(out, "("+b.Thinking+")")
		default:
			out = append(out, b.Text)
		}
	}
	return strings.Join(out, " | ")
}

func TestDialects(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, chunks, want string }{
		{
			"arguments whole, no index, no id",
			`{"choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"function":{"name":"ls","arguments":"{\"path\":\".\"}"}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"name":"read","arguments":"{\"path\":\"a\"}"}}]},"finish_reason":"tool_calls"}]}`,
			`made ls {"path":"."} | made read {"path":"a"}`,
		},
		{
			"every index is 0, ids differ",
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls","arguments":"{}"}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"ls","arguments":"{}"}}]}}]}
			{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			"a ls {} | b ls {}",
		},
		{
			"two calls in one chunk, then their arguments mixed",
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"ls"}},{"index":1,"id":"b","function":{"name":"read"}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"x\""}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}},{"index":1,"function":{"arguments":":1}"}}]}}]}
			{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
			`a ls {} | b read {"x":1}`,
		},
		{
			"id and name in each chunk",
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"pa"}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"th\":1}"}}]}}]}
			{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`,
			`a read {"path":1}`,
		},
		{
			"a name in pieces",
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"re"}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"name":"ad"}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`,
			"a read {}",
		},
		{
			"arguments as an object, and none at all",
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":{"path":"x"}}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"ls","arguments":null}}]},"finish_reason":"tool_calls"}]}`,
			`a read {"path":"x"} | b ls {}`,
		},
		{
			"no index, the id once, arguments in pieces",
			`{"choices":[{"index":0,"delta":{"tool_calls":[{"id":"a","function":{"name":"read","arguments":""}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"arguments":"{\"p\""}}]}}]}
			{"choices":[{"index":0,"delta":{"tool_calls":[{"function":{"arguments":":2}"}}]},"finish_reason":"tool_calls"}]}`,
			`a read {"p":2}`,
		},
		{
			"thinking by another name, nulls, an error that is none, a second choice",
			`{"error":null,"choices":[{"index":0,"delta":{"reasoning":"hm ","content":null,"tool_calls":null}}],"usage":null}
			{"choices":[{"index":0,"delta":{"reasoning":"so","reasoning_content":null,"content":""}}]}
			{"choices":[{"index":1,"delta":{"content":"other"}},{"index":0,"delta":{"content":"yes"},"finish_reason":null}]}
			{"choices":null}
			{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}
			cut`,
			"(hm so) | yes",
		},
		{"done without a finish reason", `{"choices":[{"index":0,"delta":{"content":"yes"}}]}`, "yes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m, deltas, err := answer(t, tt.chunks)
			if err != nil {
				t.Fatal(err)
			}
			if got := draw(m.Content); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			if got := draw(deltas); got != tt.want {
				t.Errorf("deltas: got %s, want %s", got, tt.want)
			}
			if (m.StopReason == sessionio.StopToolUse) != model.HasCalls(m.Content) {
				t.Errorf("stop reason %s", m.StopReason)
			}
			if m.Usage != nil {
				t.Errorf("usage %+v out of nothing", m.Usage)
			}
		})
	}
}

func TestFinishReasonsThatFail(t *testing.T) {
	t.Parallel()
	for reason, kind := range map[string]model.ErrorKind{"content_filter": model.Invalid, "error": model.ServerError} {
		m, _, err := answer(t, `{"choices":[{"index":0,"delta":{"content":"half"},"finish_reason":"`+reason+`"}]}`)
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != kind || m == nil || m.StopReason != sessionio.StopError {
			t.Errorf("%s: %+v, %v", reason, m, err)
		}
	}
}

func TestUsageDoesNotCountTheCacheTwice(t *testing.T) {
	t.Parallel()
	m, _, err := answer(t, `{"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}
		{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":60,"cache_write_tokens":30}}}`)
	want := sessionio.Usage{Input: 10, Output: 5, CacheRead: 60, CacheWrite: 30, TotalTokens: 105}
	if err != nil || m.Usage == nil || *m.Usage != want {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestEffort(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		id, level string
		tools     bool
		want      string
	}{
		{"gpt-6.1-sol", "high", true, "none"},
		{"gpt-5.4-mini", "", true, "none"},
		{"gpt-6-luna", "max", false, "max"},
		{"gpt-5.6-terra", "minimal", false, "low"},
		{"gpt-5.6-terra", "off", false, "none"},
		{"gpt-5", "minimal", true, "minimal"},
		{"gpt-5-mini", "off", true, "minimal"},
		{"gpt-5", "xhigh", true, "high"},
		{"gpt-5.2", "max", true, "xhigh"},
		{"openai/gpt-5.2", "xhigh", true, "xhigh"},
		{"o3", "off", true, "low"},
		{"o3", "medium", true, "medium"},
		{"o4-mini", "", true, ""},
		{"local-thinker", "max", true, "high"},
	} {
		if got := effort(tt.id, tt.level, tt.tools); got != tt.want {
			t.Errorf("%s %s tools=%v: got %q, want %q", tt.id, tt.level, tt.tools, got, tt.want)
		}
	}
}

func TestRequestBody(t *testing.T) {
	t.Parallel()
	server := modeltest.NewServer(t)
	p := New(Options{
		BaseURL: server.URL, HTTPClient: server.Client(), Name: "local",
		Models: []model.Info{{Provider: "local", ID: "fake-model", Thinking: true}},
	})
	req := modeltest.Ask("q")
	req.MaxTokens, req.ThinkingLevel = 77, "medium"
	req.Messages[0].Content = append(req.Messages[0].Content, sessionio.Block{Type: sessionio.BlockImage, Data: "AA==", MimeType: "image/png"})
	if _, err := p.Stream(t.Context(), req, func(model.Delta) {}); err != nil {
		t.Fatal(err)
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(server.Last().Raw, &body); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"model": `"fake-model"`, "stream": "true", "max_tokens": "77", "reasoning_effort": `"medium"`,
		"stream_options": `{"include_usage":true}`,
		"messages":       `[{"content":"Be brief.","role":"system"},{"content":"q\n` + imageLeftOut + `","role":"user"}]`,
	} {
		if string(body[field]) != want {
			t.Errorf("%s is %s, want %s", field, body[field], want)
		}
	}
	if h := server.Last().Header; h.Get("Authorization") != "" {
		t.Errorf("a key was sent that nobody gave: %v", h)
	}
	want := `{"function":{"name":"read","description":"Reads.","parameters":{"properties":{"path":{"type":"string"}},"required":["path"],"type":"object"}},"type":"function"}`
	var tools []json.RawMessage
	if err := json.Unmarshal(body["tools"], &tools); err != nil || len(tools) != 2 {
		t.Fatalf("tools %s", body["tools"])
	}
	if diff := cmp.Diff(want, string(tools[0])); diff != "" {
		t.Error(diff)
	}
}

func TestOfficialTakesTheNewNameForTheLimit(t *testing.T) {
	t.Parallel()
	req := modeltest.Ask("q")
	req.MaxTokens = 5
	body, err := New(Options{}).params(req)
	if err != nil || body.MaxCompletionTokens.Value != 5 || body.MaxTokens.Valid() {
		t.Errorf("%+v, %v", body, err)
	}
	req.Tools[0].Schema = json.RawMessage("7")
	if _, err := New(Options{}).params(req); err == nil || !strings.Contains(err.Error(), "read") {
		t.Errorf("a schema that is none: %v", err)
	}
}

// The environment is set for the whole process: no t.Parallel here.
func TestEnvironmentIsNotRead(t *testing.T) {
	for _, name := range []string{"OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "OPENAI_API_KEY", "OPENAI_ADMIN_KEY"} {
		t.Setenv(name, "surprise")
	}
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/surprise")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-Odd: surprise")
	server := modeltest.NewServer(t)
	p := New(Options{BaseURL: server.URL, HTTPClient: server.Client()})
	if _, err := p.Stream(t.Context(), modeltest.Ask("q"), func(model.Delta) {}); err != nil {
		t.Fatal(err)
	}
	if h := fmt.Sprint(server.Last().Header); strings.Contains(h, "surprise") {
		t.Errorf("headers %s", h)
	}
}
