package live

import (
	"context"
	"dugout/roster"
	"time"
)

// every is the shortest time between two updates.
const every = 16 * time.Millisecond

// run owns the state: it applies what the sources tell and hands out what came of it.
func (f *Feed) run(ctx context.Context) {
	defer close(f.out)
	s := state{roster: roster.NewState(), changed: map[roster.Key]bool{}}
	pace := time.NewTimer(0)
	defer pace.Stop()
	ready := false
	for {
		var out chan Update
		if ready && s.pending {
			out = f.out
		}
		select {
		case <-ctx.Done():
			return
		case c := <-f.in:
			s.apply(c)
		case <-pace.C:
			ready = true
		case out <- s.next:
			s.sent()
			ready = false
			pace.Reset(every)
		}
	}
}

// state is the roster and what the reader has not heard of yet.
type state struct {
	roster  *roster.State
	next    Update
	changed map[roster.Key]bool // in next: true changed, false gone
	pending bool
	lost    string // why there is no connection
	listing string // what the listing met
}

func (s *state) apply(c change) {
	s.pending = true
	if c.link != nil {
		s.next.Connected, s.lost = c.link.client != nil, c.link.why
	}
	if c.scan != nil {
		s.next.Scanned, s.next.ToScan = c.scan.done, c.scan.total
	}
	if c.problem != nil {
		s.listing = *c.problem
	}
	changed, gone := s.roster.Apply(c.delta)
	for _, k := range changed {
		s.changed[k] = true
	}
	for _, k := range gone {
		s.changed[k] = false
	}
	s.next.Changed, s.next.Gone = nil, nil
	for k, there := range s.changed {
		if there {
			s.next.Changed = append(s.next.Changed, k)
		} else {
			s.next.Gone = append(s.next.Gone, k)
		}
	}
	s.next.Snapshot = s.roster.Snapshot()
	s.next.Problem = s.lost
	if s.next.Problem == "" {
		s.next.Problem = s.listing
	}
}

func (s *state) sent() {
	s.pending = false
	clear(s.changed)
	s.next.Changed, s.next.Gone = nil, nil
}
