package live

import (
	"context"
	"dugout/roster"
	"dugout/sessionio/store"
	"fmt"
	"time"
)

// settle is how long after its first change a file is read: what is written together is read once.
const settle = 15 * time.Millisecond

// batch is how many rows of a listing are told together, where so many are there at once.
const batch = 256

// files tells what lies in the stores: first what the index knows, then what a listing finds, row
// by row, and each change, by the watcher and, behind it, by the sweep. Changes are heard while a
// listing runs.
func (f *Feed) files(ctx context.Context, o Options) {
	first := o.Store.Known()
	if len(first) > 0 && !f.tell(ctx, change{delta: roster.Delta{AllSaved: &first}, scan: &scan{0, len(first)}}) {
		return
	}
	l := follower{feed: f, store: o.Store, seen: newSeen(first), dirty: map[string]bool{}}
	why := l.watch.open(o.Store)
	defer l.watch.close()
	if why != "" && !f.tell(ctx, change{problem: &why}) {
		return
	}
	l.first = true
	l.list(ctx) // behind the watcher, so that nothing falls in between
	defer l.end()
	l.run(ctx, o.Sweep)
}

// follower is the loop that owns what was told of the stores.
type follower struct {
	feed  *Feed
	store *store.Store
	seen  seen
	watch watch
	dirty map[string]bool // to be read when quiet rings

	walk  *walk // a listing that runs
	again bool  // another is wanted behind it
	first bool  // it is the first, whose progress is told
	said  string
}

// walk is a listing under way, in a goroutine of its own.
type walk struct {
	steps chan store.Step // closed at its end
	err   error           // to be read then
	bad   int
}

func (l *follower) run(ctx context.Context, every time.Duration) {
	sweep := time.NewTicker(every)
	defer sweep.Stop()
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	mark := func(path string) {
		if len(l.dirty) == 0 {
			quiet.Reset(settle)
		}
		l.dirty[path] = true
	}
	ok := true
	for ok {
		var steps chan store.Step
		if l.walk != nil {
			steps = l.walk.steps
		}
		select {
		case <-ctx.Done():
			return
		case st, more := <-steps:
			ok = l.step(ctx, st, more)
		case ev, more := <-l.watch.events:
			if !more {
				l.watch.events = nil
				continue
			}
			switch l.watch.means(ev) {
			case fileChanged:
				mark(ev.Name)
			case foldersChanged:
				l.list(ctx)
			case nothing:
			}
		case _, more := <-l.watch.errors: // events were lost
			if !more {
				l.watch.errors = nil
				continue
			}
			l.list(ctx)
		case path := <-l.feed.touch:
			mark(path)
		case <-quiet.C:
			d := l.seen.refresh(l.store, l.dirty)
			clear(l.dirty)
			ok = empty(d) || l.feed.tell(ctx, change{delta: d})
		case <-sweep.C:
			l.watch.add(l.store.Dirs())
			l.list(ctx)
		}
	}
}

// list begins a listing, or has one follow the one that runs.
func (l *follower) list(ctx context.Context) {
	if l.walk != nil {
		l.again = true
		return
	}
	w := &walk{steps: make(chan store.Step, 64)}
	l.walk, l.again = w, false
	l.seen.begin()
	go func() {
		defer close(w.steps)
		w.err = l.store.Walk(ctx, func(st store.Step) {
			select {
			case w.steps <- st:
			case <-ctx.Done():
			}
		})
	}()
}

// step tells what a listing found, as much as is there already; false when it is over.
func (l *follower) step(ctx context.Context, st store.Step, more bool) bool {
	var d roster.Delta
	var at store.Step
	for more {
		at = st
		if st.Problem != nil {
			l.walk.bad++
		} else if l.seen.found(st.Info) {
			d.Saved = append(d.Saved, st.Info)
		}
		if len(d.Saved) < batch {
			select {
			case st, more = <-l.walk.steps:
				continue
			default:
			}
		}
		c := change{delta: d}
		if l.first {
			c.scan = &scan{at.Done, max(at.Total, at.Done+1)}
		}
		return c.scan == nil && empty(d) || l.feed.tell(ctx, c)
	}
	return l.listed(ctx, d)
}

// listed ends a listing: what it did not find is gone.
func (l *follower) listed(ctx context.Context, d roster.Delta) bool {
	w := l.walk
	l.walk = nil
	if ctx.Err() != nil {
		return false
	}
	why := ""
	switch {
	case w.err != nil:
		why = fmt.Sprintf("sessions can't be listed: %s", w.err)
	case w.bad > 0:
		why = fmt.Sprintf("%d file(s) are no readable sessions; `dugout doctor` names them", w.bad)
	}
	if w.err == nil {
		d.Removed = l.seen.missing()
	}
	c := change{delta: d}
	if l.first {
		c.scan = &scan{}
	}
	if l.first || why != l.said {
		c.problem = &why
	}
	l.first, l.said = false, why
	if (c.scan != nil || c.problem != nil || !empty(d)) && !l.feed.tell(ctx, c) {
		return false
	}
	if l.again {
		l.list(ctx)
	}
	return true
}

// end waits for a listing that the end of all cut short, and keeps what was read.
func (l *follower) end() {
	if l.walk != nil {
		for range l.walk.steps {
			continue // it ends by its context
		}
	}
	_ = l.store.SaveIndex() // a cache
}

func empty(d roster.Delta) bool { return len(d.Saved)+len(d.Removed) == 0 }
