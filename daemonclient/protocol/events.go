package protocol

import (
	"dugout/sessionio"
	"time"
)

// EventType is the type of an Event.
type EventType string

const (
	EventEntry      EventType = "entry"       // Entry: appended to the file; it is the leaf
	EventDelta      EventType = "delta"       // Delta: a piece of the answer under way
	EventAnswerEnd  EventType = "answer_end"  // the answer under way is over; its entry came before
	EventToolStart  EventType = "tool_start"  // Tool
	EventToolOutput EventType = "tool_output" // Tool.CallID, Tool.Output: a chunk
	EventToolEnd    EventType = "tool_end"    // Tool.CallID, Tool.IsError; the result's entry came before
	EventPermission EventType = "permission"  // Permission: a question is open
	EventAnswered   EventType = "answered"    // Answered
	EventQueue      EventType = "queue"       // Queue, whole
	EventRetry      EventType = "retry"       // Retry
	EventError      EventType = "error"       // Error: a record of the errors trail
	EventSummary    EventType = "summary"     // Summary: the session's live summary changed
	EventSnapshot   EventType = "snapshot"    // Snapshot: takes the place of all before it
	EventClosed     EventType = "closed"      // Reason: stopped, deleted, archived, idle, moved, shutdown
)

// Event is one thing that happened in an attached session. The field of its type is set.
type Event struct {
	Session    sessionio.ID `json:"session"`
	Generation string       `json:"generation"`
	Seq        uint64       `json:"seq"`
	Type       EventType    `json:"type"`

	Entry      *sessionio.Entry       `json:"entry,omitempty"`
	Delta      *Delta                 `json:"delta,omitempty"`
	Tool       *ToolRun               `json:"tool,omitempty"`
	Permission *Permission            `json:"permission,omitempty"`
	Answered   *Answered              `json:"answered,omitempty"`
	Queue      []Queued               `json:"queue,omitempty"`
	Retry      *Retry                 `json:"retry,omitempty"`
	Error      *sessionio.ErrorRecord `json:"error,omitempty"`
	Summary    *Summary               `json:"summary,omitempty"`
	Snapshot   *Snapshot              `json:"snapshot,omitempty"`
	Reason     string                 `json:"reason,omitempty"`
}

// Delta is a piece of an answer: text, thinking, tool_start or tool_args.
type Delta struct {
	Kind     string `json:"kind"`
	Block    int    `json:"block"`
	Text     string `json:"text,omitempty"`
	ToolID   string `json:"toolId,omitempty"`
	ToolName string `json:"toolName,omitempty"`
}

// ToolRun is a running tool call.
type ToolRun struct {
	CallID  string    `json:"callId"`
	Tool    string    `json:"tool,omitempty"`
	Args    string    `json:"args,omitempty"` // JSON
	Title   string    `json:"title,omitempty"`
	Output  string    `json:"output,omitempty"`
	Started time.Time `json:"started,omitzero"`
	IsError bool      `json:"isError,omitempty"`
}

// Permission is an open question: may this call run?
type Permission struct {
	ID      string    `json:"id"`
	CallID  string    `json:"callId"`
	Tool    string    `json:"tool"`
	Kind    string    `json:"kind"` // edit, exec, spawn, read
	Title   string    `json:"title"`
	Command string    `json:"command,omitempty"` // exact
	Paths   []string  `json:"paths,omitempty"`
	Preview string    `json:"preview,omitempty"` // diff or content
	Reason  string    `json:"reason"`
	Rule    string    `json:"rule,omitempty"` // what "always" would allow; "" when it is not offered
	Asked   time.Time `json:"asked"`
}

// Answered tells how a question ended.
type Answered struct {
	ID        string `json:"id"`
	Allow     bool   `json:"allow"`
	Always    bool   `json:"always,omitempty"`
	By        string `json:"by,omitempty"`
	Withdrawn bool   `json:"withdrawn,omitempty"`
}

// Queued is a message that waits.
type Queued struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	FollowUp bool   `json:"followUp,omitempty"`
}

// Retry is a wait before another try.
type Retry struct {
	Attempt int       `json:"attempt"`
	Max     int       `json:"max"`
	Until   time.Time `json:"until"`
	Reason  string    `json:"reason"`
}

// Snapshot is everything that a chat needs to draw a session.
type Snapshot struct {
	Summary     Summary           `json:"summary"`
	Entries     []sessionio.Entry `json:"entries"` // the end of the path, oldest first
	More        bool              `json:"more"`    // older ones exist: session.entries
	Leaf        sessionio.EntryID `json:"leaf"`
	Partial     []Delta           `json:"partial,omitempty"` // the answer under way, one merged delta a block
	Tools       []ToolRun         `json:"tools,omitempty"`   // running, with the output's end (64 KiB)
	Permissions []Permission      `json:"permissions,omitempty"`
	Queue       []Queued          `json:"queue,omitempty"`
	Retry       *Retry            `json:"retry,omitempty"`
}
