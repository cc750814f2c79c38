package agentloop

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"errors"
	"fmt"
	"time"
)

// errSilent is the watchdog's word.
var errSilent = errors.New("the stream fell silent")

// answer gets one whole answer: it retries what a retry can help, and compacts once when the context
// is too long. On an error t.partial holds what had been said.
func (a *Agent) answer(ctx context.Context, t *turn) (*sessionio.Message, error) {
	a.update(func(st *State) { st.Activity, st.Tool = Streaming, "" })
	compacted := false
	for try := 1; ; {
		if ctx.Err() != nil {
			return nil, ErrAborted
		}
		c, err := a.request(t)
		if err != nil {
			return nil, err
		}
		msg, err := a.stream(ctx, t, c.provider, c.req)
		if err == nil && ctx.Err() == nil {
			c.sign(msg)
			return msg, nil
		}
		if said(msg) || ctx.Err() != nil {
			t.partial = msg
		}
		if ctx.Err() != nil {
			return nil, ErrAborted
		}
		var failed *model.Error
		if !errors.As(err, &failed) {
			return nil, err
		}
		if failed.Kind == model.Overflow && !compacted {
			compacted = true
			a.dropAnswer(t)
			if err := a.makeRoom(ctx, t, failed); err != nil {
				return nil, err
			}
			continue
		}
		if err := a.waitForRetry(ctx, t, try, failed); err != nil {
			return nil, err
		}
		try++
	}
}

// modelCall is a request with whom it goes to.
type modelCall struct {
	ref      sessionio.ModelRef
	provider model.Provider
	info     model.Info
	req      model.Request
}

// request builds the model call from the file's context as it is now.
func (a *Agent) request(t *turn) (modelCall, error) {
	if !t.hasSystem {
		t.system, t.hasSystem = a.o.System(), true
	}
	st := a.State()
	if st.Model == (sessionio.ModelRef{}) {
		return modelCall{}, errors.New("no model is set: choose one")
	}
	provider, info, err := a.o.Models.Get(st.Model)
	if err != nil {
		return modelCall{}, fmt.Errorf("model %s/%s: %w", st.Model.Provider, st.Model.Model, err)
	}
	c, err := a.ledger.context(a.sess)
	if err != nil {
		return modelCall{}, fmt.Errorf("read the context: %w", err)
	}
	return modelCall{st.Model, provider, info, model.Request{
		Model: st.Model.Model, System: t.system, Messages: model.Prepare(c.Messages),
		Tools: a.specs, ThinkingLevel: st.ThinkingLevel,
	}}, nil
}

// stream makes one model call under the watchdog.
func (a *Agent) stream(ctx context.Context, t *turn, p model.Provider, req model.Request) (*sessionio.Message, error) {
	return a.call(ctx, p, req, func(d model.Delta) {
		t.streaming = true
		a.out.put(Event{Delta: &d})
		a.out.flush()
	})
}

// call is a model call that ends when the provider says nothing for too long or panics.
func (a *Agent) call(ctx context.Context, p model.Provider, req model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	dog := time.AfterFunc(a.o.Watchdog, func() { cancel(errSilent) })
	defer dog.Stop()
	var msg *sessionio.Message
	err := guard("the provider "+p.Name(), func() (err error) {
		msg, err = p.Stream(ctx, req, func(d model.Delta) {
			dog.Reset(a.o.Watchdog)
			emit(d)
		})
		return err
	})
	fault := func(kind model.ErrorKind, text string) error {
		return &model.Error{Kind: kind, Provider: p.Name(), Model: req.Model, Message: text}
	}
	switch {
	case err != nil && errors.Is(context.Cause(ctx), errSilent):
		return msg, fault(model.Stalled, fmt.Sprintf("said nothing for %v", a.o.Watchdog))
	case err != nil:
		return msg, err
	case msg == nil:
		return nil, fault(model.ServerError, "sent no answer")
	case msg.StopReason == sessionio.StopError:
		return msg, fault(model.ServerError, "failed: "+msg.ErrorMessage)
	}
	return msg, nil
}

// dropAnswer tells that the answer under way is void: another try follows.
func (a *Agent) dropAnswer(t *turn) {
	if t.streaming {
		t.streaming = false
		a.out.put(Event{AnswerEnd: &AnswerEnd{Failed: true}})
		a.out.flush()
	}
}

// sign completes what the provider said of its answer: whose it is, and what it cost.
func (c modelCall) sign(m *sessionio.Message) {
	m.Role, m.Provider, m.Model = sessionio.RoleAssistant, c.ref.Provider, c.ref.Model
	if m.StopReason == "" {
		m.StopReason = sessionio.StopEnd
	}
	if m.Usage == nil {
		m.Usage = &sessionio.Usage{}
	}
	if m.Usage.Cost == (sessionio.Cost{}) {
		u := model.Price(*m.Usage, c.info)
		m.Usage = &u
	}
}

// said reports whether a message holds any text.
func said(m *sessionio.Message) bool {
	if m == nil {
		return false
	}
	for _, b := range m.Content {
		if b.Text != "" || b.Thinking != "" {
			return true
		}
	}
	return false
}
