package modeltest

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Key is the API key that the suite's providers are given; no error may show it.
const Key = "sk-secret-0123456789"

// Factory makes a provider for a base URL.
type Factory func(baseURL string, client *http.Client) model.Provider

// Run checks a provider of a wire against the server: what all providers must do.
func Run(t *testing.T, wire Wire, factory Factory) {
	t.Helper()
	s := suite{wire: wire, factory: factory}
	t.Run("an answer with everything", s.everything)
	t.Run("a turn of two tools", s.turn)
	t.Run("any messages are taken", s.messages)
	t.Run("each failure has its kind", s.failures)
	t.Run("retry after", s.retryAfter)
	t.Run("the answer is cut by its length", s.length)
	t.Run("nothing answers", s.nobody)
	t.Run("a stalled stream ends with its context", s.stalled)
	t.Run("a cancelled context makes no call", s.cancelled)
	t.Run("what is no stream", s.noStream)
	t.Run("a broken stream keeps what came", s.partial)
}

type suite struct {
	wire    Wire
	factory Factory
}

func (s suite) start(t *testing.T, script ...Response) (model.Provider, *Server) {
	t.Helper()
	server := NewServer(t, script...)
	return s.factory(server.Base(s.wire), server.Client()), server
}

// Ask is a request of one user message, with two tools.
func Ask(text string) model.Request {
	schema := json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)
	return model.Request{
		Model: "fake-model", System: "Be brief.", Messages: []sessionio.Message{User(text)},
		Tools: []model.ToolSpec{{Name: "read", Description: "Reads.", Schema: schema}, {Name: "ls", Description: "Lists.", Schema: schema}},
	}
}

// User is a user message.
func User(s string) sessionio.Message {
	return sessionio.Message{Role: sessionio.RoleUser, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: s}}}
}

// Collect is an emit that puts an answer together from its deltas alone.
type Collect struct{ Blocks []sessionio.Block }

// Emit takes in one delta.
func (c *Collect) Emit(d model.Delta) {
	for len(c.Blocks) <= d.Block {
		c.Blocks = append(c.Blocks, sessionio.Block{})
	}
	b := &c.Blocks[d.Block]
	switch d.Kind {
	case model.DeltaText:
		b.Type, b.Text = sessionio.BlockText, b.Text+d.Text
	case model.DeltaThinking:
		b.Type, b.Thinking = sessionio.BlockThinking, b.Thinking+d.Text
	case model.DeltaToolStart:
		b.Type, b.ID, b.Name = sessionio.BlockToolCall, d.ToolID, d.ToolName
	case model.DeltaToolArgs:
		b.Arguments = append(b.Arguments, d.Text...)
	}
}

func (s suite) everything(t *testing.T) {
	t.Parallel()
	p, server := s.start(t, Response{
		Thinking: "let me see", Signature: "sig==", Text: "I look.",
		Calls: []Call{{"c1", "read", `{"path":"a \"b\".txt"}`}, {"c2", "ls", `{}`}},
	})
	var got Collect
	m, err := p.Stream(t.Context(), Ask("look"), got.Emit)
	if err != nil {
		t.Fatal(err)
	}
	want := []sessionio.Block{
		{Type: sessionio.BlockThinking, Thinking: "let me see"},
		{Type: sessionio.BlockText, Text: "I look."},
		{Type: sessionio.BlockToolCall, ID: "c1", Name: "read", Arguments: json.RawMessage(`{"path":"a \"b\".txt"}`)},
		{Type: sessionio.BlockToolCall, ID: "c2", Name: "ls", Arguments: json.RawMessage(`{}`)},
	}
	if diff := cmp.Diff(want, got.Blocks); diff != "" {
		t.Errorf("deltas:\n%s", diff)
	}
	if s.wire == Anthropic {
		want[0].ThinkingSignature = "sig=="
	}
	if diff := cmp.Diff(want, m.Content); diff != "" {
		t.Errorf("message:\n%s", diff)
	}
	usage := sessionio.Usage{Input: 12, Output: 7, CacheRead: 8, TotalTokens: 27}
	if m.Usage == nil || *m.Usage != usage {
		t.Errorf("usage %+v, want %+v", m.Usage, usage)
	}
	if m.Role != sessionio.RoleAssistant || m.StopReason != sessionio.StopToolUse || m.Provider != p.Name() || m.Model != "fake-model" || m.API == "" || m.Timestamp == 0 {
		t.Errorf("%+v", m)
	}
	body := server.Last().Body
	if body["model"] != "fake-model" || body["stream"] != true || len(maps(body["tools"])) != 2 || !strings.Contains(string(server.Last().Raw), "Be brief.") {
		t.Errorf("request %s", server.Last().Raw)
	}
	if !strings.Contains(server.Last().Header.Get("Authorization"), Key) {
		t.Errorf("the key was not sent: %v", server.Last().Header)
	}
}

