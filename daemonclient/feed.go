package daemonclient

import "sync"

// Bounds of what waits for a slow reader of one subscription.
const (
	maxWaiting      = 4096
	maxWaitingBytes = 32 << 20
)

// feed carries events from the reading goroutine, which must not wait, to a user who may be slow.
// When too much waits, all of it is dropped and the feed is stale: what comes is dropped too until
// the user reads again. Then resync asks the daemon for a snapshot, which revive puts in front.
type feed[T any] struct {
	out    chan T
	resync func() // runs in the feed's goroutine; ends in revive, or in finish

	mu       sync.Mutex
	wake     chan struct{} // buffered: there may be something to do
	waiting  []sized[T]
	bytes    int
	stale    bool
	finished bool // nothing more comes; what waits is still delivered
	stop     chan struct{}
	stopped  bool // nobody reads
}

type sized[T any] struct {
	v    T
	size int
}

func newFeed[T any](resync func()) *feed[T] {
	return &feed[T]{out: make(chan T), resync: resync, wake: make(chan struct{}, 1), stop: make(chan struct{})}
}

// put adds an event.
func (f *feed[T]) put(v T, size int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stale || f.finished {
		return
	}
	f.waiting = append(f.waiting, sized[T]{v, size})
	f.bytes += size
	if len(f.waiting) > maxWaiting || f.bytes > maxWaitingBytes && len(f.waiting) > 1 {
		f.waiting, f.bytes, f.stale = nil, 0, true
	}
	f.nudge()
}

// revive ends staleness with an event that takes the place of what was dropped.
func (f *feed[T]) revive(v T, size int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stale, f.waiting, f.bytes = false, []sized[T]{{v, size}}, size
	f.nudge()
}

// last delivers v after what waits (instead of it, when stale) and finishes.
func (f *feed[T]) last(v T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.finished {
		return
	}
	f.waiting = append(f.waiting, sized[T]{v, 0})
	f.stale, f.finished = false, true
	f.nudge()
}

// finish says that nothing more comes.
func (f *feed[T]) finish() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.finished = true
	f.nudge()
}

// end says that nobody reads any more.
func (f *feed[T]) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.stopped {
		f.stopped = true
		close(f.stop)
	}
}

func (f *feed[T]) nudge() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

type feedStep int

const (
	feedRest feedStep = iota
	feedSend
	feedResync
	feedOver
)

func (f *feed[T]) next() (T, feedStep) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var none T
	switch {
	case len(f.waiting) > 0:
		v := f.waiting[0]
		f.waiting[0] = sized[T]{}
		f.waiting = f.waiting[1:]
		f.bytes -= v.size
		return v.v, feedSend
	case f.finished:
		return none, feedOver
	case f.stale:
		return none, feedResync
	}
	return none, feedRest
}

// run delivers until the feed is over, nobody reads, or the client is closed.
func (f *feed[T]) run(closed <-chan struct{}) {
	defer close(f.out)
	for {
		v, step := f.next()
		switch step {
		case feedOver:
			return
		case feedResync:
			f.resync()
		case feedSend:
			select {
			case f.out <- v:
			case <-f.stop:
				return
			case <-closed:
				return
			}
		case feedRest:
			select {
			case <-f.wake:
			case <-f.stop:
				return
			case <-closed:
				return
			}
		}
	}
}
