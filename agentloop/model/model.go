// Package model is what the agent loop asks of a model provider, and the list of models. Each
// provider has a folder of its own, the only place where its SDK is imported.
package model

import (
	"context"
	"dugout/sessionio"
	"encoding/json"
)

// Provider makes model calls. Implementations keep no state between calls and retry nothing:
// retries are the loop's, seen and cancellable.
type Provider interface {
	Name() string
	// Stream makes one model call, telling emit each delta as it arrives, in order, from one
	// goroutine. It returns the assistant message, with usage and stop reason. On an error (always
	// an *Error but for ctx's own) the message holds what had arrived, or is nil. A message that
	// came with an error must not have its tool calls run.
	Stream(ctx context.Context, req Request, emit func(Delta)) (*sessionio.Message, error)
}

// Request is one model call. Messages are valid: every tool call is followed by its result, no
// message is empty. The loop sees to that (Prepare).
type Request struct {
	Model         string // the provider's own id
	System        string
	Messages      []sessionio.Message // user, assistant, toolResult only
	Tools         []ToolSpec
	MaxTokens     int    // 0: the model's own limit
	ThinkingLevel string // off minimal low medium high xhigh max
}

// ToolSpec describes a tool to the model.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object
}

// DeltaKind is the kind of a Delta.
type DeltaKind string

const (
	DeltaText      DeltaKind = "text"
	DeltaThinking  DeltaKind = "thinking"
	DeltaToolStart DeltaKind = "tool_start" // ToolID, ToolName
	DeltaToolArgs  DeltaKind = "tool_args"  // Text: a piece of the arguments' JSON
)

// Delta is a piece of an answer.
type Delta struct {
	Kind     DeltaKind
	Block    int // index into the message's content
	Text     string
	ToolID   string
	ToolName string
}
