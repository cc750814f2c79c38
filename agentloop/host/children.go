package host

import (
	"context"
	"dugout/agentloop"
	"dugout/sessionio"
	"errors"
	"fmt"
)

// spawn is the session's tool.SpawnFunc: it starts a child session in the same folder, with the same
// model and permission mode, waits until it settles and returns its last answer. The child is live
// on its own: it asks its own questions, and stays when it has settled.
func (l *live) spawn(ctx context.Context, prompt string) (string, error) {
	depth := l.depth() + 1
	if depth > l.h.o.MaxDepth {
		return "", fmt.Errorf("a child session may not start children %d levels below the first session (the limit is %d): do the work here", depth, l.h.o.MaxDepth)
	}
	st := l.agent.State()
	child, err := l.h.create(
		sessionio.Header{CWD: l.cwd, ParentSession: l.path, Depth: &depth},
		settings{Model: refText(st.Model), Permission: st.Permission, Headless: l.headless, spawnedBy: l}, l.cleanup != nil)
	if err != nil {
		return "", fmt.Errorf("start a child session: %w", err)
	}
	if _, err := child.agent.Prompt(ctx, agentloop.Input{Text: prompt}); err != nil {
		return "", errors.Join(fmt.Errorf("start a child session: %w", err), l.h.end(context.WithoutCancel(ctx), child, reasonStopped))
	}
	if err := child.agent.Wait(ctx); err != nil {
		return "", errors.Join(err, child.agent.Abort(context.WithoutCancel(ctx)))
	}
	if failed := child.agent.State().LastError; failed != "" {
		return "", fmt.Errorf("the child session %s failed: %s", child.id, failed)
	}
	return child.lastAnswer()
}

// lastAnswer is the text of the last assistant message on the path.
func (l *live) lastAnswer() (string, error) {
	path := l.sess.Tree().Path(l.sess.Leaf())
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Type != sessionio.TypeMessage || path[i].Role != sessionio.RoleAssistant {
			continue
		}
		e, err := l.sess.Entry(path[i].ID)
		if err != nil || e.Message == nil {
			return "", err
		}
		if e.Message.StopReason == sessionio.StopAborted {
			return "", fmt.Errorf("the child session %s was stopped before it was done", l.id)
		}
		return plainText(e.Message.Content), nil
	}
	return "", nil
}
