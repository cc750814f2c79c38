package host

import (
	"context"
	"dugout/agentloop"
	"dugout/agentloop/model"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// refuse makes a refusal with a code.
func refuse(code int, format string, args ...any) error {
	return &protocol.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// wireError is what a client is told of an error. The order matters: the more particular first.
func wireError(err error) *protocol.Error {
	var e *protocol.Error
	if errors.As(err, &e) {
		return e
	}
	return &protocol.Error{Code: codeOf(err), Message: err.Error()}
}

func codeOf(err error) int {
	var failed *model.Error
	switch {
	case errors.Is(err, sessionio.ErrHeld):
		return protocol.CodeHeld
	case errors.Is(err, sessionio.ErrNotSession):
		return protocol.CodeNotSession
	case errors.Is(err, store.ErrNotFound), errors.Is(err, store.ErrAmbiguous), errors.Is(err, sessionio.ErrNoEntry),
		errors.Is(err, fs.ErrNotExist):
		return protocol.CodeNotFound
	case errors.Is(err, agentloop.ErrBusy):
		return protocol.CodeBusy
	case errors.Is(err, model.ErrUnknownProvider), errors.As(err, &failed):
		return protocol.CodeProvider
	case errors.Is(err, sessionio.ErrReadOnly), errors.Is(err, sessionio.ErrChanged), errors.Is(err, syscall.ENOSPC),
		errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EIO), errors.Is(err, fs.ErrPermission):
		return protocol.CodeStorage
	case errors.Is(err, errShutdown):
		return protocol.CodeShutdown
	case errors.Is(err, agentloop.ErrAborted), errors.Is(err, context.Canceled), errors.Is(err, agentloop.ErrClosed):
		return protocol.CodeAborted
	}
	return protocol.CodeInternal
}

// errShutdown refuses what would start work in a daemon that leaves.
var errShutdown = errors.New("the daemon is shutting down: try again in a moment")
