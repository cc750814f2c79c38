package agentloop

// receipts remembers which prompts were taken, by their client's id, so that one sent again after a
// lost connection is acknowledged and not run twice.
type receipts struct {
	byID  map[string]*receipt
	order []string
}

// receipt is the outcome of one prompt, known once done is closed.
type receipt struct {
	done   chan struct{}
	queued bool
	err    error
}

const mostReceipts = 512

// receipt finds or begins the receipt of a client's id; first says that the prompt is new.
func (a *Agent) receipt(id string) (r *receipt, first bool) {
	r = &receipt{done: make(chan struct{})}
	if id == "" {
		return r, true
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if old, ok := a.seen.byID[id]; ok {
		return old, false
	}
	if a.seen.byID == nil {
		a.seen.byID = make(map[string]*receipt)
	}
	a.seen.byID[id] = r
	a.seen.order = append(a.seen.order, id)
	if len(a.seen.order) > mostReceipts {
		delete(a.seen.byID, a.seen.order[0])
		a.seen.order = a.seen.order[1:]
	}
	return r, true
}

// settleReceipt tells those who sent the same prompt meanwhile; one that was not taken may come again.
func (a *Agent) settleReceipt(id string, r *receipt, queued bool, err error) {
	a.mu.Lock()
	r.queued, r.err = queued, err
	if err != nil && a.seen.byID[id] == r {
		delete(a.seen.byID, id)
	}
	a.mu.Unlock()
	close(r.done)
}
