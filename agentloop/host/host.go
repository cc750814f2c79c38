// Package host is the daemon: it holds the live sessions, one agent each, and serves clients over a
// unix socket or any connection. A panic ends a session's turn, never the daemon; a slow client
// holds up nobody.
package host

import (
	"context"
	"dugout/agentloop"
	"dugout/agentloop/model"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"io"
	"log/slog"
	"net"
	"time"
)

// Options of New.
type Options struct {
	Home         string
	Version      string
	Store        *store.Store
	Models       *model.Registry
	DefaultModel sessionio.ModelRef
	Permission   permission.Mode // of new sessions
	Rules        []permission.Rule
	// Tools makes the tools of one session; spawn starts a child session of it.
	Tools       func(cwd string, spawn tool.SpawnFunc) []tool.Tool
	System      func(cwd string) string // the current system prompt for a folder
	Retry       agentloop.RetryPolicy
	Watchdog    time.Duration
	Compaction  agentloop.CompactionSettings
	MaxDepth    int           // of children; default 2
	IdleExit    time.Duration // leave when nothing is live and nobody is attached; default 15 min, negative never
	SessionIdle time.Duration // an idle session that nobody is attached to is closed; default 60 min
	ToolEnv     []string      // environment of tools, already without provider keys
	Log         *slog.Logger
	Now         func() time.Time
}

// Host holds the live sessions.
type Host struct{ _ struct{} }

// New makes a host. It reads the journal of a killed predecessor and ends its orphaned tools.
func New(o Options) (*Host, error) { panic("contract") }

// Serve accepts clients until ctx ends, the daemon is told to shut down, or it has idled out.
func (h *Host) Serve(ctx context.Context, l net.Listener) error { panic("contract") }

// ServeConn serves one client over any connection, until it closes.
func (h *Host) ServeConn(conn io.ReadWriteCloser) { panic("contract") }

// Close stops every session (aborting turns, keeping all that was said) and waits.
func (h *Host) Close(ctx context.Context) error { panic("contract") }

// Listen makes the home's socket: folder 0700, socket 0600, under a lock so that of two starters
// one wins. A stale socket is replaced, a live one is ErrRunning, anything else at the path is an error.
func Listen(home, socket string) (net.Listener, error) { panic("contract") }
