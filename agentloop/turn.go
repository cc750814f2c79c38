package agentloop

import (
	"context"
	"dugout/sessionio"
	"errors"
	"runtime/debug"
)

// turn is what is known of the turn under way. Only the goroutine of the run touches it.
type turn struct {
	system    string
	hasSystem bool

	// The unanswered question: the first user message since the last answer. A failure hangs its
	// record under parent, so that the question is out of the context.
	open     bool
	question sessionio.EntryID
	parent   sessionio.EntryID
	text     string

	streaming bool               // deltas were told and no AnswerEnd yet
	partial   *sessionio.Message // what a failed or aborted call had said
	badArgs   map[string]string  // what stood for arguments in the last answer's calls, by call id
	noCompact bool               // an automatic compaction failed or had nothing to take
	commands  bool               // a command ran: the repository may have moved
}

func (a *Agent) newTurn() *turn { return &turn{} }

// run delivers a waiting message and works until nothing is left to do.
func (a *Agent) run(ctx context.Context, w *work, m *waiting) {
	defer a.rescue(w)
	t := a.newTurn()
	if err := a.deliverQueued(t, *m); err != nil {
		a.fail(t, err)
		a.release(w)
		return
	}
	a.runFrom(ctx, w, t)
}

// startTurnLocked says that a turn is under way, before its question is in the file: whoever sees the
// question sees no agent at rest.
func (a *Agent) startTurnLocked() {
	a.updateLocked(func(st *State) {
		st.Activity, st.TurnStarted = Streaming, a.o.Now()
		st.LastError, st.Recap, st.Verdict = "", "", ""
	})
}

// runFrom runs the turn of a message that is in the file already, then those of the messages that
// wait. It owns the agent until it releases the work.
func (a *Agent) runFrom(ctx context.Context, w *work, t *turn) {
	defer a.rescue(w)
	git := a.watchGit(ctx)
	_ = a.out.takeFault() // one from before belongs to no turn
	for {
		err := guard("the turn", func() error { return a.turn(ctx, t) })
		if err == nil {
			err = guard("the end of the turn", func() error { return a.settle(ctx, t, git) })
		}
		if err != nil {
			git.join()
			a.endBadly(ctx, t, err)
			break
		}
		next, ok := a.nextOrRelease(ctx, w)
		if !ok {
			w.end()
			return
		}
		t = &turn{}
		if err := a.deliverQueued(t, next); err != nil {
			a.fail(t, err)
			break
		}
		a.update(func(st *State) { st.TurnStarted = a.o.Now() })
	}
	git.join()
	a.release(w)
}

// turn asks the model and runs the tools that it calls, until it calls none and nothing steers.
func (a *Agent) turn(ctx context.Context, t *turn) error {
	for {
		if err := a.out.takeFault(); err != nil {
			return err
		}
		if err := a.compactIfLarge(ctx, t); err != nil {
			return err
		}
		msg, err := a.answer(ctx, t)
		if err != nil {
			return err
		}
		if err := a.keepAnswer(t, msg); err != nil {
			return err
		}
		calls := toolCalls(msg)
		if len(calls) > 0 {
			if err := a.runCalls(ctx, t, calls); err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ErrAborted
			}
		}
		next, ok := waiting{}, false
		if ctx.Err() == nil {
			next, ok = a.pop(false)
		}
		if ok {
			if err := a.deliverQueued(t, next); err != nil {
				return err
			}
		} else if len(calls) == 0 {
			return nil
		}
	}
}

// keepAnswer appends a whole answer: from here on the turn has made progress.
func (a *Agent) keepAnswer(t *turn, msg *sessionio.Message) error {
	t.badArgs = mendCalls(msg)
	if _, err := a.append(a.message(*msg)); err != nil {
		return err
	}
	t.open, t.partial, t.streaming = false, nil, false
	a.out.put(Event{AnswerEnd: &AnswerEnd{Cut: msg.StopReason == sessionio.StopLength}})
	a.out.flush()
	if st := a.State(); st.Model.Provider != msg.Provider || st.Model.Model != msg.Model {
		// changed while this answer came: said again after it, for on a path the later one holds
		if _, err := a.append(modelChange(st.Model)); err != nil {
			return err
		}
	}
	return nil
}

