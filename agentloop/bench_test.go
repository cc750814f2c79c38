package agentloop

import (
	"context"
	"dugout/agentloop/model"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"path/filepath"
	"testing"
	"time"
)

// BenchmarkTurn is the loop's own cost of a turn with one tool call, the fsyncs of the file in it:
// model and tool answer at once.
func BenchmarkTurn(b *testing.B) {
	s, err := sessionio.Create(filepath.Join(b.TempDir(), "s.jsonl"), sessionio.Header{
		Version: sessionio.CurrentVersion, ID: "s", CWD: b.TempDir(), Timestamp: time.Now(),
	}, sessionio.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p := &fakeProvider{}
	a, err := New(Options{
		Session: s, Models: model.NewRegistry([]model.Provider{p}, nil), Model: sessionio.ModelRef{Provider: "fake", Model: "m"},
		Tools: []tool.Tool{fakeTool{name: "look", kind: tool.Reads}}, Permission: permission.All,
	})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close(context.Background())
	for b.Loop() {
		p.steps, p.reqs = []step{calls(call("c", "look", `{}`))}, nil
		if _, err := a.Prompt(context.Background(), Input{Text: "go"}); err != nil {
			b.Fatal(err)
		}
		if err := a.Wait(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}
