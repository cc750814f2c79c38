package protocol

import (
	"dugout/sessionio"
	"time"
)

// State is what a session is doing. The first six are a live session's.
type State string

const (
	StateStreaming  State = "streaming"
	StateTool       State = "tool"
	StateCompacting State = "compacting"
	StateRetrying   State = "retrying"
	StateWaiting    State = "waiting" // for a permission answer
	StateQueued     State = "queued"  // messages wait and nothing runs
	StateIdle       State = "idle"
	StateArchived   State = "archived" // saved
	StateSaved      State = "saved"
)

// Attention is what a session wants of the person.
type Attention string

const (
	AttentionNone       Attention = ""
	AttentionPermission Attention = "permission" // a call waits for an answer
	AttentionQuestion   Attention = "question"   // the turn ended on a question
	AttentionFailed     Attention = "failed"     // the last turn failed
	AttentionFinished   Attention = "finished"   // settled, and nobody has looked since
)

// Summary is a live session at a glance. All text is raw: sanitize before it meets a terminal.
type Summary struct {
	ID           sessionio.ID      `json:"id"`
	Path         string            `json:"path"`
	OnDisk       bool              `json:"onDisk"` // the file exists
	CWD          string            `json:"cwd"`
	Name         string            `json:"name,omitempty"`
	FirstMessage string            `json:"firstMessage,omitempty"`
	Recap        string            `json:"recap,omitempty"`
	Verdict      sessionio.Verdict `json:"verdict,omitempty"`

	State      State       `json:"state"`
	Since      time.Time   `json:"since"` // entered the state
	Attention  Attention   `json:"attention,omitempty"`
	Activity   string      `json:"activity,omitempty"` // one line: the running tool's title, the retry's reason
	LastError  string      `json:"lastError,omitempty"`
	Permission *Permission `json:"permission,omitempty"` // the oldest open question
	Pending    int         `json:"pending,omitempty"`    // open questions
	Queued     int         `json:"queued,omitempty"`
	Clients    int         `json:"clients"`

	Model         string `json:"model"`
	Scripted      bool   `json:"scripted,omitempty"`
	ThinkingLevel string `json:"thinkingLevel,omitempty"`
	Mode          string `json:"mode"` // permission mode
	GitBranch     string `json:"gitBranch,omitempty"`

	Created       time.Time `json:"created"`
	Modified      time.Time `json:"modified"` // last user or assistant message
	MessageCount  int       `json:"messageCount"`
	UserMessages  int       `json:"userMessages"`
	Errors        int       `json:"errors,omitempty"`
	CostUSD       float64   `json:"costUSD,omitempty"`
	Tokens        int       `json:"tokens,omitempty"`
	ContextTokens int       `json:"contextTokens,omitempty"`
	ContextWindow int       `json:"contextWindow,omitempty"`

	Parent          sessionio.ID `json:"parent,omitempty"` // a child session's parent
	Depth           int          `json:"depth,omitempty"`
	RunningChildren int          `json:"runningChildren,omitempty"`
}

// RosterSnapshot is all live sessions as they stand.
type RosterSnapshot struct {
	Sessions []Summary `json:"sessions"`
	Cursor   Cursor    `json:"cursor"`
}

// RosterEvent is a change of the set of live sessions. Snapshot, when set, takes the place of
// everything known (the client was too slow). Seq grows by one.
type RosterEvent struct {
	Cursor   Cursor          `json:"cursor"`
	Changed  []Summary       `json:"changed,omitempty"`
	Gone     []Gone          `json:"gone,omitempty"`
	Snapshot *RosterSnapshot `json:"snapshot,omitempty"`
}

// Gone is a session that is no longer live.
type Gone struct {
	ID     sessionio.ID `json:"id"`
	Path   string       `json:"path"`
	Reason string       `json:"reason"` // stopped, deleted, archived, idle, moved, shutdown
}
