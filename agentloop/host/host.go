// Package host is the daemon: it holds the live sessions, one agent each, and serves clients over a
// unix socket or any connection. A panic ends a session's turn, never the daemon; a slow client
// holds up nobody.
//
// How things go: a request comes in on a connection (conn.go), is looked up in the table of methods
// (methods.go) and handled in the connection's lane of its session. What an agent does comes to its
// live session (live.go), which keeps a mirror of what a chat shows (mirror.go), numbers it, and puts
// it into the queue of each subscriber (fanout.go). Each connection's writer takes from its queues
// when it can; one that overflows is emptied, and a snapshot goes in its place. The roster (hub.go)
// keeps for each subscriber only which sessions changed, so it cannot overflow.
package host

import (
	"context"
	"dugout/agentloop"
	"dugout/agentloop/model"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"errors"
	"io"
	"log/slog"
	"net"
	"sync"
	"time"
)

// ErrRunning is returned by Listen when a daemon of the home lives already.
var ErrRunning = errors.New("a daemon is running already")

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
	SessionIdle time.Duration // an idle session that nobody is attached to is closed; default 60 min, negative never
	ToolEnv     []string      // environment of tools, already without provider keys
	Log         *slog.Logger
	Now         func() time.Time
}

func (o Options) withDefaults() Options {
	if o.Permission == "" {
		o.Permission = permission.Ask
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = 2
	}
	if o.IdleExit == 0 {
		o.IdleExit = 15 * time.Minute
	}
	if o.SessionIdle == 0 {
		o.SessionIdle = 60 * time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tools == nil {
		o.Tools = func(string, tool.SpawnFunc) []tool.Tool { return nil }
	}
	if o.System == nil {
		o.System = func(string) string { return "" }
	}
	return o
}

// Host holds the live sessions.
type Host struct {
	o          Options
	generation string
	started    time.Time
	hub        *hub
	gates      gates

	stop     chan struct{} // closed when the daemon is to leave
	stopping sync.Once
	working  sync.WaitGroup // connections and their requests

	mu        sync.Mutex
	sessions  map[sessionio.ID]*live
	byPath    map[string]*live
	conns     map[*conn]bool
	quietFrom time.Time // since when nothing is live and nobody is attached
	socket    string
	closed    bool
}

// New makes a host. It reads the journal and ends the commands that a killed daemon left.
func New(o Options) (*Host, error) {
	if o.Home == "" || o.Store == nil || o.Models == nil {
		return nil, errors.New("host: needs a home, a store and a model registry")
	}
	o = o.withDefaults()
	h := &Host{
		o: o, generation: newGeneration(), started: o.Now(), stop: make(chan struct{}),
		sessions: map[sessionio.ID]*live{}, byPath: map[string]*live{}, conns: map[*conn]bool{},
		quietFrom: o.Now(),
	}
	h.hub = newHub(h.generation)
	for _, group := range NewJournal(o.Home).EndOrphans() {
		o.Log.Warn("ended a command that a killed daemon had left", "group", group)
	}
	return h, nil
}

// Close stops every session (aborting turns, keeping all that was said), tells the clients and waits.
func (h *Host) Close(ctx context.Context) error {
	h.leave()
	h.mu.Lock()
	h.closed = true
	sessions := make([]*live, 0, len(h.sessions))
	for _, l := range h.sessions {
		sessions = append(sessions, l)
	}
	h.mu.Unlock()
	failed := make([]error, len(sessions))
	var all sync.WaitGroup
	for i, l := range sessions {
		all.Add(1)
		go func() {
			defer all.Done()
			failed[i] = h.end(ctx, l, reasonShutdown)
		}()
	}
	all.Wait()
	h.mu.Lock()
	for c := range h.conns {
		c.finish()
	}
	h.mu.Unlock()
	done := make(chan struct{})
	go func() { h.working.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		failed = append(failed, ctx.Err())
	}
	return errors.Join(failed...)
}

func (h *Host) leave() { h.stopping.Do(func() { close(h.stop) }) }

// Serve accepts clients until ctx ends, the daemon is told to shut down, or it has idled out. Then
// it closes the listener and every session.
func (h *Host) Serve(ctx context.Context, l net.Listener) error {
	h.mu.Lock()
	h.socket = l.Addr().String()
	h.mu.Unlock()
	accepted := make(chan struct{})
	var failed error
	go func() {
		defer close(accepted)
		failed = h.accept(l)
	}()
	go h.watchIdle()
	select {
	case <-ctx.Done():
	case <-h.stop:
	case <-accepted:
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closePatience)
	defer cancel()
	err := h.Close(closing)
	l.Close() // last: until then nobody else starts a daemon beside this one
	<-accepted
	return errors.Join(failed, err)
}

func (h *Host) accept(l net.Listener) error {
	for {
		c, err := l.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return nil
		case err != nil:
			return err
		}
		if err := checkPeer(c); err != nil {
			h.o.Log.Warn("turned a client away", "why", err)
			c.Close()
			continue
		}
		go h.ServeConn(c)
	}
}

// ServeConn serves one client over any connection, until it closes.
func (h *Host) ServeConn(rw io.ReadWriteCloser) {
	c := newConn(h, rw)
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		rw.Close()
		return
	}
	h.conns[c] = true
	h.working.Add(1)
	h.mu.Unlock()
	defer h.working.Done()
	c.serve()
	h.mu.Lock()
	delete(h.conns, c)
	h.noteQuiet()
	h.mu.Unlock()
}
