package agentloop

import (
	"context"
	"dugout/sessionio"
	"runtime/debug"
	"sync"
	"time"
)

// work is what an agent does one of at a time: a run of turns, a compaction, a move of the leaf.
type work struct {
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when the agent is idle again, or goes on with other work
	queued int           // messages that waited already when it began: an abort had left them
	once   sync.Once
}

func (w *work) end() { w.once.Do(func() { close(w.done) }) }

func newWork(parent context.Context) (context.Context, *work) {
	ctx, cancel := context.WithCancelCause(parent)
	return ctx, &work{cancel: cancel, done: make(chan struct{})}
}

// claim takes the idle agent for work.
func (a *Agent) claim(parent context.Context) (context.Context, *work, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.closed:
		return nil, nil, ErrClosed
	case a.work != nil:
		return nil, nil, ErrBusy
	}
	ctx, w := newWork(parent)
	w.queued = len(a.queue)
	a.work = w
	return ctx, w, nil
}

// release ends work: the agent is idle, whatever waits stays.
func (a *Agent) release(w *work) {
	a.ledger.forgetLater()
	a.mu.Lock()
	a.releaseLocked(w)
	a.mu.Unlock()
	a.out.flush()
	w.end()
}

func (a *Agent) releaseLocked(w *work) {
	w.cancel(nil)
	if a.work != w {
		return // it was let go of before
	}
	a.work = nil
	a.updateLocked(func(st *State) {
		st.Activity, st.Tool, st.TurnStarted = Idle, "", time.Time{}
	})
}

// rescue lets go of the agent when the run itself panics, outside of what guards a turn.
func (a *Agent) rescue(w *work) {
	if p := recover(); p != nil {
		a.tellError(a.record(&turn{}, sessionio.ErrorGeneration, newPanic("the run", p, debug.Stack())))
		a.release(w)
	}
}

// handOver ends work that was no turn. Messages that came meanwhile are delivered now; a queue that
// an abort left goes on waiting for the person to say more.
func (a *Agent) handOver(ctx context.Context, w *work) {
	if context.Cause(ctx) == ErrAborted { //nolint:errorlint // the cause is set by us, never wrapped
		a.release(w)
		return
	}
	a.ledger.forgetLater()
	a.mu.Lock()
	var next waiting
	ok := false
	if !a.closed && len(a.queue) > w.queued {
		next, ok = a.popLocked(true)
	}
	if !ok {
		a.releaseLocked(w)
		a.mu.Unlock()
		a.out.flush()
		w.end()
		return
	}
	w.cancel(nil)
	rctx, rw := newWork(context.Background())
	a.work = rw
	a.startTurnLocked()
	a.mu.Unlock()
	a.out.flush()
	w.end()
	go a.run(rctx, rw, &next)
}

// Abort ends the running turn, compaction or move: the partial answer is kept, each unfinished call
// gets a synthetic result, the queue stays. It waits until all of that is on disk.
func (a *Agent) Abort(ctx context.Context) error {
	a.mu.Lock()
	w := a.work
	a.mu.Unlock()
	if w == nil {
		return nil
	}
	w.cancel(ErrAborted)
	select {
	case <-w.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Wait returns when the agent is idle: nothing runs and nothing is about to. Messages that an abort
// or a failure left in the queue wait for the next prompt and do not hold it up.
func (a *Agent) Wait(ctx context.Context) error {
	for {
		a.mu.Lock()
		w := a.work
		a.mu.Unlock()
		if w == nil {
			return nil
		}
		select {
		case <-w.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Close aborts, waits, syncs and closes the session. No event comes after it.
func (a *Agent) Close(ctx context.Context) error {
	a.mu.Lock()
	was := a.closed
	a.closed = true
	a.mu.Unlock()
	if err := a.Abort(ctx); err != nil {
		return err
	}
	if err := a.Wait(ctx); err != nil {
		return err
	}
	a.ledger.close()
	a.out.drain()
	if was {
		return nil
	}
	return a.sess.Close()
}
