package agentloop

import (
	"dugout/agentloop/model"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"time"
)

// Event is something that the agent did or that happened to it. One of the pointers is set. Events
// come from one goroutine at a time, in order; a receiver must not block and must not call the agent.
type Event struct {
	Entry      *sessionio.Entry // an entry was appended: it is in the file (fsynced where the design says so)
	Delta      *model.Delta     // a piece of the answer under way
	AnswerEnd  *AnswerEnd       // the answer under way ended; its entry (if any) came just before
	ToolStart  *ToolStart
	ToolOutput *ToolOutput
	ToolEnd    *ToolEnd
	Permission *PermissionAsk   // a question is open
	Answered   *PermissionReply // a question is answered or withdrawn
	Queue      []Queued         // the queue changed (never nil then)
	Retry      *Retry
	Leaf       *sessionio.EntryID // the leaf moved without an append of ours
	Error      *sessionio.ErrorRecord
	State      *State // what the agent is doing changed
}

// AnswerEnd closes a stream of deltas.
type AnswerEnd struct {
	Aborted, Failed bool
	Cut             bool // by the model's output limit: what came is kept
}

// ToolStart says that a tool call runs.
type ToolStart struct {
	CallID, Tool string
	Args         string // JSON
	Effect       tool.Effect
}

// ToolOutput is live output of a running call.
type ToolOutput struct{ CallID, Chunk string }

// ToolEnd closes a call; its result entry came just before.
type ToolEnd struct {
	CallID  string
	IsError bool
}

// PermissionAsk is a question that waits for an answer.
type PermissionAsk struct {
	ID     string
	CallID string
	Tool   string
	Effect tool.Effect
	Reason string
	Rule   string // what "always" would allow, in words; "" when always is not offered
	Asked  time.Time
}

// Answer to a permission question.
type Answer struct {
	Allow  bool
	Always bool   // for the rest of the session: the rule is added to the session's
	Reason string // a word to the model on a denial
	By     string // which client
}

// PermissionReply tells everybody how a question ended.
type PermissionReply struct {
	ID        string
	Answer    Answer
	Withdrawn bool // the turn was aborted
}

// Queued is a message that waits.
type Queued struct {
	ID   string
	Text string
	Kind QueueKind
}

// QueueKind says when a queued message is delivered.
type QueueKind string

const (
	Steer    QueueKind = "steer"     // after the running tool calls
	FollowUp QueueKind = "follow_up" // when all work is done
)

// Retry is a wait before another try.
type Retry struct {
	Attempt, Max int
	Until        time.Time
	Reason       string
}

// Activity is what an agent is doing.
type Activity string

const (
	Idle       Activity = "idle"
	Streaming  Activity = "streaming"
	RunsTool   Activity = "tool"
	Waiting    Activity = "waiting" // for a permission answer
	Compacting Activity = "compacting"
	Retrying   Activity = "retrying"
)

// State is what an agent is doing and has used. Values, no pointers into the agent.
type State struct {
	Activity      Activity
	Since         time.Time // entered the activity
	TurnStarted   time.Time // zero when idle
	Tool          string    // name of the running tool
	Model         sessionio.ModelRef
	Scripted      bool
	ThinkingLevel string
	Permission    string
	ContextTokens int // estimate at the leaf
	ContextWindow int
	LastError     string // of the last turn, "" when it went well
	Verdict       sessionio.Verdict
	Recap         string
}
