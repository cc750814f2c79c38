package host

import (
	"context"
	"sync"
	"testing"
)

func TestGateLetsOneThroughAtATime(t *testing.T) {
	t.Parallel()
	var g gates
	inside, most := 0, 0
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			leave, err := g.enter(context.Background(), "x")
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			inside++
			most = max(most, inside)
			mu.Unlock()
			mu.Lock()
			inside--
			mu.Unlock()
			leave()
		}()
	}
	all.Wait()
	leave, _ := g.enter(context.Background(), "x")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.enter(ctx, "x"); err == nil {
		t.Error("went through a closed gate")
	}
	other, err := g.enter(context.Background(), "y")
	if err != nil {
		t.Fatal(err)
	}
	other()
	leave()
	if most != 1 || len(g.open) != 0 {
		t.Errorf("%d at once, %d gates left", most, len(g.open))
	}
}
