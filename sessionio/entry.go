package sessionio

import (
	"encoding/json"
	"time"
)

// EntryType is the "type" of an entry's line.
type EntryType string

// The entry types of the format. Any other string is an unknown type: kept, passed over.
const (
	TypeMessage              EntryType = "message"
	TypeCustomMessage        EntryType = "custom_message"
	TypeCustom               EntryType = "custom"
	TypeModelChange          EntryType = "model_change"
	TypeThinkingLevelChange  EntryType = "thinking_level_change"
	TypeServiceTierChange    EntryType = "service_tier_change"
	TypeCompaction           EntryType = "compaction"
	TypeBranchSummary        EntryType = "branch_summary"
	TypeLabel                EntryType = "label"
	TypeSessionInfo          EntryType = "session_info"
	TypeSessionState         EntryType = "session_state"
	TypeAgentStatus          EntryType = "agent_status"
	TypeGitState             EntryType = "git_state"
	TypeChildUsageAttributed EntryType = "child_usage_attributed"
)

// The customType values of dugout's own custom entries.
const (
	CustomError = "dugout.error" // errors trail; Data is an ErrorRecord
	CustomLeaf  = "dugout.leaf"  // a move of the leaf with nothing said after it
)

// Entry is one line of a session file but the header: the base fields, and of the others those
// that its Type uses. Wrong-shaped fields read as absent. Its JSON form is its line: an entry that
// was read marshals to the bytes it was read from.
type Entry struct {
	Type      EntryType
	ID        EntryID
	ParentID  EntryID   // "" for a root; written as null
	Timestamp time.Time // zero when absent or unreadable

	Message *Message // message

	CustomType string          // custom, custom_message
	Data       json.RawMessage // custom
	Content    []Block         // custom_message; a plain string reads as one text block
	Display    bool            // custom_message
	Details    json.RawMessage // custom_message, compaction, branch_summary

	Provider      string  // model_change
	ModelID       string  // model_change
	ThinkingLevel string  // thinking_level_change: off minimal low medium high xhigh max
	ServiceTier   *string // service_tier_change: nil is an explicit null

	Summary            string  // compaction, branch_summary
	FirstKeptEntryID   EntryID // compaction: retained are the entries from here to the compaction
	TokensBefore       int     // compaction: estimated tokens of the context it replaced
	FromHook           *bool   // compaction, branch_summary
	CustomInstructions string  // compaction
	FromID             string  // branch_summary: the entry it hangs under, or "root"

	TargetID       EntryID // label, child_usage_attributed
	Label          string  // label: "" clears
	Name           string  // session_info: "" clears
	State          *State  // session_state
	Status         *AgentStatus
	Git            *Git   // git_state
	ChildUsage     *Usage // child_usage_attributed
	AggregateUsage *Usage // child_usage_attributed
	Origin         string // child_usage_attributed: spawn_task, agent_message, direct_user

	Raw json.RawMessage // the line as read, without its LF; nil for an entry made here
}

// State is the body of a session_state entry.
type State struct {
	Status string `json:"status"` // active, archived; legacy sleep and hidden read as archived, crash as itself
}

// Verdict is what became of a settled turn.
type Verdict string

const (
	VerdictNeedsInput Verdict = "needs_input"
	VerdictCompleted  Verdict = "completed"
)

// AgentStatus is the body of an agent_status entry.
type AgentStatus struct {
	Summary             string  `json:"summary"` // the recap: at most 12 words
	TaskState           Verdict `json:"taskState,omitempty"`
	BasedOnMessageCount int     `json:"basedOnMessageCount"`
}

// ErrorKind says at what a run failed.
type ErrorKind string

const (
	ErrorGeneration ErrorKind = "generation"
	ErrorCompaction ErrorKind = "compaction"
	ErrorResume     ErrorKind = "resume"
)

// ErrorRecord is one record of the errors trail. A cancelled turn is not an error.
type ErrorRecord struct {
	Time     time.Time `json:"time"`
	Turn     int       `json:"turn"` // user messages on the path so far
	Kind     ErrorKind `json:"kind"`
	Question string    `json:"question,omitempty"` // first line of the question being answered
	Line     string    `json:"line"`               // as shown
	Raw      string    `json:"raw,omitempty"`      // the raw error when it says more
	Provider string    `json:"provider,omitempty"`
	Model    string    `json:"model,omitempty"`
}
