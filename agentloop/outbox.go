package agentloop

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// outbox carries events from whoever puts them to Emit: in the order of put, one at a time, with no
// lock held. Whoever flushes first sends for all; a second one goes on at once. So an agent needs no
// goroutine of its own while it is idle.
type outbox struct {
	emit func(Event)

	mu      sync.Mutex
	waiting []Event
	sending bool
	quiet   *sync.Cond
	fault   error // a panic in emit that no turn has taken yet
}

// put queues an event. It may be called with locks held; flush must follow without them.
func (o *outbox) put(e Event) {
	o.mu.Lock()
	o.waiting = append(o.waiting, e)
	o.mu.Unlock()
}

func (o *outbox) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sending {
		return
	}
	o.sending = true
	for len(o.waiting) > 0 {
		batch := o.waiting
		o.waiting = nil
		o.mu.Unlock()
		for _, e := range batch {
			o.send(e)
		}
		o.mu.Lock()
	}
	o.sending = false
	if o.quiet != nil {
		o.quiet.Broadcast()
	}
}

func (o *outbox) send(e Event) {
	defer func() {
		if p := recover(); p != nil {
			o.mu.Lock()
			o.fault = newPanic("a receiver of events", p, debug.Stack())
			o.mu.Unlock()
		}
	}()
	o.emit(e)
}

// takeFault hands a panic of the receiver to the turn that is running.
func (o *outbox) takeFault() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.fault
	o.fault = nil
	return err
}

// drain flushes and waits until no event is on its way.
func (o *outbox) drain() {
	o.flush()
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.quiet == nil {
		o.quiet = sync.NewCond(&o.mu)
	}
	for o.sending {
		o.quiet.Wait()
	}
}

// panicError is a recovered panic: the turn's error, with the stack as its raw form.
type panicError struct {
	where string
	value any
	stack string
}

func newPanic(where string, value any, stack []byte) *panicError {
	const most = 4 << 10
	return &panicError{where, value, string(stack[:min(len(stack), most)])}
}

func (e *panicError) Error() string { return fmt.Sprintf("%s panicked: %v", e.where, e.value) }
