package model

import (
	"dugout/sessionio"
	"testing"
)

func TestPrice(t *testing.T) {
	t.Parallel()
	m := Info{InputPrice: 2, OutputPrice: 10, CacheReadPrice: 0.5, CacheWritePrice: 4}
	got := Price(sessionio.Usage{Input: 1_000_000, Output: 500_000, CacheRead: 2_000_000, CacheWrite: 250_000}, m).Cost
	want := sessionio.Cost{Input: 2, Output: 5, CacheRead: 1, CacheWrite: 1, Total: 9}
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
