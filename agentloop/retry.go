package agentloop

import (
	"context"
	"dugout/agentloop/model"
	"fmt"
	"math/rand/v2"
	"time"
)

func (p RetryPolicy) withDefaults() RetryPolicy {
	if p.Max == 0 {
		p.Max = 3
	}
	if p.Base <= 0 {
		p.Base = 2 * time.Second
	}
	if p.Cap <= 0 {
		p.Cap = 5 * time.Minute
	}
	return p
}

// wait says how long to wait after a failed try (counted from 1), spread by a jitter from 0 to 1.
// What the server names is waited for to the second, or not at all when it is longer than the cap.
func (p RetryPolicy) wait(try int, e *model.Error, jitter float64) (time.Duration, error) {
	switch {
	case !e.Retryable():
		return 0, e
	case try > p.Max:
		if p.Max > 0 {
			return 0, &givenUp{e, fmt.Sprintf("after %d tries", p.Max+1)}
		}
		return 0, e
	case e.RetryAfter > p.Cap:
		return 0, &givenUp{e, fmt.Sprintf("it asks for a wait of %v, longer than the %v that is taken",
			e.RetryAfter.Round(time.Second), p.Cap)}
	case e.RetryAfter > 0:
		return e.RetryAfter, nil
	}
	d := p.Base << min(try-1, 20)
	if d > p.Cap || d <= 0 {
		d = p.Cap
	}
	return d*3/4 + time.Duration(jitter*float64(d)/2), nil
}

// givenUp is a failed call that is not tried again, and why.
type givenUp struct {
	failed *model.Error
	why    string
}

func (e *givenUp) Error() string { return e.failed.Error() + "; " + e.why }
func (e *givenUp) Unwrap() error { return e.failed }

// waitForRetry waits until another try, telling everybody; an error means that there is none.
func (a *Agent) waitForRetry(ctx context.Context, t *turn, try int, failed *model.Error) error {
	d, err := a.o.Retry.wait(try, failed, rand.Float64())
	if err != nil {
		return err
	}
	a.dropAnswer(t)
	a.out.put(Event{Retry: &Retry{Attempt: try, Max: a.o.Retry.Max, Until: a.o.Now().Add(d), Reason: failed.Error()}})
	a.update(func(st *State) { st.Activity = Retrying })
	if err := a.sleep(ctx, d); err != nil {
		return ErrAborted
	}
	a.update(func(st *State) { st.Activity = Streaming })
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
