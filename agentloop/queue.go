package agentloop

import (
	"context"
	"crypto/rand"
	"dugout/sessionio"
	"errors"
	"slices"
	"strings"
)

// Input is a user's message.
type Input struct {
	Text     string
	Images   []sessionio.Block
	Kind     QueueKind // when a turn runs; default Steer
	ClientID string    // a prompt with an id that was seen is acknowledged and not run again
}

// waiting is a queued message, whole.
type waiting struct {
	Queued
	images []sessionio.Block
}

func (in Input) waiting() waiting {
	kind := in.Kind
	if kind == "" {
		kind = Steer
	}
	return waiting{Queued{ID: rand.Text()[:10], Text: in.Text, Kind: kind}, in.Images}
}

// Prompt starts a turn, or queues while one runs. When it returns nil on an idle agent the message
// is in the file and fsynced; queued reports that it waits instead.
func (a *Agent) Prompt(ctx context.Context, in Input) (queued bool, err error) {
	if strings.TrimSpace(in.Text) == "" && len(in.Images) == 0 {
		return false, errors.New("prompt: the message is empty")
	}
	r, first := a.receipt(in.ClientID)
	if !first {
		select {
		case <-r.done:
			return r.queued, r.err
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
	queued, err = a.accept(in)
	a.settleReceipt(in.ClientID, r, queued, err)
	return queued, err
}

func (a *Agent) accept(in Input) (queued bool, err error) {
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		return false, ErrClosed
	}
	if a.work != nil {
		m := in.waiting()
		a.queue = append(a.queue, m)
		a.tellQueueLocked()
		a.mu.Unlock()
		a.out.flush()
		if err := a.saveQueue(); err != nil {
			if _, still := a.takeBack(m.ID); still {
				return false, err
			} // else it is in the session by now
		}
		return true, nil
	}
	ctx, w := newWork(context.Background())
	a.work = w
	a.startTurnLocked()
	a.mu.Unlock()
	a.out.flush()

	t := a.newTurn()
	if err := a.deliver(t, in.waiting()); err != nil {
		a.fail(t, err)
		a.release(w)
		return false, err
	}
	go a.runFrom(ctx, w, t)
	return false, nil
}

// deliver puts a user's message into the file, durably; it is the turn's unanswered question from then on.
func (a *Agent) deliver(t *turn, m waiting) error {
	if err := a.nameSettings(); err != nil {
		return err
	}
	content := []sessionio.Block{}
	if m.Text != "" {
		content = append(content, sessionio.Block{Type: sessionio.BlockText, Text: m.Text})
	}
	content = append(content, m.images...)
	e, err := a.appendDurable(a.message(sessionio.Message{Role: sessionio.RoleUser, Content: content}))
	if err != nil {
		return err
	}
	if !t.open {
		t.open, t.question, t.parent, t.text = true, e.ID, e.ParentID, m.Text
	}
	return nil
}

// nameSettings writes the model and the thinking level ahead of a message where the path does not
// name them yet, as the format wants at a session's start.
func (a *Agent) nameSettings() error {
	c, err := a.ledger.context(a.sess)
	if err != nil {
		return err
	}
	a.ledger.mu.Lock()
	thinking := a.ledger.thinking
	a.ledger.mu.Unlock()
	st := a.State()
	if !names(c.Model) && names(&st.Model) {
		if _, err := a.append(modelChange(st.Model)); err != nil {
			return err
		}
	}
	if !thinking {
		e := sessionio.Entry{Type: sessionio.TypeThinkingLevelChange, ThinkingLevel: st.ThinkingLevel}
		if _, err := a.append(e); err != nil {
			return err
		}
	}
	return nil
}

// message makes an entry of a message said now.
func (a *Agent) message(m sessionio.Message) sessionio.Entry {
	if m.Timestamp == 0 {
		m.Timestamp = a.o.Now().UnixMilli()
	}
	return sessionio.Entry{Type: sessionio.TypeMessage, Message: &m}
}

// popLocked takes the next message to deliver: those that steer first, then, when all work is done,
// the ones that follow up; each kind in its order, one at a time.
func (a *Agent) popLocked(workDone bool) (waiting, bool) {
	i := slices.IndexFunc(a.queue, func(m waiting) bool { return m.Kind == Steer })
	if i < 0 && workDone && len(a.queue) > 0 {
		i = 0
	}
	if i < 0 {
		return waiting{}, false
	}
	m := a.queue[i]
	a.queue = slices.Delete(slices.Clone(a.queue), i, i+1)
	a.tellQueueLocked()
	return m, true
}

func (a *Agent) pop(workDone bool) (waiting, bool) {
	a.mu.Lock()
	m, ok := a.popLocked(workDone)
	a.mu.Unlock()
	a.out.flush()
	return m, ok
}

// deliverQueued is deliver for a message that waited; one that can't be saved waits on.
func (a *Agent) deliverQueued(t *turn, m waiting) error {
	if err := a.deliver(t, m); err != nil {
		a.putBack(m)
		return err
	}
	_ = a.saveQueue() // at worst the message is delivered again after a restart
	return nil
}

// putBack returns a message that could not be delivered.
func (a *Agent) putBack(m waiting) {
	a.mu.Lock()
	a.queue = slices.Insert(slices.Clone(a.queue), 0, m)
	a.tellQueueLocked()
	a.mu.Unlock()
	a.out.flush()
}

// Dequeue takes a waiting message back (for editing), by id.
func (a *Agent) Dequeue(id string) (Queued, bool) {
	m, ok := a.takeBack(id)
	if ok {
		_ = a.saveQueue() // at worst it comes back after a restart
	}
	return m, ok
}

func (a *Agent) takeBack(id string) (Queued, bool) {
	defer a.out.flush()
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.queue, func(m waiting) bool { return m.ID == id })
	if i < 0 {
		return Queued{}, false
	}
	m := a.queue[i]
	a.queue = slices.Delete(slices.Clone(a.queue), i, i+1)
	a.tellQueueLocked()
	return m.Queued, true
}

// Queue lists what waits.
func (a *Agent) Queue() []Queued {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.queuedLocked()
}

func (a *Agent) queuedLocked() []Queued {
	list := make([]Queued, len(a.queue))
	for i, m := range a.queue {
		list[i] = m.Queued
	}
	return list
}

func (a *Agent) tellQueueLocked() { a.out.put(Event{Queue: a.queuedLocked()}) }
