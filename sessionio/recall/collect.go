package recall

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
	"sync"
)

// collector keeps the best hits.
type collector struct {
	most  int // 0 is all
	mu    sync.Mutex
	hits  worstFirst
	found int
}

// better orders hits: most words first, then the newest; the rest makes the order the same each time.
func better(a, b *Hit) int {
	return cmp.Or(
		cmp.Compare(b.Matched, a.Matched),
		b.Time.Compare(a.Time),
		strings.Compare(a.Path, b.Path),
		cmp.Compare(a.line, b.line),
	)
}

// wants says whether a hit would be kept: it counts it, and spares the work on those that would not.
func (c *collector) wants(h *Hit) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.found++
	return c.most <= 0 || len(c.hits) < c.most || better(h, c.hits[0]) < 0
}

func (c *collector) add(h *Hit) {
	c.mu.Lock()
	defer c.mu.Unlock()
	heap.Push(&c.hits, h)
	if c.most > 0 && len(c.hits) > c.most {
		heap.Pop(&c.hits)
	}
}

func (c *collector) ranked() []Hit {
	c.mu.Lock()
	defer c.mu.Unlock()
	slices.SortFunc(c.hits, better)
	out := make([]Hit, len(c.hits))
	for i, h := range c.hits {
		out[i] = *h
	}
	return out
}

// worstFirst is a heap.
type worstFirst []*Hit

func (w worstFirst) Len() int           { return len(w) }
func (w worstFirst) Less(i, j int) bool { return better(w[i], w[j]) > 0 }
func (w worstFirst) Swap(i, j int)      { w[i], w[j] = w[j], w[i] }

// Push adds a *Hit.
func (w *worstFirst) Push(x any) { *w = append(*w, x.(*Hit)) } //nolint:forcetypeassert // ours alone

// Pop takes the last.
func (w *worstFirst) Pop() any {
	old := *w
	h := old[len(old)-1]
	old[len(old)-1] = nil
	*w = old[:len(old)-1]
	return h
}

// once keeps the best of those that say the same.
func once(hits []Hit) []Hit {
	seen := map[string]bool{}
	return slices.DeleteFunc(hits, func(h Hit) bool {
		again := seen[h.key]
		seen[h.key] = true
		return again
	})
}

// withoutAnswers leaves out what stands as the answer of another hit.
func withoutAnswers(hits []Hit) []Hit {
	given := map[string]bool{}
	for _, h := range hits {
		if h.Answer != nil {
			given[h.Answer.key] = true
		}
	}
	return slices.DeleteFunc(hits, func(h Hit) bool { return given[h.key] })
}
