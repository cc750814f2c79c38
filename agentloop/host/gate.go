package host

import (
	"context"
	"sync"
)

// gates let one at a time through for each key: a file is opened, changed or deleted by one request
// while the others for it wait.
type gates struct {
	mu   sync.Mutex
	open map[string]*gate
}

type gate struct {
	turn chan struct{} // holds a token while nobody is inside
	want int
}

// enter waits for the gate of a key; leave must be called.
func (g *gates) enter(ctx context.Context, key string) (leave func(), err error) {
	g.mu.Lock()
	if g.open == nil {
		g.open = map[string]*gate{}
	}
	at := g.open[key]
	if at == nil {
		at = &gate{turn: make(chan struct{}, 1)}
		at.turn <- struct{}{}
		g.open[key] = at
	}
	at.want++
	g.mu.Unlock()
	drop := func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if at.want--; at.want == 0 {
			delete(g.open, key)
		}
	}
	select {
	case <-at.turn:
		return func() { at.turn <- struct{}{}; drop() }, nil
	case <-ctx.Done():
		drop()
		return nil, ctx.Err()
	}
}
