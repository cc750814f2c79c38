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
	err = child.agent.Wait(ctx)
	if err != nil {
		err = errors.Join(err, child.agent.Abort(context.WithoutCancel(ctx)))
	}
	if err := l.attribute(child); err != nil {
		l.h.o.Log.Warn("the usage of a child session is not booked", "session", child.id, "why", err)
	}
	if err != nil {
		return "", err
	}
	if failed := child.agent.State().LastError; failed != "" {
		return "", fmt.Errorf("the child session %s failed: %s", child.id, failed)
	}
	return child.lastAnswer()
}

// attribute books what a child has used on the answer whose call started it.
func (l *live) attribute(child *live) error {
	used, err := child.used()
	if err != nil || used.TotalTokens == 0 {
		return err
	}
	l.mu.Lock()
	answer := l.lastAnswered
	l.mu.Unlock()
	e, err := l.sess.Entry(answer)
	if err != nil {
		return err
	}
	l.mu.Lock()
	if l.booked == nil {
		l.booked = map[sessionio.EntryID]sessionio.Usage{}
	}
	sum, again := l.booked[answer]
	if !again && e.Message != nil && e.Message.Usage != nil {
		sum = *e.Message.Usage
	}
	sum = addUsage(sum, used)
	l.booked[answer] = sum
	l.mu.Unlock()
	return l.agent.Attribute(answer, used, sum)
}

// used is what all answers of a session and their children have used.
func (l *live) used() (sum sessionio.Usage, err error) {
	var ids []sessionio.EntryID
	for _, m := range l.sess.Tree().All() {
		if m.Role == sessionio.RoleAssistant || m.Type == sessionio.TypeChildUsageAttributed {
			ids = append(ids, m.ID)
		}
	}
	entries, err := l.sess.Entries(ids)
	for _, e := range entries {
		switch {
		case e.ChildUsage != nil:
			sum = addUsage(sum, *e.ChildUsage)
		case e.Message != nil && e.Message.Usage != nil:
			sum = addUsage(sum, *e.Message.Usage)
		}
	}
	return sum, err
}

func addUsage(a, b sessionio.Usage) sessionio.Usage {
	a.Input += b.Input
	a.Output += b.Output
	a.CacheRead += b.CacheRead
	a.CacheWrite += b.CacheWrite
	a.TotalTokens += b.TotalTokens
	a.Cost.Input += b.Cost.Input
	a.Cost.Output += b.Cost.Output
	a.Cost.CacheRead += b.Cost.CacheRead
	a.Cost.CacheWrite += b.Cost.CacheWrite
	a.Cost.Total += b.Cost.Total
	return a
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
