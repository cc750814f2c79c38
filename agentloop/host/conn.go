package host

import (
	"context"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// maxInFlight bounds the requests of one connection whose responses are not written yet.
	maxInFlight = 256
	// closePatience is how long leaving waits for turns to end.
	closePatience = 20 * time.Second
	// farewell is how long a connection may take to read the last words.
	farewell = time.Second
)

// conn is one client. Its reader starts requests; each session that they name has a lane, in which
// they are handled in order; its writer sends responses, then events, from the queues.
type conn struct {
	h      *Host
	rw     io.ReadWriteCloser
	name   string // as hello said
	hello  bool
	ctx    context.Context //nolint:containedctx // the life of the connection, handed to its requests
	cancel context.CancelFunc
	wake   chan struct{}
	slots  chan struct{}
	reqs   sync.WaitGroup

	mu        sync.Mutex
	responses []response
	subs      map[sessionio.ID]*sub
	order     []sessionio.ID // of subs, turning round
	roster    *rosterSub
	lanes     map[string][]func()
	ending    bool // write what waits, then hang up
}

type response struct {
	frame []byte
	then  func() // runs when it is in line, before any later event
}

func newConn(h *Host, rw io.ReadWriteCloser) *conn {
	c := &conn{
		h: h, rw: rw, wake: make(chan struct{}, 1), slots: make(chan struct{}, maxInFlight),
		subs: map[sessionio.ID]*sub{}, lanes: map[string][]func(){},
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	return c
}

// serve returns when the connection is closed and nothing of it is left.
func (c *conn) serve() {
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer c.h.recovered("writing to a client")
		defer c.rw.Close() // the reader ends too
		defer c.cancel()
		c.write()
	}()
	c.read()
	c.cancel()
	c.rw.Close()
	c.reqs.Wait()
	<-written
	c.leaveAll()
}

func (c *conn) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// finish lets the writer send what waits and hang up; a client that does not read is cut off.
func (c *conn) finish() {
	c.mu.Lock()
	c.ending = true
	c.mu.Unlock()
	c.nudge()
	time.AfterFunc(farewell, c.cancelAndClose)
}

func (c *conn) cancelAndClose() {
	c.cancel()
	c.rw.Close()
}

func (c *conn) leaveAll() {
	c.mu.Lock()
	subs, roster := c.subs, c.roster
	c.subs, c.roster = map[sessionio.ID]*sub{}, nil
	c.mu.Unlock()
	for _, s := range subs {
		s.l.drop(s)
	}
	if roster != nil {
		c.h.hub.unsubscribe(roster)
	}
}

func (c *conn) read() {
	defer c.h.recovered("reading from a client")
	r := protocol.NewReader(c.rw)
	for {
		line, err := r.Read()
		switch {
		case errors.Is(err, protocol.ErrFrameTooLong):
			c.respond(nil, nil, &protocol.Error{Code: protocol.CodeInvalid, Message: err.Error()}, nil)
			continue
		case err != nil:
			return
		}
		f, err := protocol.Decode(line)
		if err != nil {
			c.respond(f.ID, nil, wireError(err), nil)
			continue
		}
		if f.Method == "" { // a response: the daemon asks nothing
			continue
		}
		select {
		case c.slots <- struct{}{}:
		case <-c.ctx.Done():
			return
		}
		c.start(f)
	}
}

