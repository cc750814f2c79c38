package app

import (
	"context"
	"fmt"
	"testing"
	"time"
)

func TestPumpSendsTheNewest(t *testing.T) {
	t.Parallel()
	in := make(chan int, 100)
	for i := range 100 {
		in <- i
	}
	close(in)
	var got []int
	pump(context.Background(), in, time.Hour, func(v int) { got = append(got, v) })
	if n := len(got); n == 0 || n > 2 || got[n-1] != 99 {
		t.Errorf("sent %v", got)
	}
}

func TestPumpEnds(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan bool)
	in := make(chan int)
	go func() {
		pump(ctx, in, time.Hour, func(int) {})
		close(done)
	}()
	in <- 1
	in <- 2 // held back for an hour
	cancel()
	<-done
}

func TestGatherKeepsOrder(t *testing.T) {
	t.Parallel()
	in := make(chan int, 10)
	for i := range 5 {
		in <- i
	}
	next := gather(in, time.Hour, 3)
	a, ok := next()
	if fmt.Sprint(a, ok) != "[0 1 2] true" {
		t.Error(a, ok)
	}
	close(in)
	b, ok := next()
	if fmt.Sprint(b, ok) != "[3 4] false" {
		t.Error(b, ok)
	}
	if c, ok := next(); ok || c != nil {
		t.Error(c, ok)
	}
}