func (s suite) turn(t *testing.T) {
	t.Parallel()
	p, server := s.start(t,
		Response{Text: "First.", Calls: []Call{{"c1", "read", `{"path":"a"}`}, {"c2", "ls", `{"path":"."}`}}},
		Response{Calls: []Call{{"c3", "read", `{"path":"b"}`}}},
		Response{Text: "All read."})
	req := Ask("read")
	for range 5 {
		m, err := p.Stream(t.Context(), req, func(model.Delta) {})
		if err != nil {
			t.Fatal(err)
		}
		req.Messages = append(req.Messages, *m)
		if m.StopReason == sessionio.StopEnd {
			break
		}
		for _, b := range m.Content {
			if b.Type == sessionio.BlockToolCall {
				r := User("content of " + b.ID)
				r.Role, r.ToolCallID, r.ToolName = sessionio.RoleToolResult, b.ID, b.Name
				req.Messages = append(req.Messages, r)
			}
		}
	}
	if n := len(server.Requests()); n != 3 || len(req.Messages) != 7 {
		t.Errorf("%d requests, %d messages", n, len(req.Messages))
	}
	if raw := string(server.Last().Raw); !strings.Contains(raw, "content of c3") || !strings.Contains(raw, "First.") {
		t.Errorf("the last request is without what was said: %s", raw)
	}
}

func (s suite) messages(t *testing.T) {
	t.Parallel()
	image := sessionio.Block{Type: sessionio.BlockImage, Data: "iVBORw0KGgo=", MimeType: "image/png"}
	call := func(id string) sessionio.Block {
		return sessionio.Block{Type: sessionio.BlockToolCall, ID: id, Name: "read", Arguments: json.RawMessage(`{"path":"a"}`)}
	}
	result := sessionio.Message{Role: sessionio.RoleToolResult, ToolCallID: "c2", ToolName: "read", Content: []sessionio.Block{image}}
	said := User("said").Content[0]
	foreign := sessionio.Block{Type: sessionio.BlockThinking, Thinking: "of another model", ThinkingSignature: "foreign"}
	req := Ask("first")
	req.Messages = model.Prepare([]sessionio.Message{
		{Role: sessionio.RoleAssistant, Content: []sessionio.Block{said}, StopReason: sessionio.StopEnd},
		User("one"), User("two"),
		{Role: sessionio.RoleAssistant, Content: []sessionio.Block{foreign, call("c1"), call("c2"), call("odd id|with/much")}, StopReason: sessionio.StopToolUse},
		result, User("three"),
		{Role: sessionio.RoleAssistant, Content: []sessionio.Block{said}, StopReason: sessionio.StopEnd},
		{Role: sessionio.RoleAssistant, Content: []sessionio.Block{said}, StopReason: sessionio.StopEnd},
		{Role: sessionio.RoleUser, Content: []sessionio.Block{said, image}},
	})
	p, server := s.start(t)
	if _, err := p.Stream(t.Context(), req, func(model.Delta) {}); err != nil {
		t.Fatal(err)
	}
	raw := string(server.Last().Raw)
	for _, want := range []string{"one", "two", "three", "said", "interrupted"} {
		if !strings.Contains(raw, want) {
			t.Errorf("%q is not in the request %s", want, raw)
		}
	}
	if n := strings.Count(raw, "iVBORw0KGgo="); n != 2 {
		t.Errorf("%d images in the request %s", n, raw)
	}
	if strings.Contains(raw, "foreign") {
		t.Errorf("a signature of another model was sent: %s", raw)
	}
}

func (s suite) length(t *testing.T) {
	t.Parallel()
	p, _ := s.start(t, Response{
		Text: "so much", Calls: []Call{{"c", "read", `{"path":"a"}`}}, Fault: BadArguments,
		Stop: map[Wire]string{OpenAI: "length", Anthropic: "max_tokens"}[s.wire],
	})
	m, err := p.Stream(t.Context(), Ask("q"), func(model.Delta) {})
	if err != nil || m.StopReason != sessionio.StopLength || len(m.Content) != 1 || m.Content[0].Text != "so much" {
		t.Errorf("%+v, %v", m, err)
	}
}

func (s suite) cancelled(t *testing.T) {
	t.Parallel()
	p, server := s.start(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Stream(ctx, Ask("q"), func(model.Delta) {}); !errors.Is(err, context.Canceled) || len(server.Requests()) > 0 {
		t.Errorf("%v after %d requests", err, len(server.Requests()))
	}
}

// within fails the test when f hangs.
func within(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("it does not end")
	}
}
