package agentloop

import (
	"context"
	"dugout/agentloop/compaction"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"errors"
	"fmt"
)

// Compact summarises older context into a compaction entry; focus may be "". It waits until that is
// done; a failed or aborted one leaves everything as it was. ErrBusy while a turn runs.
func (a *Agent) Compact(ctx context.Context, focus string) error {
	ctx, w, err := a.claim(ctx)
	if err != nil {
		return err
	}
	defer a.handOver(ctx, w)
	err = guard("the compaction", func() error { return a.compact(ctx, &turn{}, focus, false) })
	switch {
	case err == nil:
		return a.sync()
	case ctx.Err() != nil:
		return ErrAborted
	case errors.Is(err, compaction.ErrNothing):
		return err
	}
	a.failCompaction(&turn{}, err)
	return err
}

// compactIfLarge compacts before a model call when the context is near the window's end. One that
// fails is told and kept in the errors trail, and the turn goes on with the context as it is.
func (a *Agent) compactIfLarge(ctx context.Context, t *turn) error {
	st := a.State()
	if a.o.Compaction.Off || t.noCompact || !a.limits(st.ContextWindow).Exceeded(st.ContextTokens) {
		return nil
	}
	err := a.compact(ctx, t, "", false)
	var lost *storageError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ErrAborted
	case errors.As(err, &lost):
		return err
	case errors.Is(err, compaction.ErrNothing):
	default:
		a.failCompaction(t, err)
	}
	t.noCompact = true
	return nil
}

// makeRoom compacts after the provider said that the context is too long.
func (a *Agent) makeRoom(ctx context.Context, t *turn, cause *model.Error) error {
	if a.o.Compaction.Off {
		return &givenUp{cause, "automatic compaction is off"}
	}
	err := a.compact(ctx, t, "", true)
	var lost *storageError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ErrAborted
	case errors.As(err, &lost):
		return err
	}
	t.noCompact = true
	return &givenUp{cause, "compaction did not help: " + err.Error()}
}

func (a *Agent) limits(window int) compaction.Limits {
	return compaction.Limits{
		Window: window, Reserve: a.o.Compaction.ReserveTokens, Keep: a.o.Compaction.KeepRecentTokens,
	}
}

// compact prepares, summarises and appends. Until the append nothing is changed. Where the provider
// refused the context, hard takes half of it, or all but what was said last, even when all of it would
// be kept otherwise: then the estimate is what was wrong.
func (a *Agent) compact(ctx context.Context, t *turn, focus string, hard bool) error {
	was := a.State().Activity
	a.update(func(st *State) { st.Activity = Compacting })
	defer a.update(func(st *State) { st.Activity = was })
	path, err := a.path(a.sess.Leaf())
	if err != nil {
		return err
	}
	s, err := a.summarizer(t)
	if err != nil {
		return err
	}
	keep := []int{s.Limits.Fit().Keep}
	if hard {
		keep = append(keep, a.State().ContextTokens/2, 1)
	}
	plan, err := compaction.Plan{}, compaction.ErrNothing
	for i := 0; i < len(keep) && errors.Is(err, compaction.ErrNothing); i++ {
		plan, err = compaction.Prepare(path, keep[i])
	}
	if err != nil {
		return err
	}
	e, err := s.Compaction(ctx, plan, focus)
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ErrAborted
	}
	if _, err := a.append(e); err != nil {
		return err
	}
	return a.surveyLeaf()
}

func (a *Agent) path(leaf sessionio.EntryID) ([]sessionio.Entry, error) {
	metas := a.sess.Tree().Path(leaf)
	ids := make([]sessionio.EntryID, len(metas))
	for i, m := range metas {
		ids[i] = m.ID
	}
	entries, err := a.sess.Entries(ids)
	if err != nil {
		return nil, fmt.Errorf("read the path: %w", err)
	}
	return entries, nil
}

// summarizer asks the session's own model, with the retries of any other call.
func (a *Agent) summarizer(t *turn) (compaction.Summarizer, error) {
	st := a.State()
	provider, info, err := a.o.Models.Get(st.Model)
	if err != nil {
		return compaction.Summarizer{}, fmt.Errorf("model %s/%s: %w", st.Model.Provider, st.Model.Model, err)
	}
	info.ID = st.Model.Model
	return compaction.Summarizer{
		Info: info, ThinkingLevel: st.ThinkingLevel, Limits: a.limits(info.ContextWindow),
		Call: func(ctx context.Context, req model.Request) (*sessionio.Message, error) {
			return a.callWithRetries(ctx, t, provider, req)
		},
	}, nil
}

func (a *Agent) callWithRetries(ctx context.Context, t *turn, p model.Provider, req model.Request) (*sessionio.Message, error) {
	for try := 1; ; try++ {
		msg, err := a.call(ctx, p, req, func(model.Delta) {})
		if err == nil {
			return msg, nil
		}
		var failed *model.Error
		if ctx.Err() != nil || !errors.As(err, &failed) {
			return nil, err
		}
		if err := a.waitForRetry(ctx, t, try, failed); err != nil {
			return nil, err
		}
		a.update(func(st *State) { st.Activity = Compacting })
	}
}

// failCompaction keeps a failed compaction in the errors trail, at the leaf: nothing is taken out of
// the context for it.
func (a *Agent) failCompaction(t *turn, err error) {
	rec := a.record(t, sessionio.ErrorCompaction, err)
	var lost *storageError
	if e, merr := errorEntry(rec); merr == nil && !errors.As(err, &lost) {
		if _, err := a.append(e); err != nil {
			rec = a.record(t, sessionio.ErrorCompaction, err)
		}
	}
	a.out.put(Event{Error: &rec})
	a.out.flush()
}