func toolCalls(m *sessionio.Message) []sessionio.Block {
	var calls []sessionio.Block
	for _, b := range m.Content {
		if b.Type == sessionio.BlockToolCall {
			calls = append(calls, b)
		}
	}
	return calls
}

// settle ends a turn that went well: what became of the repository, the recap, all of it durable.
// When messages wait, the recap is left to the last of their turns.
func (a *Agent) settle(ctx context.Context, t *turn, git *gitWatch) error {
	git.join()
	if t.commands {
		git.again(ctx)
	}
	a.mu.Lock()
	more := len(a.queue) > 0 && ctx.Err() == nil
	a.mu.Unlock()
	if !more {
		if err := a.writeRecap(); err != nil {
			return err
		}
	}
	if err := a.sync(); err != nil {
		return err
	}
	return a.out.takeFault()
}

// nextOrRelease takes the next waiting message or, in the same step, lets go of the agent, so that
// no message can slip in between. An aborted run takes none: the queue stays.
func (a *Agent) nextOrRelease(ctx context.Context, w *work) (waiting, bool) {
	a.ledger.forgetLater()
	a.mu.Lock()
	var next waiting
	ok := false
	if ctx.Err() == nil {
		next, ok = a.popLocked(true)
	}
	if !ok {
		a.releaseLocked(w)
	}
	a.mu.Unlock()
	a.out.flush()
	return next, ok
}

// endBadly ends a turn that was aborted or failed.
func (a *Agent) endBadly(ctx context.Context, t *turn, err error) {
	bad := guard("the end of the turn", func() error {
		if ctx.Err() != nil || errors.Is(err, ErrAborted) {
			var lost *storageError
			if !errors.As(err, &lost) {
				return a.keepAborted(t)
			}
		}
		a.fail(t, err)
		return nil
	})
	if bad != nil {
		a.fail(&turn{}, bad)
	}
}

// keepAborted stores what an aborted turn had said so far; with nothing said, an empty text, so that
// every reader sees that the turn ended here.
func (a *Agent) keepAborted(t *turn) error {
	m := t.partial
	if m == nil {
		m = &sessionio.Message{}
	}
	a.signAnswer(m, sessionio.StopAborted, "Request was aborted.")
	if _, err := a.append(a.message(*m)); err != nil {
		return err
	}
	t.partial, t.streaming = nil, false
	a.out.put(Event{AnswerEnd: &AnswerEnd{Aborted: true}})
	a.out.flush()
	return a.sync()
}

// signAnswer makes a partial message whole as the format has it: a role, a model, a block, a usage.
// Tool calls in it go: none of them ran, and half an argument is no argument.
func (a *Agent) signAnswer(m *sessionio.Message, stop sessionio.StopReason, why string) {
	st := a.State()
	m.Role, m.StopReason, m.ErrorMessage, m.Raw = sessionio.RoleAssistant, stop, why, nil
	if m.Provider == "" {
		m.Provider = st.Model.Provider
	}
	if m.Model == "" {
		m.Model = st.Model.Model
	}
	said := []sessionio.Block{}
	for _, b := range m.Content {
		if b.Type == sessionio.BlockText || b.Type == sessionio.BlockThinking {
			said = append(said, b)
		}
	}
	if len(said) == 0 {
		said = append(said, sessionio.Block{Type: sessionio.BlockText})
	}
	m.Content = said
	if m.Usage == nil {
		m.Usage = &sessionio.Usage{}
	}
}

// guard turns a panic into an error.
func guard(where string, do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanic(where, p, debug.Stack())
		}
	}()
	return do()
}
