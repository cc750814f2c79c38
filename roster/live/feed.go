package live

import (
	"context"
	"dugout/roster"
	"slices"
	"time"
)

// every is the shortest time between two updates.
const every = 16 * time.Millisecond

// run owns the state: it applies what the sources tell and hands out what came of it.
func (f *Feed) run(ctx context.Context) {
	defer close(f.out)
	s := newState()
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
	news    map[roster.Key]bool // what next has in Changed (true) or in Gone
	pending bool
	lost    string // why there is no connection
	listing string // what the listing met
}

func newState() state {
	return state{roster: roster.NewState(), news: map[roster.Key]bool{}}
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
		s.note(k, true, &s.next.Changed, &s.next.Gone)
	}
	for _, k := range gone {
		s.note(k, false, &s.next.Gone, &s.next.Changed)
	}
	s.next.Snapshot = s.roster.Snapshot()
	s.next.Problem = s.lost
	if s.next.Problem == "" {
		s.next.Problem = s.listing
	}
}

// note puts a key into one list and, the last word counts, takes it from the other.
func (s *state) note(k roster.Key, there bool, to, from *[]roster.Key) {
	was, heard := s.news[k]
	if heard && was == there {
		return
	}
	if heard {
		i := slices.Index(*from, k)
		*from = slices.Delete(*from, i, i+1)
	}
	s.news[k] = there
	*to = append(*to, k)
}

// sent begins the next update; the lists are the reader's now.
func (s *state) sent() {
	s.pending = false
	clear(s.news)
	s.next.Changed, s.next.Gone = nil, nil
}
