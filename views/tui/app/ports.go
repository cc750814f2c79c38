package app

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/roster/live"
	"dugout/views/tui/rosterview"
	"errors"
	"time"
)

// Feed is the running roster; *live.Feed is one.
type Feed interface {
	Updates() <-chan live.Update
	Client() *daemonclient.Client // nil when there is no connection
	Touch(path string)
}

// errNoDaemon says that a call can't be made now.
var errNoDaemon = errors.New("the daemon does not answer; trying again in the background")

const (
	callTime   = 15 * time.Second
	deleteTime = 90 * time.Second // a trash program may be slow

	memoryTime = time.Minute // every session of a project is read

	compactTime = 10 * time.Minute
)

// calls makes the daemon's calls for screens.
type calls struct {
	ctx  func() context.Context // of the program
	feed Feed
}

// call makes one call within a time.
func call[R any](c calls, within time.Duration, method string, params any) (R, error) {
	var result R
	client := c.feed.Client()
	if client == nil {
		return result, errNoDaemon
	}
	ctx, cancel := c.within(within)
	defer cancel()
	err := client.Call(ctx, method, params, &result)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errors.New("the daemon did not answer in time; what was asked may still happen")
	}
	return result, err
}

func (c calls) within(d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(c.ctx(), d)
}

type nothing struct{}

func do(c calls, method string, params any) error {
	_, err := call[*nothing](c, callTime, method, params)
	return err
}

// rosterPorts are the calls of the roster.
func (c calls) rosterPorts() rosterview.Ports {
	touched := func(ref protocol.SessionRef, err error) error {
		if err == nil && ref.Path != "" {
			c.feed.Touch(ref.Path)
		}
		return err
	}
	return rosterview.Ports{
		Rename: func(r protocol.Rename) error {
			return touched(r.SessionRef, do(c, protocol.MethodSessionRename, r))
		},
		Stop: func(r protocol.SessionRef) error { return touched(r, do(c, protocol.MethodSessionStop, r)) },
		Archive: func(a protocol.Archive) error {
			return touched(a.SessionRef, do(c, protocol.MethodSessionArchive, a))
		},
		Delete: func(r protocol.SessionRef) (protocol.Deleted, error) {
			d, err := call[protocol.Deleted](c, deleteTime, protocol.MethodSessionDelete, r)
			return d, touched(r, err)
		},
		Answer: func(a protocol.Answer) error { return do(c, protocol.MethodSessionAnswer, a) },
		New: func(n protocol.NewSession) (protocol.Opened, error) {
			return call[protocol.Opened](c, callTime, protocol.MethodSessionNew, n)
		},
	}
}
