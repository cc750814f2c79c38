package app

import (
	"context"
	"time"
)

// rosterEvery is the shortest time between two rosters on the screen. The first after a rest comes
// at once.
const rosterEvery = 40 * time.Millisecond

// pump sends the newest value of a channel, at most one each interval, until the channel or ctx
// ends. Values that came meanwhile are passed over.
func pump[T any](ctx context.Context, in <-chan T, every time.Duration, send func(T)) {
	rest := time.NewTimer(0)
	defer rest.Stop()
	for {
		var v T
		var ok bool
		select {
		case <-ctx.Done():
			return
		case v, ok = <-in:
			if !ok {
				return
			}
		}
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return
			case newer, ok := <-in:
				if !ok {
					send(v)
					return
				}
				v = newer
			case <-rest.C:
				waiting = false
			}
		}
		send(v)
		rest.Reset(every)
	}
}

// Events are gathered for a moment before the screen sees them.
const (
	eventsEvery = 16 * time.Millisecond
	mostEvents  = 2048
)

// gather returns a function that waits for the next value of a channel and returns it with those
// that come within a moment, in order; false with the last ones when the channel was closed.
func gather[T any](in <-chan T, within time.Duration, most int) func() ([]T, bool) {
	return func() ([]T, bool) {
		v, ok := <-in
		if !ok {
			return nil, false
		}
		out := []T{v}
		end := time.NewTimer(within)
		defer end.Stop()
		for len(out) < most {
			select {
			case v, ok := <-in:
				if !ok {
					return out, false
				}
				out = append(out, v)
			case <-end.C:
				return out, true
			}
		}
		return out, true
	}
}
