package tool

import "context"

// SpawnFunc starts a child session with a prompt, waits until it settles, and returns its last
// answer. The host supplies it.
type SpawnFunc func(ctx context.Context, prompt string) (answer string, err error)
