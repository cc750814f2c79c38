// Package daemonclient talks to the daemon: it dials or starts it, makes calls, and receives
// events. Every front end drives sessions through it alone.
//
// A client reads its connection always, whatever its users do: events for a reader that is slow
// pile up to a bound, then are dropped, and a snapshot takes their place when the reader comes
// back. So a slow screen holds up neither the daemon nor the client's other calls.
package daemonclient

import (
	"context"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
)

// ErrLost is wrapped by the error of every call on a connection that is gone.
var ErrLost = errors.New("the connection to the daemon is lost")

// Options of Dial and New.
type Options struct {
	Home       string // DUGOUT_HOME: where the socket is
	Client     string // a word for other people's screens: "tui pid 12"
	AppVersion string
	// Start runs the daemon in the background when none answers; nil never starts one. It may
	// return at once, or block until the daemon ends or ctx does: Dial polls meanwhile.
	Start func(ctx context.Context) error
}

// Client is one connection. Calls may be made from several goroutines.
type Client struct {
	conn    io.ReadWriteCloser
	out     chan []byte
	welcome protocol.Welcome
	lost    chan struct{} // the connection is gone
	closed  chan struct{} // Close was called: nobody reads any more
	closing sync.Once

	mu       sync.Mutex
	lastID   uint64
	pending  map[string]*pending
	sessions map[sessionio.ID]*sessionFeed
	roster   *feed[protocol.RosterEvent]
	err      error // why it is lost
}

// pending is a call whose response has not come. got runs in the reading goroutine, before anything
// that came after the response is looked at.
type pending struct {
	got  func(result json.RawMessage) error
	done chan error // buffered
}

// New speaks over a connection at hand (a pipe to a host in this process).
func New(ctx context.Context, conn io.ReadWriteCloser, o Options) (*Client, error) {
	c := &Client{
		conn: conn, out: make(chan []byte), lost: make(chan struct{}), closed: make(chan struct{}),
		pending: map[string]*pending{}, sessions: map[sessionio.ID]*sessionFeed{},
	}
	go c.read()
	go c.write()
	hello := protocol.Hello{Version: protocol.Version, Client: o.Client, AppVersion: o.AppVersion}
	err := c.Call(ctx, protocol.MethodHello, hello, &c.welcome)
	if err == nil && c.welcome.Version != protocol.Version {
		err = &protocol.Error{Code: protocol.CodeVersion, Message: fmt.Sprintf(
			"the daemon (pid %d, dugout %s) speaks version %d of the protocol, this dugout (%s) version %d: run `dugout daemon stop` and try again",
			c.welcome.PID, c.welcome.AppVersion, c.welcome.Version, o.AppVersion, protocol.Version)}
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Welcome is the daemon's answer to hello.
func (c *Client) Welcome() protocol.Welcome { return c.welcome }

// Call makes one request; result may be nil. A daemon's refusal is a *protocol.Error; a lost
// connection is ErrLost.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	return c.call(ctx, method, params, func(raw json.RawMessage) error {
		if result == nil || len(raw) == 0 {
			return nil
		}
		return json.Unmarshal(raw, result)
	})
}

func (c *Client) call(ctx context.Context, method string, params any, got func(json.RawMessage) error) error {
	p := &pending{got: got, done: make(chan error, 1)}
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return c.err
	}
	c.lastID++
	id := c.lastID
	key := strconv.FormatUint(id, 10)
	c.pending[key] = p
	c.mu.Unlock()
	frame, err := protocol.EncodeRequest(id, method, params)
	if err != nil {
		c.forget(key)
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case c.out <- frame:
	case <-c.lost:
	case <-ctx.Done():
	}
	select {
	case err := <-p.done:
		return err
	case <-c.lost:
		err = c.lostError()
	case <-ctx.Done():
		err = ctx.Err()
	}
	if !c.forget(key) { // the response is being looked at: got must not outlive the call
		return <-p.done
	}
	return err
}

// forget drops a pending call; false when its response has come.
func (c *Client) forget(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, waits := c.pending[key]
	delete(c.pending, key)
	return waits
}

func (c *Client) lostError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Done is closed when the connection is lost or closed.
func (c *Client) Done() <-chan struct{} { return c.lost }

// Close hangs up. Streams of events that nobody has read to their end close too.
func (c *Client) Close() error {
	c.closing.Do(func() { close(c.closed) })
	err := c.conn.Close()
	c.lose(errors.New("closed"))
	return err
}

func (c *Client) lose(why error) {
	c.mu.Lock()
	first := c.err == nil
	if first {
		c.err = fmt.Errorf("%w: %w", ErrLost, why)
		close(c.lost)
	}
	c.mu.Unlock()
	if !first {
		return
	}
	c.conn.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.sessions {
		f.finish()
	}
	if c.roster != nil {
		c.roster.finish()
	}
}

func (c *Client) write() {
	w := protocol.NewWriter(c.conn)
	for {
		select {
		case frame := <-c.out:
			if err := w.Write(frame); err != nil {
				c.lose(err)
				return
			}
		case <-c.lost:
			return
		}
	}
}

func (c *Client) read() {
	r := protocol.NewReader(c.conn)
	for {
		line, err := r.Read()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the daemon hung up")
			}
			c.lose(err)
			return
		}
		f, err := protocol.Decode(line)
		if err != nil {
			c.lose(fmt.Errorf("the daemon sent a line that is no frame: %w", err))
			return
		}
		c.receive(f, len(line))
	}
}

func (c *Client) receive(f protocol.Frame, size int) {
	switch {
	case f.Method == protocol.NotifyEvent:
		c.receiveEvent(f.Params, size)
	case f.Method == protocol.NotifyRoster:
		c.receiveRoster(f.Params, size)
	case f.Method != "": // a newer daemon's notification
	case f.ID != nil:
		c.mu.Lock()
		p := c.pending[string(f.ID)]
		delete(c.pending, string(f.ID))
		c.mu.Unlock()
		if p == nil { // its caller gave up
			return
		}
		if f.Error != nil {
			p.done <- f.Error
			return
		}
		p.done <- p.got(f.Result)
	case f.Error != nil:
		c.lose(f.Error)
	}
}
