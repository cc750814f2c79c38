// Package agentloop is one agent: it owns one session file and runs turns in it. Build the context,
// call the model, stream, run tools, repeat, until the model stops. Everything it does is an Event;
// everything that matters is an entry first.
package agentloop

import (
	"context"
	"dugout/agentloop/compaction"
	"dugout/agentloop/model"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Errors that callers branch on.
var (
	ErrBusy   = errors.New("a turn is running")
	ErrClosed = errors.New("agent is closed")
	// ErrAborted is returned by work that somebody stopped. An aborted turn is no error.
	ErrAborted = errors.New("aborted")
)

// Options of New.
type Options struct {
	Session     *sessionio.Session
	Models      *model.Registry
	Model       sessionio.ModelRef // what the session names wins over it
	Tools       []tool.Tool
	Permission  permission.Mode
	Rules       []permission.Rule
	Home        string // dugout's own home, sensitive
	ArtifactDir string
	CWD         string // where tools run; default the header's
	Env         []string
	System      func() string // the current system prompt, asked for at each turn; nil is none
	Emit        func(Event)   // nil is nobody
	Headless    bool          // no one can answer: "ask" denies and says so
	Retry       RetryPolicy
	Watchdog    time.Duration // silence that ends a stream; default 3 minutes
	Compaction  CompactionSettings
	Now         func() time.Time
}

// RetryPolicy bounds the tries of one model call.
type RetryPolicy struct {
	Max  int           // further tries after the first; default 3, negative none
	Base time.Duration // default 2 s, doubling, with jitter; Retry-After wins
	Cap  time.Duration // longest wait that is taken; a longer Retry-After fails with a clear word; default 5 min
}

// CompactionSettings as in the format's reference: 16,384 reserved, 20,000 kept.
type CompactionSettings struct {
	Off                             bool
	ReserveTokens, KeepRecentTokens int
}

// Agent runs one session. Methods may be called from several goroutines and return at once, but
// those that say that they wait.
//
// Three locks: the ledger's (around an append and the event that tells of it, so that events have the
// order of the file), mu (what the agent is doing; never held over a write), and the outbox's (events
// on their way out; the only one taken under another). None is held while Emit, a tool or a provider
// runs.
type Agent struct {
	o     Options
	sess  *sessionio.Session
	tools map[string]tool.Tool
	specs []model.ToolSpec
	sleep func(ctx context.Context, d time.Duration) error
	git   func(ctx context.Context, dir string) *sessionio.Git

	out       outbox
	ledger    ledger
	queueFile queueFile

	mu     sync.Mutex
	st     State
	work   *work // nil when idle
	queue  []waiting
	seen   receipts
	asks   []*openAsk
	mode   permission.Mode
	rules  []permission.Rule
	closed bool
}

// New makes an idle agent. Nothing is written before the next prompt: what an interrupted turn left
// open is closed in the next request, by model.Prepare.
func New(o Options) (*Agent, error) {
	if o.Session == nil || o.Models == nil {
		return nil, errors.New("agent: needs a session and a model registry")
	}
	o = o.withDefaults()
	a := &Agent{
		o: o, sess: o.Session, tools: make(map[string]tool.Tool, len(o.Tools)),
		sleep: sleep, git: sessionio.GitSnapshot, mode: o.Permission, rules: append([]permission.Rule(nil), o.Rules...),
	}
	a.out.emit = o.Emit
	for _, t := range o.Tools {
		if _, twice := a.tools[t.Name()]; twice {
			return nil, fmt.Errorf("agent: two tools are named %q", t.Name())
		}
		a.tools[t.Name()] = t
		a.specs = append(a.specs, model.ToolSpec{Name: t.Name(), Description: t.Description(), Schema: t.Schema()})
	}
	a.ledger.start(a.sess)
	a.st = State{Activity: Idle, Since: o.Now(), Permission: string(a.mode)}
	if err := a.surveyLeaf(); err != nil {
		return nil, fmt.Errorf("read %s: %w", a.sess.Path(), err)
	}
	if info := a.sess.Info(); info.Status != nil {
		a.st.Recap = info.Status.Summary
		if info.Status.BasedOnMessageCount >= a.ledger.messages {
			a.st.Verdict = info.Status.TaskState // else the turn after it was aborted or failed
		}
	}
	a.ledger.forget()
	a.loadQueue()
	return a, nil
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Watchdog <= 0 {
		o.Watchdog = 3 * time.Minute
	}
	if o.Permission == "" {
		o.Permission = permission.Ask
	}
	if o.CWD == "" {
		o.CWD = o.Session.Header().CWD
	}
	if o.System == nil {
		o.System = func() string { return "" }
	}
	if o.Emit == nil {
		o.Emit = func(Event) {}
	}
	o.Retry = o.Retry.withDefaults()
	o.Compaction = o.Compaction.withDefaults()
	return o
}

func (c CompactionSettings) withDefaults() CompactionSettings {
	if c.ReserveTokens <= 0 {
		c.ReserveTokens = 16384
	}
	if c.KeepRecentTokens <= 0 {
		c.KeepRecentTokens = 20000
	}
	return c
}

// surveyLeaf reads from the path what holds at the leaf: model, thinking level, tokens.
func (a *Agent) surveyLeaf() error {
	c, err := a.ledger.context(a.sess)
	if err != nil {
		return err
	}
	a.update(func(st *State) {
		st.Model = a.o.Model
		if names(c.Model) {
			st.Model = *c.Model
		}
		st.ThinkingLevel = c.ThinkingLevel
		st.ContextTokens = compaction.ContextTokens(c.Messages)
		a.describeModel(st)
	})
	return nil
}

// names says whether a path names a model; an answer without a provider names none.
func names(ref *sessionio.ModelRef) bool { return ref != nil && ref.Provider != "" && ref.Model != "" }

// describeModel fills in what the catalog knows of the model; an unknown provider leaves it open
// until the next prompt says so.
func (a *Agent) describeModel(st *State) {
	st.Scripted, st.ContextWindow = false, 0
	if _, info, err := a.o.Models.Get(st.Model); err == nil {
		st.Scripted, st.ContextWindow = info.Scripted, info.ContextWindow
	}
}

// State is the agent's present state.
func (a *Agent) State() State {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.st
}

// update changes the state and tells of it when it did change.
func (a *Agent) update(change func(*State)) {
	a.mu.Lock()
	a.updateLocked(change)
	a.mu.Unlock()
	a.out.flush()
}

func (a *Agent) updateLocked(change func(*State)) {
	was := a.st
	change(&a.st)
	if a.st.Activity != was.Activity {
		a.st.Since = a.o.Now()
	}
	if a.st != was {
		st := a.st
		a.out.put(Event{State: &st})
	}
}
