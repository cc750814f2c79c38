package scripted

import (
	"context"
	"dugout/agentloop/model"
	"fmt"
	"hash/fnv"
	"net/http"
	"sync"
)

func faultNames() []string {
	return []string{"429", "500", "529", "drop", "stall", "overflow"}
}

// fault is how a request fails.
type fault struct{ name string }

// midStream says whether it comes while an answer streams, not instead of it.
func (f fault) midStream() bool { return f.name == "drop" || f.name == "stall" }

func (f fault) err(id string) *model.Error {
	e := &model.Error{Provider: Name, Model: id}
	switch f.name {
	case "429":
		e.Kind, e.Status, e.Message = model.RateLimited, http.StatusTooManyRequests, "too many requests, as the script asked"
	case "529":
		e.Kind, e.Status, e.Message = model.Overloaded, 529, "overloaded, as the script asked"
	case "overflow":
		e.Kind, e.Status, e.Message = model.Overflow, http.StatusBadRequest, "prompt is too long, as the script asked"
	case "drop":
		e.Kind, e.Message = model.Dropped, "the stream broke off, as the script asked"
	default:
		e.Kind, e.Status, e.Message = model.ServerError, http.StatusInternalServerError, "server error, as the script asked"
	}
	return e
}

// breakStream ends an answer in the middle: at once, or in silence until ctx ends it.
func (f fault) breakStream(ctx context.Context, id string) error {
	if f.name == "stall" {
		<-ctx.Done()
		return ctx.Err()
	}
	return f.err(id)
}

// key names a line of a script among all conversations. The newest user message stands for the
// conversation: it survives a compaction, which a retry after an overflow has behind it.
func (p part) key(l line) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %d %s", p.time, l.number, p.text)
	return h.Sum64()
}

const maxRemembered = 4096

// failures remembers which lines have failed; the oldest are forgotten.
type failures struct {
	mu    sync.Mutex
	done  map[uint64]bool
	order []uint64
}

func newFailures() *failures { return &failures{done: map[uint64]bool{}} }

// claim says whether a line has still to fail, and notes that it does.
func (f *failures) claim(key uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done[key] {
		return false
	}
	f.done[key] = true
	f.order = append(f.order, key)
	if len(f.order) > maxRemembered {
		delete(f.done, f.order[0])
		f.order = f.order[1:]
	}
	return true
}
