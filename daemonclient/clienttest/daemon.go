// Package clienttest is a scripted daemon for tests of front ends: it answers calls as told, and
// sends the events that a test wants, over a pipe, through the real client.
package clienttest

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"
)

// Call is a request that the daemon got.
type Call struct {
	Method string
	Params json.RawMessage
}

// Daemon answers calls by the functions that Handle was given; all others with an empty result.
type Daemon struct {
	t        testing.TB
	w        *protocol.Writer
	conn     net.Conn
	mu       sync.Mutex
	answers  map[string]func(params json.RawMessage) (any, error)
	calls    []Call
	arrived  chan struct{} // closed and replaced at each call
	seq      map[sessionio.ID]uint64
	rosterAt uint64
}

// Generation is the one that all events of a scripted daemon carry.
const Generation = "test"

// New makes a daemon and a client of it. Both end with the test.
func New(t testing.TB) (*Daemon, *daemonclient.Client) {
	t.Helper()
	d := &Daemon{
		t: t, answers: map[string]func(json.RawMessage) (any, error){},
		arrived: make(chan struct{}), seq: map[sessionio.ID]uint64{},
	}
	d.Handle(protocol.MethodHello, func(json.RawMessage) (any, error) {
		return protocol.Welcome{Version: protocol.Version, AppVersion: "test", PID: 1, Generation: Generation}, nil
	})
	d.Handle(protocol.MethodRosterSubscribe, func(json.RawMessage) (any, error) {
		return protocol.RosterSnapshot{Cursor: protocol.Cursor{Generation: Generation}}, nil
	})
	near, far := net.Pipe()
	d.conn, d.w = far, protocol.NewWriter(far)
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.serve()
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	c, err := daemonclient.New(ctx, near, daemonclient.Options{Client: "test", AppVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		far.Close()
		<-done
	})
	return d, c
}

// Handle sets the answer to a method. An error that is no *protocol.Error is sent as an internal one.
func (d *Daemon) Handle(method string, answer func(params json.RawMessage) (any, error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.answers[method] = answer
}

// HandleAttach answers session.attach with a snapshot.
func (d *Daemon) HandleAttach(s protocol.Snapshot) {
	d.Handle(protocol.MethodSessionAttach, func(json.RawMessage) (any, error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		id := s.Summary.ID
		return protocol.Attached{Session: id, Snapshot: &s, Cursor: protocol.Cursor{Generation: Generation, Seq: d.seq[id]}}, nil
	})
}

// HandleRoster answers session.list and roster.subscribe with summaries.
func (d *Daemon) HandleRoster(sessions ...protocol.Summary) {
	answer := func(json.RawMessage) (any, error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		return protocol.RosterSnapshot{Sessions: sessions, Cursor: protocol.Cursor{Generation: Generation, Seq: d.rosterAt}}, nil
	}
	d.Handle(protocol.MethodSessionList, answer)
	d.Handle(protocol.MethodRosterSubscribe, answer)
}

// Emit sends an event of a session; generation and seq are filled in.
func (d *Daemon) Emit(e protocol.Event) {
	d.t.Helper()
	d.mu.Lock()
	d.seq[e.Session]++
	e.Generation, e.Seq = Generation, d.seq[e.Session]
	d.mu.Unlock()
	d.notify(protocol.NotifyEvent, e)
}

// EmitRoster sends a change of the roster; the cursor is filled in.
func (d *Daemon) EmitRoster(e protocol.RosterEvent) {
	d.t.Helper()
	d.mu.Lock()
	d.rosterAt++
	e.Cursor = protocol.Cursor{Generation: Generation, Seq: d.rosterAt}
	d.mu.Unlock()
	d.notify(protocol.NotifyRoster, e)
}

func (d *Daemon) notify(method string, params any) {
	d.t.Helper()
	b, err := protocol.EncodeNotification(method, params)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := d.w.Write(b); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		d.t.Fatal(err)
	}
}

// HangUp ends the connection, as a daemon that dies does.
func (d *Daemon) HangUp() { d.conn.Close() }

// Calls lists the requests of a method so far, "" all but hello.
func (d *Daemon) Calls(method string) []Call {
	d.mu.Lock()
	defer d.mu.Unlock()
	var got []Call
	for _, c := range d.calls {
		if c.Method == method || method == "" && c.Method != protocol.MethodHello {
			got = append(got, c)
		}
	}
	return got
}

// WaitCall waits for the nth request of a method (from 1) and returns it.
func (d *Daemon) WaitCall(method string, n int) Call {
	d.t.Helper()
	limit := time.After(10 * time.Second)
	for {
		d.mu.Lock()
		arrived := d.arrived
		d.mu.Unlock()
		if got := d.Calls(method); len(got) >= n {
			return got[n-1]
		}
		select {
		case <-arrived:
		case <-limit:
			d.t.Fatalf("no request %d of %s; there were %v", n, method, d.Calls(""))
		}
	}
}

func (d *Daemon) serve() {
	r := protocol.NewReader(d.conn)
	for {
		line, err := r.Read()
		if err != nil {
			return
		}
		f, err := protocol.Decode(line)
		if err != nil {
			d.t.Errorf("the client sent %q: %v", line, err)
			return
		}
		d.mu.Lock()
		d.calls = append(d.calls, Call{f.Method, f.Params})
		answer := d.answers[f.Method]
		close(d.arrived)
		d.arrived = make(chan struct{})
		d.mu.Unlock()
		if d.respond(f, answer) != nil {
			return
		}
	}
}

func (d *Daemon) respond(f protocol.Frame, answer func(json.RawMessage) (any, error)) error {
	var result any = struct{}{}
	var err error
	if answer != nil {
		result, err = answer(f.Params)
	}
	var b []byte
	if err != nil {
		var e *protocol.Error
		if !errors.As(err, &e) {
			e = &protocol.Error{Code: protocol.CodeInternal, Message: err.Error()}
		}
		b, err = protocol.EncodeError(f.ID, e)
	} else {
		b, err = protocol.EncodeResult(f.ID, result)
	}
	if err != nil {
		d.t.Errorf("answer to %s: %v", f.Method, err)
		return err
	}
	return d.w.Write(b)
}
