package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
)

//go:embed spawn.md
var spawnText string

// SpawnFunc starts a child session with a prompt, waits until it settles, and returns its last
// answer. The host supplies it.
type SpawnFunc func(ctx context.Context, prompt string) (answer string, err error)

// NewSpawn is the tool that starts a child session.
func NewSpawn(f SpawnFunc) Tool { return spawnTool{spawn: f} }

type spawnTool struct{ spawn SpawnFunc }

type spawnArgs struct {
	Prompt string `json:"prompt"`
}

func (spawnTool) Name() string        { return "spawn" }
func (spawnTool) Description() string { return strings.TrimSpace(spawnText) }

func (spawnTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"prompt":{"type":"string","description":"the task, complete in itself"}},"required":["prompt"]}`)
}

func (t spawnTool) args(call Call) (string, error) {
	args, err := decode[spawnArgs](t.Name(), call)
	if err == nil && strings.TrimSpace(args.Prompt) == "" {
		err = missing(t.Name(), "prompt")
	}
	return args.Prompt, err
}

func (t spawnTool) Effect(call Call) (Effect, error) {
	prompt, err := t.args(call)
	if err != nil {
		return Effect{}, err
	}
	return Effect{Kind: Spawn, Title: "spawn " + oneLine(prompt, 120), Preview: preview(prompt)}, nil
}

func (t spawnTool) Run(ctx context.Context, call Call) (Result, error) {
	prompt, err := t.args(call)
	if err != nil {
		return Result{}, err
	}
	answer, err := t.spawn(ctx, prompt)
	if err != nil {
		return Result{}, err
	}
	answer, cut := head(valid(answer))
	if cut {
		answer += "[the rest of the answer is left out: it was longer than " + size(MaxBytes) + "]"
	}
	if answer == "" {
		answer = "[the child session gave no answer]"
	}
	return Text(answer), nil
}
