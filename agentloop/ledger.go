package agentloop

import (
	"dugout/agentloop/compaction"
	"dugout/sessionio"
	"fmt"
	"sync"
	"time"
)

// ledger is the agent's way to its file: appends one after the other, each told as an event before
// the next. While work goes on it keeps the context at the leaf, so that a model call reads nothing
// again; some time after the work it lets go of it.
type ledger struct {
	mu       sync.Mutex
	ctx      *sessionio.Context
	timer    *time.Timer    // forgets ctx
	messages int            // message entries in the file
	thinking bool           // the path names a thinking level
	git      *sessionio.Git // what the path says of the repository; nil when not looked up
}

// storageError is an append or a sync that failed: what it was to keep is not saved.
type storageError struct{ err error }

func (e *storageError) Error() string { return "not saved: " + e.err.Error() }
func (e *storageError) Unwrap() error { return e.err }

func (l *ledger) start(s *sessionio.Session) {
	l.mu.Lock()
	defer l.mu.Unlock()
	tree := s.Tree()
	l.messages = 0
	for _, m := range tree.All() {
		if m.Type == sessionio.TypeMessage {
			l.messages++
		}
	}
	l.look(s)
}

// look forgets the context and sees what the path at the leaf names.
func (l *ledger) look(s *sessionio.Session) {
	l.ctx, l.thinking, l.git = nil, false, nil
	for _, m := range s.Tree().Path(s.Leaf()) {
		l.thinking = l.thinking || m.Type == sessionio.TypeThinkingLevelChange
	}
}

func (l *ledger) forget() {
	l.mu.Lock()
	l.ctx = nil
	l.mu.Unlock()
}

// keepContext is how long an idle agent keeps its context: a person who answers at once waits for no
// reading of the file, a thousand idle sessions cost no memory for what was said in them.
const keepContext = 2 * time.Minute

func (l *ledger) forgetLater() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer == nil {
		l.timer = time.AfterFunc(keepContext, l.forget)
		return
	}
	l.timer.Reset(keepContext)
}

func (l *ledger) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ctx = nil
	if l.timer != nil {
		l.timer.Stop()
	}
}

// context is the session's context at the leaf, from memory where it is known.
func (l *ledger) context(s *sessionio.Session) (sessionio.Context, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx == nil {
		c, err := s.Context()
		if err != nil {
			return c, err
		}
		l.ctx = &c
	}
	return *l.ctx, nil
}

// note takes an appended entry into what is kept. What would need more than the entry itself
// (a compaction, a summary) drops the context: it is built again when it is asked for.
func (l *ledger) note(e sessionio.Entry) {
	switch e.Type {
	case sessionio.TypeMessage:
		l.messages++
	case sessionio.TypeThinkingLevelChange:
		l.thinking = true
	case sessionio.TypeGitState:
		l.git = e.Git
	}
	if l.ctx == nil {
		return
	}
	c := l.ctx
	switch e.Type {
	case sessionio.TypeMessage:
		c.Messages = append(c.Messages, *e.Message)
		c.EntryIDs = append(c.EntryIDs, e.ID)
		if e.Message.Role == sessionio.RoleAssistant {
			c.Model = &sessionio.ModelRef{Provider: e.Message.Provider, Model: e.Message.Model}
		}
	case sessionio.TypeModelChange:
		c.Model = &sessionio.ModelRef{Provider: e.Provider, Model: e.ModelID}
	case sessionio.TypeThinkingLevelChange:
		c.ThinkingLevel = e.ThinkingLevel
	case sessionio.TypeCustom, sessionio.TypeLabel, sessionio.TypeSessionInfo, sessionio.TypeSessionState,
		sessionio.TypeAgentStatus, sessionio.TypeGitState, sessionio.TypeChildUsageAttributed:
	default:
		l.ctx = nil
	}
}

// append adds an entry at the leaf.
func (a *Agent) append(e sessionio.Entry) (sessionio.Entry, error) { return a.write(e, nil, false) }

// appendDurable is append with an fsync before anyone hears of it.
func (a *Agent) appendDurable(e sessionio.Entry) (sessionio.Entry, error) {
	return a.write(e, nil, true)
}

// appendUnder is append below another entry than the leaf.
func (a *Agent) appendUnder(parent sessionio.EntryID, e sessionio.Entry) (sessionio.Entry, error) {
	return a.write(e, &parent, false)
}

func (a *Agent) write(e sessionio.Entry, under *sessionio.EntryID, durable bool) (sessionio.Entry, error) {
	got, err := a.writeLocked(e, under, durable)
	if err != nil {
		return got, &storageError{fmt.Errorf("%s: %w", a.sess.Path(), err)}
	}
	if got.Type == sessionio.TypeMessage {
		a.countTokens(got)
	}
	a.out.flush()
	return got, nil
}

func (a *Agent) writeLocked(e sessionio.Entry, under *sessionio.EntryID, durable bool) (sessionio.Entry, error) {
	l := &a.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	var got sessionio.Entry
	var err error
	if under == nil {
		got, err = a.sess.Append(e)
	} else {
		got, err = a.sess.AppendUnder(*under, e)
	}
	if err == nil && durable {
		err = a.sess.Sync()
	}
	if err != nil {
		l.ctx = nil // what is on disk now is for the next reader to see
		return got, err
	}
	l.note(got)
	if under != nil {
		l.look(a.sess)
	}
	a.out.put(Event{Entry: &got})
	return got, nil
}

// countTokens keeps the estimate of the context's size up with the file.
func (a *Agent) countTokens(e sessionio.Entry) {
	a.ledger.mu.Lock()
	tokens := -1
	if c := a.ledger.ctx; c != nil {
		tokens = compaction.ContextTokens(c.Messages)
	}
	a.ledger.mu.Unlock()
	a.update(func(st *State) {
		if tokens < 0 {
			tokens = st.ContextTokens + compaction.MessageTokens(*e.Message)
		}
		st.ContextTokens = tokens
	})
}

// sync makes all that was appended durable.
func (a *Agent) sync() error {
	if err := a.sess.Sync(); err != nil {
		return &storageError{fmt.Errorf("%s: %w", a.sess.Path(), err)}
	}
	return nil
}
