package daemonclient

import (
	"context"
	"dugout/daemonclient/protocol"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"time"
)

const (
	helloPatience = 4 * time.Second  // a daemon that lives answers much sooner
	startPatience = 10 * time.Second // from the start of a daemon to its first answer
	raceGrace     = time.Second      // a starter that failed may have lost to another that is about to answer
	pollEvery     = 25 * time.Millisecond
)

// ErrNoDaemon is wrapped by Dial when no daemon answers and none is to be started.
var ErrNoDaemon = errors.New("no daemon is running")

// Dial connects to the home's daemon, starting it when none answers and Start is set. A daemon that
// is there and does not answer (a stopped process) is an error that names it; it is never replaced.
func Dial(ctx context.Context, o Options) (*Client, error) {
	c, err := dialOnce(ctx, o)
	if !errors.Is(err, ErrNoDaemon) || o.Start == nil {
		return c, err
	}
	return startAndDial(ctx, o)
}

func dialOnce(ctx context.Context, o Options) (*Client, error) {
	path := SocketPath(o.Home)
	ctx, cancel := context.WithTimeout(ctx, helloPatience)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	switch {
	case err == nil:
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ENOTSOCK):
		return nil, fmt.Errorf("%w for %s", ErrNoDaemon, o.Home)
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, context.DeadlineExceeded):
		return nil, deaf(o)
	default:
		return nil, fmt.Errorf("connect to the daemon at %s: %w", path, err)
	}
	c, err := New(ctx, conn, o)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, deaf(o)
	case errors.Is(err, ErrLost): // it was about to leave
		return nil, fmt.Errorf("%w for %s: %w", ErrNoDaemon, o.Home, err)
	}
	return c, err
}

// deaf is the error for a daemon that holds its socket and says nothing.
func deaf(o Options) error {
	who := "the daemon"
	if pid := protocol.LockHolder(o.Home); pid != 0 {
		who = fmt.Sprintf("the daemon (pid %d)", pid)
	}
	return fmt.Errorf("%s of %s is there and does not answer; it may be stopped (kill -CONT) or busy: wait, or end it yourself", who, o.Home)
}

func startAndDial(ctx context.Context, o Options) (*Client, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience, fmt.Errorf("it did not answer within %s", startPatience))
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- o.Start(ctx) }()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var failed error
	var giveUp <-chan time.Time
	for {
		select {
		case err := <-ended:
			if ended = nil; err != nil {
				failed, giveUp = err, time.After(raceGrace)
			}
			continue
		case <-giveUp:
			return nil, fmt.Errorf("start the daemon of %s: %w", o.Home, failed)
		case <-ctx.Done():
			return nil, fmt.Errorf("start the daemon of %s: %w%s", o.Home, context.Cause(ctx), lastWords(o.Home, 0))
		case <-tick.C:
		}
		if c, err := dialOnce(ctx, o); !errors.Is(err, ErrNoDaemon) {
			return c, err
		}
	}
}

// lastWords is the end of a daemon's log, from a place in it on, as a clause of an error.
func lastWords(home string, from int64) string {
	path := LogPath(home)
	tail := tailOf(path, from, 4<<10)
	if tail = strings.TrimSpace(tail); tail == "" {
		return " (its log, " + path + ", says nothing)"
	}
	return "; the end of its log, " + path + ":\n" + tail
}