// start puts a request into the lane of the session that it names.
func (c *conn) start(f protocol.Frame) {
	m, known := methods[f.Method]
	release := func() { <-c.slots }
	switch {
	case !known:
		c.respond(f.ID, nil, &protocol.Error{
			Code: protocol.CodeNoMethod, Message: fmt.Sprintf("the daemon (dugout %s) knows no %q", c.h.o.Version, f.Method),
		}, release)
		return
	case !c.hello && f.Method != protocol.MethodHello:
		c.respond(f.ID, nil, &protocol.Error{Code: protocol.CodeInvalid, Message: `the first request must be "hello"`}, release)
		return
	case f.Method == protocol.MethodHello:
		result, err := c.greet(f.Params)
		c.respond(f.ID, result, err, release)
		return
	}
	var ref protocol.SessionRef
	_ = json.Unmarshal(f.Params, &ref) // what is wrong with it, the method says
	lane := ref.Path
	if lane == "" {
		lane = string(ref.ID)
	}
	run := func() { c.handle(f, m, release) }
	if m.slow {
		run = func() { c.reqs.Add(1); go func() { defer c.reqs.Done(); c.handle(f, m, release) }() }
	}
	c.enqueue(lane, run)
}

// enqueue runs what is in a lane one after the other.
func (c *conn) enqueue(lane string, run func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	queue, busy := c.lanes[lane]
	c.lanes[lane] = append(queue, run)
	if busy {
		return
	}
	c.reqs.Add(1)
	go func() {
		defer c.reqs.Done()
		for {
			c.mu.Lock()
			queue := c.lanes[lane]
			if len(queue) == 0 {
				delete(c.lanes, lane)
				c.mu.Unlock()
				return
			}
			next := queue[0]
			c.lanes[lane] = queue[1:]
			c.mu.Unlock()
			next()
		}
	}()
}

func (c *conn) handle(f protocol.Frame, m method, release func()) {
	var result any
	var err error
	var then func()
	func() {
		defer func() {
			if p := recover(); p != nil {
				c.h.o.Log.Error("a request panicked", "method", f.Method, "stack", string(debug.Stack()))
				err = refuse(protocol.CodeInternal, "%s failed inside the daemon; its log has the place", f.Method)
			}
		}()
		result, then, err = m.do(c, f.Params)
	}()
	if f.ID == nil { // a notification
		err, result = nil, nil
	}
	c.respondThen(f.ID, result, err, release, then)
}

func (c *conn) respond(id json.RawMessage, result any, err error, release func()) {
	c.respondThen(id, result, err, release, nil)
}

// respondThen puts a response in line; then runs behind it, so that events which follow a response
// come after it.
func (c *conn) respondThen(id json.RawMessage, result any, err error, release, then func()) {
	var frame []byte
	switch {
	case err != nil:
		frame, err = protocol.EncodeError(id, wireError(err))
	case id != nil:
		if frame, err = protocol.EncodeResult(id, result); err != nil {
			frame, err = protocol.EncodeError(id, &protocol.Error{Code: protocol.CodeInternal, Message: "the answer cannot be sent: " + err.Error()})
		}
	}
	if err != nil {
		c.h.o.Log.Error("a response could not be made", "why", err)
	}
	c.mu.Lock()
	c.responses = append(c.responses, response{frame, release})
	c.mu.Unlock()
	if then != nil {
		then()
	}
	c.nudge()
}

// recovered keeps a panic in one connection from ending the daemon.
func (h *Host) recovered(doing string) {
	if p := recover(); p != nil {
		h.o.Log.Error("panic while "+doing, "stack", string(debug.Stack()))
	}
}

// greet answers hello.
func (c *conn) greet(params json.RawMessage) (any, error) {
	hello, err := decode[protocol.Hello](params)
	switch {
	case err != nil:
		return nil, err
	case c.hello:
		return nil, refuse(protocol.CodeInvalid, `"hello" comes once`)
	case hello.Version != protocol.Version:
		return nil, refuse(protocol.CodeVersion,
			"the daemon (pid %d, dugout %s) speaks version %d of the protocol, this client (dugout %s) version %d: run `dugout daemon stop`, or end the process, and try again",
			pid(), c.h.o.Version, protocol.Version, hello.AppVersion, hello.Version)
	}
	c.hello, c.name = true, hello.Client
	return protocol.Welcome{
		Version: protocol.Version, AppVersion: c.h.o.Version, PID: pid(), Generation: c.h.generation, Home: c.h.o.Home,
	}, nil
}
