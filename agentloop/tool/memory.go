package tool

import (
	"context"
	"dugout/sessionio"
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed memory.md
var memoryText string

// MemoryFunc looks for words in the sessions of a folder's project, and leaves out what the known
// messages say. It returns a text for the model. Whoever puts the tools together supplies it.
type MemoryFunc func(ctx context.Context, cwd, query string, known []sessionio.Message) (string, error)

// NewMemory is the tool that searches earlier sessions. It is not in the default set: one more tool
// changes what a small model does, even where it is not used.
func NewMemory(f MemoryFunc) Tool { return memoryTool{search: f} }

type memoryTool struct{ search MemoryFunc }

type memoryArgs struct {
	Query string `json:"query"`
}

func (memoryTool) Name() string        { return "search_memory" }
func (memoryTool) Description() string { return strings.TrimSpace(memoryText) }

func (memoryTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"query":{"type":"string","description":"words to look for"}},"required":["query"]}`)
}

func (t memoryTool) args(call Call) (string, error) {
	args, err := decode[memoryArgs](t.Name(), call)
	if err == nil && strings.TrimSpace(args.Query) == "" {
		err = missing(t.Name(), "query")
	}
	return args.Query, err
}

func (t memoryTool) Effect(call Call) (Effect, error) {
	query, err := t.args(call)
	if err != nil {
		return Effect{}, err
	}
	return Effect{Kind: Reads, Title: "search memory: " + oneLine(query, 100)}, nil
}

func (t memoryTool) Run(ctx context.Context, call Call) (Result, error) {
	query, err := t.args(call)
	if err != nil {
		return Result{}, err
	}
	var known []sessionio.Message
	if call.Context != nil {
		if known, err = call.Context(); err != nil {
			return Result{}, err
		}
	}
	text, err := t.search(ctx, call.CWD, query, known)
	if err != nil {
		return Result{}, err
	}
	text, cut := head(valid(text))
	if cut {
		text += "[the rest is left out: it was longer than " + size(MaxBytes) + "]"
	}
	return Text(text), nil
}
