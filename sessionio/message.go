package sessionio

import "encoding/json"

// Role is who said a message.
type Role string

// Roles. The last three are never read from a "message" entry of a version 3 file (custom may be,
// in files migrated from version 2); they are made by context building.
const (
	RoleUser              Role = "user"
	RoleAssistant         Role = "assistant"
	RoleToolResult        Role = "toolResult"
	RoleBash              Role = "bashExecution"
	RoleCustom            Role = "custom"
	RoleBranchSummary     Role = "branchSummary"
	RoleCompactionSummary Role = "compactionSummary"
)

// StopReason is why an assistant message ended.
type StopReason string

const (
	StopEnd     StopReason = "stop"
	StopLength  StopReason = "length"
	StopToolUse StopReason = "toolUse"
	StopError   StopReason = "error"
	StopAborted StopReason = "aborted"
)

// Message is what one role said. Which fields are set depends on the role; wrong-shaped ones read
// as absent. One that was read marshals to the bytes that it was read from.
type Message struct {
	Role      Role
	Content   []Block // user, assistant, toolResult, custom; a plain string reads as one text block
	Timestamp int64   // Unix milliseconds; 0 when absent

	// assistant
	API           string
	Provider      string
	Model         string
	ResponseModel string
	ResponseID    string
	Usage         *Usage
	StopReason    StopReason
	StopReasonRaw string
	ErrorMessage  string

	// toolResult
	ToolCallID string
	ToolName   string
	IsError    bool
	Details    json.RawMessage // toolResult, custom

	// bashExecution
	Command            string
	Output             string
	ExitCode           *int
	Cancelled          bool
	Truncated          bool
	FullOutputPath     string
	ExcludeFromContext bool

	// made by context building
	CustomType           string
	Display              bool
	Summary              string // branchSummary, compactionSummary
	FromID               string
	TokensBefore         int
	RetainedMessageCount int
	CustomInstructions   string

	Raw json.RawMessage // as read; nil for a message made here
}

// BlockType is the "type" of a content block.
type BlockType string

const (
	BlockText     BlockType = "text"
	BlockThinking BlockType = "thinking"
	BlockImage    BlockType = "image"
	BlockToolCall BlockType = "toolCall"
)

// Block is one part of a message's content.
type Block struct {
	Type BlockType

	Text          string // text
	TextSignature string

	Thinking          string // thinking
	ThinkingSignature string // opaque; must go back to the provider untouched
	Redacted          bool   // the payload is in the signature

	Data     string // image: base64
	MimeType string

	ID               string // toolCall
	Name             string
	Arguments        json.RawMessage // a JSON object
	ThoughtSignature string

	Raw json.RawMessage // as read; nil for a block made here
}

// Usage counts the tokens of one model call and what they cost.
type Usage struct {
	Input       int  `json:"input"`
	Output      int  `json:"output"`
	CacheRead   int  `json:"cacheRead"`
	CacheWrite  int  `json:"cacheWrite"`
	TotalTokens int  `json:"totalTokens"`
	Cost        Cost `json:"cost"`
}

// Cost is in US dollars.
type Cost struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
	Total      float64 `json:"total"`
}
