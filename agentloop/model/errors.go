package model

import (
	"fmt"
	"time"
)

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
