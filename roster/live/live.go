// Package live keeps a roster current: it hears the daemon, watches the stores, sweeps behind the
// watcher, and hands out snapshots.
//
//	daemon --connect.go--\
//	                      >--deltas--> feed.go (owns the roster.State) --updates--> reader
//	files  --files.go----/
package live

import (
	"context"
	"dugout/daemonclient"
	"dugout/roster"
	"dugout/sessionio/store"
	"sync"
	"time"
)

// Options of Start.
type Options struct {
	Store *store.Store
	// Dial connects to the daemon; it is tried again with backoff when the connection is lost. nil
	// shows saved sessions only.
	Dial  func(ctx context.Context) (*daemonclient.Client, error)
	Sweep time.Duration // how often the folders are looked at behind the watcher; default 10 s
}

// Update is what changed since the last one.
type Update struct {
	Snapshot  roster.Snapshot
	Changed   []roster.Key
	Gone      []roster.Key
	Connected bool
	Problem   string // why not connected, or what a listing met; "" when all is well
	Scanned   int    // progress of the first listing
	ToScan    int    // 0 when it is done
}

// Feed is a running roster.
type Feed struct {
	out    chan Update
	in     chan change
	touch  chan string
	mu     sync.Mutex
	client *daemonclient.Client
	done   chan struct{}
}

// change is what one of the sources has to tell.
type change struct {
	delta   roster.Delta
	link    *link // the connection came or went
	scan    *scan // the first listing moved on
	problem *string
}

type link struct {
	client *daemonclient.Client // nil when it went
	why    string
}

type scan struct{ done, total int }

// Start begins; ctx ends it, and closes Updates.
func Start(ctx context.Context, o Options) *Feed {
	if o.Sweep == 0 {
		o.Sweep = 10 * time.Second
	}
	f := &Feed{out: make(chan Update), in: make(chan change), touch: make(chan string, 64), done: make(chan struct{})}
	var sources sync.WaitGroup
	sources.Go(func() { f.files(ctx, o) })
	if o.Dial != nil {
		sources.Go(func() { f.connect(ctx, o.Dial) })
	}
	go func() {
		defer close(f.done)
		f.run(ctx)
		sources.Wait()
	}()
	return f
}

// Updates delivers coalesced updates: at most one each 16 ms, always the newest state. A reader that
// is slow holds up nobody.
func (f *Feed) Updates() <-chan Update { return f.out }

// Client is the present connection, nil when there is none.
func (f *Feed) Client() *daemonclient.Client {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.client
}

func (f *Feed) setClient(c *daemonclient.Client) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.client = c
}

// Touch asks for one file to be looked at again now (after a rename or delete of ours).
func (f *Feed) Touch(path string) {
	select {
	case f.touch <- path:
	default: // so many that the sweep will do
	}
}

// Wait returns when everything that Start began has ended.
func (f *Feed) Wait() { <-f.done }

// tell hands a change to the owner of the state; false when it is over.
func (f *Feed) tell(ctx context.Context, c change) bool {
	select {
	case f.in <- c:
		return true
	case <-ctx.Done():
		return false
	}
}
