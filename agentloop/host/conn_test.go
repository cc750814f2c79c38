package host

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// raw speaks to the host line by line.
func (r *rig) raw() (say func(string), hear func() protocol.Frame) {
	near, far := net.Pipe()
	go r.h.ServeConn(far)
	r.t.Cleanup(func() { near.Close() })
	in := protocol.NewReader(near)
	say = func(line string) {
		if _, err := near.Write([]byte(line + "\n")); err != nil {
			r.t.Error(err)
		}
	}
	hear = func() protocol.Frame {
		_ = near.SetReadDeadline(time.Now().Add(patience))
		line, err := in.Read()
		if err != nil {
			r.t.Fatal(err)
		}
		f, err := protocol.Decode(line)
		if err != nil {
			r.t.Fatal(err)
		}
		return f
	}
	return say, hear
}

func TestBadFramesAreAnsweredAndTheConnectionGoesOn(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	say, hear := r.raw()
	for _, tt := range []struct {
		line string
		code int
		text string
	}{
		{"{", protocol.CodeParse, "JSON"},
		{`[1]`, protocol.CodeInvalid, "JSON-RPC"},
		{`{"jsonrpc":"2.0","id":1,"method":"session.list"}`, protocol.CodeInvalid, "hello"},
		{`{"jsonrpc":"2.0","id":2,"method":"hello","params":{"version":99,"appVersion":"9"}}`, protocol.CodeVersion, "dugout daemon stop"},
		{`{"jsonrpc":"2.0","id":3,"method":"hello","params":"x"}`, protocol.CodeParams, "fit"},
		{`{"jsonrpc":"2.0","id":4,"method":"hello","params":{"version":1}}`, 0, ""},
		{`{"jsonrpc":"2.0","id":5,"method":"hello","params":{"version":1}}`, protocol.CodeInvalid, "once"},
		{`{"jsonrpc":"2.0","id":6,"method":"nope"}`, protocol.CodeNoMethod, "nope"},
		{`{"jsonrpc":"2.0","id":7,"method":"session.list","unknown":1}`, 0, ""},
	} {
		say(tt.line)
		f := hear()
		got := protocol.Error{}
		if f.Error != nil {
			got = *f.Error
		}
		if got.Code != tt.code || !strings.Contains(got.Message, tt.text) {
			t.Errorf("%s: %+v", tt.line, got)
		}
	}
}

func TestPanicInARequestEndsOnlyTheRequest(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := &conn{h: r.h, ctx: context.Background(), wake: make(chan struct{}, 1), lanes: map[string][]func(){}}
	boom := call(func(*conn, nothing) (any, error) { panic("boom") })
	c.handle(protocol.Frame{ID: []byte("1"), Method: "x"}, boom, nil)
	if len(c.responses) != 1 || !strings.Contains(string(c.responses[0].frame), "-32603") || strings.Contains(string(c.responses[0].frame), "boom") {
		t.Errorf("answered %+v", c.responses)
	}
}

func TestServeOnASocketUntilShutdown(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	o, err := testOptions(home)
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	socket := daemonclient.SocketPath(home)
	l, err := Listen(home, socket)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- h.Serve(context.Background(), l) }()
	r := &rig{t: t, h: h, home: home, cwd: t.TempDir()}
	dc, err := daemonclient.Dial(r.ctx(), daemonclient.Options{Home: home, Client: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer dc.Close()
	c := &client{dc, r}
	var st protocol.Status
	c.must(protocol.MethodDaemonStatus, nil, &st)
	if st.Socket != socket || st.Clients != 1 || st.PID != pid() || st.Version != "test" || st.RSSBytes == 0 {
		t.Errorf("status %+v", st)
	}
	sum := c.start("say: begun\nwait: 10m")
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.until("some of the answer", func() bool { return s.heard("begun") })
	if code := c.code(protocol.MethodDaemonShutdown, protocol.Shutdown{}); code != protocol.CodeBusy {
		t.Errorf("while busy: code %d", code)
	}
	c.must(protocol.MethodDaemonShutdown, protocol.Shutdown{Force: true}, nil)
	s.until("the farewell", func() bool { return s.closed == reasonShutdown })
	if !s.heard("begun") {
		t.Errorf("lost: %v", s.types)
	}
	<-c.Done()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(socket); len(left) != 0 {
		t.Errorf("the socket is left: %v", left)
	}
}
