package main

import (
	"context"
	"dugout/agentloop/model"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"errors"
)

// Exit statuses: a contract with scripts.
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotFound    = 3 // no such session, or ambiguous
	exitHeld        = 4 // held by another writer
	exitProvider    = 5
	exitDenied      = 6
	exitNeedsYou    = 7
	exitTimeout     = 8
	exitInterrupted = 130
)

// usageError is a command line that can't be understood.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// statusError carries an exit status of its own.
type statusError struct {
	status int
	err    error
}

func (e statusError) Error() string { return e.err.Error() }
func (e statusError) Unwrap() error { return e.err }

// exitStatus maps an error to its status. The one place that does.
func exitStatus(err error) int {
	var usage usageError
	var status statusError
	var wire *protocol.Error
	var provider *model.Error
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &status):
		return status.status
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.Is(err, context.DeadlineExceeded):
		return exitTimeout
	case errors.As(err, &wire):
		return wireStatus(wire.Code)
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrAmbiguous):
		return exitNotFound
	case errors.Is(err, sessionio.ErrHeld):
		return exitHeld
	case errors.As(err, &provider), errors.Is(err, model.ErrUnknownProvider):
		return exitProvider
	default:
		return exitFailed
	}
}

func wireStatus(code int) int {
	switch code {
	case protocol.CodeNotFound:
		return exitNotFound
	case protocol.CodeHeld:
		return exitHeld
	case protocol.CodeProvider:
		return exitProvider
	case protocol.CodeParams, protocol.CodeNoMethod:
		return exitUsage
	default:
		return exitFailed
	}
}
