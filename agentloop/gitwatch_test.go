package agentloop

import (
	"context"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// The repository is written down when it changed, at a run's start and after commands.
func TestGitState(t *testing.T) {
	t.Parallel()
	r := newRig(t, []step{calls(call("c1", "commit", `{}`)), says("done."), says("more.")}, nil, nil)
	var mu sync.Mutex
	state := sessionio.Git{Commit: "aaa", Branch: "main"}
	r.tools["commit"] = fakeTool{name: "commit", kind: tool.Execs, run: func(context.Context, tool.Call) (tool.Result, error) {
		mu.Lock()
		defer mu.Unlock()
		state.Commit = "bbb"
		return tool.Text("ok"), nil
	}}
	r.Agent.git = func(context.Context, string) *sessionio.Git {
		mu.Lock()
		defer mu.Unlock()
		g := state
		return &g
	}
	if err := os.Mkdir(filepath.Join(r.o.CWD, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.ask("one")
	r.ask("two")
	_, path := r.read()
	states := ofType(path, sessionio.TypeGitState)
	last := states[len(states)-1]
	if n := len(states); n < 1 || n > 2 || last.Git.Commit != "bbb" || last.Git.Branch != "main" {
		t.Errorf("%d states, the last %+v", n, last.Git)
	}
	if path[len(path)-1].Type != sessionio.TypeAgentStatus {
		t.Errorf("the last entry is a %s", path[len(path)-1].Type)
	}
}

func TestInRepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sub := filepath.Join(dir, "a", "b")
	if err := os.MkdirAll(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	if inRepository(sub) || inRepository("") {
		t.Error("no repository here")
	}
	if err := os.WriteFile(filepath.Join(dir, ".git"), []byte("gitdir: elsewhere\n"), 0o600); err != nil { // a worktree's
		t.Fatal(err)
	}
	if !inRepository(sub) {
		t.Error("not found")
	}
}
