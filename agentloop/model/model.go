// Package model is what the agent loop asks of a model provider, and the list of models. Each
// provider has a folder of its own, the only place where its SDK is imported.
package model

import (
	"context"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"time"
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

// ErrorKind classifies a failed call by what can be done about it.
type ErrorKind string

const (
	RateLimited ErrorKind = "rate_limited" // 429: retry, heeding RetryAfter
	Overloaded  ErrorKind = "overloaded"   // 529, 503: retry
	ServerError ErrorKind = "server_error" // other 5xx, an error event in the stream: retry
	Dropped     ErrorKind = "dropped"      // connection refused, reset, a stream cut short: retry
	Stalled     ErrorKind = "stalled"      // the watchdog: retry
	Overflow    ErrorKind = "overflow"     // context too long: compact, then once more
	Auth        ErrorKind = "auth"         // no key, wrong key: tell
	Invalid     ErrorKind = "invalid"      // any other 4xx: tell, never retry
)

// Error is a failed model call.
type Error struct {
	Kind       ErrorKind
	Provider   string
	Model      string
	Status     int           // HTTP status, 0 without one
	RetryAfter time.Duration // 0 when the server named none
	Message    string        // one line for a person: what happened
	Raw        string        // the server's own words, bounded to 4 KiB
	Err        error
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s: %s (HTTP %d)", e.Provider, e.Message, e.Status)
	}
	return fmt.Sprintf("%s: %s", e.Provider, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }

// Retryable says whether trying again can help.
func (e *Error) Retryable() bool {
	switch e.Kind {
	case RateLimited, Overloaded, ServerError, Dropped, Stalled:
		return true
	case Overflow, Auth, Invalid:
	}
	return false
}

// ErrUnknownProvider is wrapped by Registry.Get.
var ErrUnknownProvider = errors.New("provider not configured")

// Info is what the catalog knows of a model.
type Info struct {
	Provider      string
	ID            string
	Name          string
	ContextWindow int // tokens
	MaxOutput     int // tokens
	// dollars per million tokens
	InputPrice, OutputPrice, CacheReadPrice, CacheWritePrice float64
	Thinking                                                 bool
	Images                                                   bool
	Scripted                                                 bool
}

// Registry holds the configured providers and the catalog of models.
type Registry struct{ _ struct{} }

// NewRegistry makes a registry of providers; extra models add to and override the built-in catalog.
func NewRegistry(providers []Provider, extra []Info) *Registry { panic("contract") }

// Get finds the provider of a reference, and what is known of the model (defaults for an unknown
// one: a window of 128,000, output of 8,192, price 0). Wraps ErrUnknownProvider, naming those there are.
func (r *Registry) Get(ref sessionio.ModelRef) (Provider, Info, error) { panic("contract") }

// List returns the models of configured providers.
func (r *Registry) List() []Info { panic("contract") }

// ParseRef splits "provider/model" (the model may hold slashes).
func ParseRef(s string) (sessionio.ModelRef, error) { panic("contract") }

// Price fills in Usage.Cost from a model's prices.
func Price(u sessionio.Usage, m Info) sessionio.Usage { panic("contract") }

// Prepare turns a session's context into messages that any provider takes: bash executions, custom
// messages and summaries become user text; assistant messages that stopped by error or abort are
// left out, with the results of their calls; each remaining call gets its result right after it, in
// order, a synthetic "interrupted" error where none is stored; results without a call are left out;
// empty messages too; unknown blocks are dropped. Pure.
func Prepare(messages []sessionio.Message) []sessionio.Message { panic("contract") }
