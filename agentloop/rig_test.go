package agentloop

import (
	"context"
	"dugout/agentloop/model"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// step is one model call of the fake provider.
type step func(ctx context.Context, req model.Request, emit func(model.Delta)) (*sessionio.Message, error)

// fakeProvider plays its steps in order; when they run out it says "done.".
type fakeProvider struct {
	mu    sync.Mutex
	steps []step
	reqs  []model.Request
}

func (p *fakeProvider) Name() string { return "fake" }

func (p *fakeProvider) Stream(ctx context.Context, req model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
	p.mu.Lock()
	p.reqs = append(p.reqs, req)
	next := says("done.")
	if len(p.steps) > 0 {
		next = p.steps[0]
		p.steps = p.steps[1:]
	}
	p.mu.Unlock()
	if err := pairing(req.Messages); err != nil {
		return nil, &model.Error{Kind: model.Invalid, Provider: "fake", Message: err.Error(), Status: 400}
	}
	return next(ctx, req, emit)
}

func (p *fakeProvider) requests() []model.Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.reqs)
}

// pairing refuses what real providers refuse: a call without its result right after it, and the other way round.
func pairing(messages []sessionio.Message) error {
	open := map[string]bool{}
	for i, m := range messages {
		if m.Role == sessionio.RoleToolResult {
			if !open[m.ToolCallID] {
				return fmt.Errorf("message %d: a result without a call", i)
			}
			delete(open, m.ToolCallID)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d: %d calls without a result", i, len(open))
		}
		if len(m.Content) == 0 {
			return fmt.Errorf("message %d is empty", i)
		}
		for _, b := range m.Content {
			if b.Type == sessionio.BlockToolCall {
				open[b.ID] = true
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%d calls without a result at the end", len(open))
	}
	return nil
}

func answer(stop sessionio.StopReason, blocks ...sessionio.Block) *sessionio.Message {
	return &sessionio.Message{
		Role: sessionio.RoleAssistant, API: "fake", Content: blocks, StopReason: stop,
		Usage: &sessionio.Usage{Input: 100, Output: 10, TotalTokens: 110},
	}
}

func says(text string) step {
	return func(_ context.Context, _ model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
		emit(model.Delta{Kind: model.DeltaText, Text: text})
		return answer(sessionio.StopEnd, textBlock(text)), nil
	}
}

func calls(blocks ...sessionio.Block) step {
	return func(context.Context, model.Request, func(model.Delta)) (*sessionio.Message, error) {
		return answer(sessionio.StopToolUse, blocks...), nil
	}
}

func call(id, name, args string) sessionio.Block {
	return sessionio.Block{Type: sessionio.BlockToolCall, ID: id, Name: name, Arguments: json.RawMessage(args)}
}

func fails(e model.Error) step {
	return func(context.Context, model.Request, func(model.Delta)) (*sessionio.Message, error) {
		e.Provider = "fake"
		return nil, &e
	}
}

// hangs says some text and then nothing until it is cancelled.
func hangs(text string) step {
	return func(ctx context.Context, _ model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
		var m *sessionio.Message
		if text != "" {
			emit(model.Delta{Kind: model.DeltaText, Text: text})
			m = &sessionio.Message{Role: sessionio.RoleAssistant, Content: []sessionio.Block{textBlock(text)}}
		}
		<-ctx.Done()
		return m, ctx.Err()
	}
}

// fakeTool has its effect and its run from a test.
type fakeTool struct {
	name string
	kind tool.EffectKind
	run  func(ctx context.Context, c tool.Call) (tool.Result, error)
}

func (f fakeTool) Name() string            { return f.name }
func (f fakeTool) Description() string     { return "for tests" }
func (f fakeTool) Schema() json.RawMessage { return json.RawMessage(`{"type":"object"}`) }
func (f fakeTool) Effect(c tool.Call) (tool.Effect, error) {
	var args map[string]any
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return tool.Effect{}, fmt.Errorf("arguments: %w", err)
	}
	e := tool.Effect{Kind: f.kind, Title: f.name}
	if f.kind == tool.Reads {
		e.Paths = []string{filepath.Join(c.CWD, "x")}
	}
	if f.kind == tool.Execs {
		e.Command = "make thing"
	}
	return e, nil
}

func (f fakeTool) Run(ctx context.Context, c tool.Call) (tool.Result, error) {
	if f.run == nil {
		return tool.Text("ok " + c.ID), nil
	}
	return f.run(ctx, c)
}

// rig is an agent on a file of its own, with everything that it told.
type rig struct {
	*Agent
	t    *testing.T
	path string
	prov *fakeProvider

	mu     sync.Mutex
	cond   *sync.Cond
	events []Event
}

const deadline = 10 * time.Second

func testContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	t.Cleanup(cancel)
	return ctx
}

// newRig makes an agent over the fake provider. change may alter its options.
func newRig(t *testing.T, steps []step, tools []tool.Tool, change func(*Options)) *rig {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	return openRig(t, path, steps, tools, change)
}

