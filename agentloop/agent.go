// Package agentloop is one agent: it owns one session file and runs turns in it. Build the context,
// call the model, stream, run tools, repeat, until the model stops. Everything it does is an Event;
// everything that matters is an entry first.
package agentloop

import (
	"context"
	"errors"
	"time"

	"dugout/agentloop/model"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/sessionio"
)

// Errors that callers branch on.
var (
	ErrBusy   = errors.New("a turn is running")
	ErrClosed = errors.New("agent is closed")
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
	System      func() string // the current system prompt, asked for at each turn
	Emit        func(Event)
	Headless    bool // no one can answer: "ask" denies and says so
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

// Agent runs one session. Methods may be called from several goroutines and return at once.
type Agent struct{ _ struct{} }

// New makes an idle agent. It closes what an interrupted turn left open: nothing is written before
// the next prompt.
func New(o Options) (*Agent, error) { panic("contract") }

// Input is a user's message.
type Input struct {
	Text     string
	Images   []sessionio.Block
	Kind     QueueKind // when a turn runs; default Steer
	ClientID string    // a prompt with an id that was seen is acknowledged and not run again
}

// Prompt starts a turn, or queues while one runs. When it returns nil on an idle agent the message
// is in the file and fsynced; queued reports that it waits instead.
func (a *Agent) Prompt(ctx context.Context, in Input) (queued bool, err error) { panic("contract") }

// Dequeue takes a waiting message back (for editing), by id.
func (a *Agent) Dequeue(id string) (Queued, bool) { panic("contract") }

// Abort ends the running turn or compaction: the partial answer is kept, each unfinished call gets
// a synthetic result, the queue stays. It returns when all of that is on disk.
func (a *Agent) Abort(ctx context.Context) error { panic("contract") }

// Answer answers an open permission question; false when it is not open (any more).
func (a *Agent) Answer(id string, ans Answer) bool { panic("contract") }

// Pending lists the open permission questions, oldest first.
func (a *Agent) Pending() []PermissionAsk { panic("contract") }

// Queue lists what waits.
func (a *Agent) Queue() []Queued { panic("contract") }

// State is the agent's present state.
func (a *Agent) State() State { panic("contract") }

// Compact summarises older context into a compaction entry; focus may be "". A failed or aborted
// one leaves everything as it was.
func (a *Agent) Compact(ctx context.Context, focus string) error { panic("contract") }

// Navigated is where a move of the leaf ended.
type Navigated struct {
	Leaf       sessionio.EntryID
	EditorText string // of the user message that was chosen
}

// Navigate moves the leaf in place: to the parent of a user or custom message (its text comes back
// for the editor), to anything else itself. With summarise the branch left behind gets a
// branch_summary. ErrBusy while a turn runs.
func (a *Agent) Navigate(ctx context.Context, to sessionio.EntryID, summarise bool) (Navigated, error) {
	panic("contract")
}

// SetModel changes the model from the next call on, as an entry.
func (a *Agent) SetModel(ref sessionio.ModelRef) error { panic("contract") }

// SetThinking changes the thinking level, as an entry.
func (a *Agent) SetThinking(level string) error { panic("contract") }

// SetPermission changes the mode; open questions that it would allow are allowed.
func (a *Agent) SetPermission(m permission.Mode) error { panic("contract") }

// Rename, Archive and Label append their entry.
func (a *Agent) Rename(name string) error                           { panic("contract") }
func (a *Agent) Archive(on bool) error                              { panic("contract") }
func (a *Agent) Label(target sessionio.EntryID, label string) error { panic("contract") }

// Wait returns when the agent is idle with an empty queue.
func (a *Agent) Wait(ctx context.Context) error { panic("contract") }

// Close aborts, waits, syncs and closes the session.
func (a *Agent) Close(ctx context.Context) error { panic("contract") }