func openRig(t *testing.T, path string, steps []step, tools []tool.Tool, change func(*Options)) *rig {
	t.Helper()
	var s *sessionio.Session
	var err error
	if _, serr := os.Stat(path); serr == nil {
		s, err = sessionio.Open(path, sessionio.Options{})
	} else {
		s, err = sessionio.Create(path, sessionio.Header{
			Version: sessionio.CurrentVersion, ID: "s", CWD: t.TempDir(), Timestamp: time.Now(),
		}, sessionio.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, path: path, prov: &fakeProvider{steps: steps}}
	r.cond = sync.NewCond(&r.mu)
	o := Options{
		Session: s, Tools: tools, Model: sessionio.ModelRef{Provider: "fake", Model: "m"},
		Models: model.NewRegistry([]model.Provider{r.prov}, []model.Info{
			{Provider: "fake", ID: "m", ContextWindow: 100_000, MaxOutput: 8000},
			{Provider: "fake", ID: "n", ContextWindow: 100_000, MaxOutput: 8000},
			{Provider: "fake", ID: "small", ContextWindow: 4000, MaxOutput: 1000},
		}),
		Permission: permission.All,
		Emit: func(e Event) {
			r.mu.Lock()
			r.events = append(r.events, e)
			r.cond.Broadcast()
			r.mu.Unlock()
		},
	}
	if change != nil {
		change(&o)
	}
	if r.Agent, err = New(o); err != nil {
		t.Fatal(err)
	}
	r.Agent.sleep = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	t.Cleanup(func() {
		if err := r.Close(testContext(t)); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return r
}

// until waits for an event.
func (r *rig) until(what string, ok func(Event) bool) Event {
	r.t.Helper()
	stop := time.AfterFunc(deadline, r.cond.Broadcast)
	defer stop.Stop()
	end := time.Now().Add(deadline)
	r.mu.Lock()
	defer r.mu.Unlock()
	for {
		for _, e := range r.events {
			if ok(e) {
				return e
			}
		}
		if time.Now().After(end) {
			r.t.Fatalf("no event: %s", what)
		}
		r.cond.Wait()
	}
}

func (r *rig) untilDelta() {
	r.t.Helper()
	r.until("a delta", func(e Event) bool { return e.Delta != nil })
}

func (r *rig) untilAsk(callID string) PermissionAsk {
	r.t.Helper()
	e := r.until("a question on "+callID, func(e Event) bool { return e.Permission != nil && e.Permission.CallID == callID })
	return *e.Permission
}

func (r *rig) all() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

func (r *rig) prompt(text string) {
	r.t.Helper()
	if _, err := r.Prompt(testContext(r.t), Input{Text: text}); err != nil {
		r.t.Fatalf("prompt %q: %v", text, err)
	}
}

func (r *rig) wait() {
	r.t.Helper()
	if err := r.Wait(testContext(r.t)); err != nil {
		r.t.Fatalf("wait: %v", err)
	}
	r.out.drain()
}

func (r *rig) ask(text string) {
	r.t.Helper()
	r.prompt(text)
	r.wait()
}

// read reads the file again, as another program would: all entries, and those on the leaf's path.
func (r *rig) read() (all, path []sessionio.Entry) {
	r.t.Helper()
	s, err := sessionio.Open(r.path, sessionio.Options{ReadOnly: true})
	if err != nil {
		r.t.Fatal(err)
	}
	defer s.Close()
	if s.Unreadable() != 0 {
		r.t.Errorf("%d unreadable lines", s.Unreadable())
	}
	get := func(metas []sessionio.Meta) []sessionio.Entry {
		ids := make([]sessionio.EntryID, len(metas))
		for i, m := range metas {
			ids[i] = m.ID
		}
		list, err := s.Entries(ids)
		if err != nil {
			r.t.Fatal(err)
		}
		return list
	}
	return get(s.Tree().All()), get(s.Tree().Path(s.Leaf()))
}

// lines writes the messages of a path as short lines: "user hi", "result c1 ok".
func lines(messages []sessionio.Message) []string {
	var list []string
	for _, m := range messages {
		text := ""
		for _, b := range m.Content {
			text += b.Text
			if b.Type == sessionio.BlockToolCall {
				text += "<" + b.ID + ">"
			}
		}
		switch m.Role {
		case sessionio.RoleToolResult:
			list = append(list, "result "+m.ToolCallID+" "+text)
		case sessionio.RoleCompactionSummary, sessionio.RoleBranchSummary:
			list = append(list, string(m.Role))
		default:
			line := string(m.Role) + " " + text
			if m.StopReason == sessionio.StopAborted || m.StopReason == sessionio.StopError {
				line += " [" + string(m.StopReason) + "]"
			}
			list = append(list, line)
		}
	}
	return list
}

// context is what a reader of the file has at the leaf.
func (r *rig) context() []string {
	r.t.Helper()
	_, path := r.read()
	return lines(sessionio.BuildContext(path).Messages)
}

func (r *rig) wantContext(want ...string) {
	r.t.Helper()
	if got := r.context(); !slices.Equal(got, want) {
		r.t.Errorf("context\n got %q\nwant %q", got, want)
	}
}

func ofType(entries []sessionio.Entry, typ sessionio.EntryType) []sessionio.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e sessionio.Entry) bool { return e.Type != typ })
}
