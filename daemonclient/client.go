// Package daemonclient talks to the daemon: it dials or starts it, makes calls, and receives
// events. Every front end drives sessions through it alone.
package daemonclient

import (
	"context"
	"dugout/daemonclient/protocol"
	"io"
)

// Options of Dial and New.
type Options struct {
	Home       string // DUGOUT_HOME: where the socket is
	Client     string // a word for other people's screens: "tui pid 12"
	AppVersion string
	// Start runs the daemon in the background when none answers; nil never starts one.
	Start func(ctx context.Context) error
}

// Client is one connection. Calls may be made from several goroutines.
type Client struct{ _ struct{} }

// SocketPath is where the daemon of a home listens: in the home, or, where that is too long for a
// socket address, in the runtime folder under a name made from the home.
func SocketPath(home string) string { panic("contract") }

// Dial connects to the home's daemon, starting it when none answers and Start is set.
func Dial(ctx context.Context, o Options) (*Client, error) { panic("contract") }

// New speaks over a connection at hand (a pipe to a host in this process).
func New(ctx context.Context, conn io.ReadWriteCloser, o Options) (*Client, error) {
	panic("contract")
}

// Welcome is the daemon's answer to hello.
func (c *Client) Welcome() protocol.Welcome { panic("contract") }

// Call makes one request; result may be nil. A daemon's refusal is a *protocol.Error; a lost
// connection is ErrLost.
func (c *Client) Call(ctx context.Context, method string, params, result any) error {
	panic("contract")
}

// Attachment is a stream of one session's events.
type Attachment struct {
	Attached protocol.Attached
	Events   <-chan protocol.Event // closed by Detach and when the connection is lost
}

// Attach subscribes to a session. Reading slowly is allowed: what piles up is bounded, and a
// snapshot takes the place of what was dropped.
func (c *Client) Attach(ctx context.Context, a protocol.Attach) (*Attachment, error) {
	panic("contract")
}

// Detach ends a subscription.
func (c *Client) Detach(ctx context.Context, ref protocol.SessionRef) error { panic("contract") }

// Roster is a stream of changes of the set of live sessions.
type Roster struct {
	Snapshot protocol.RosterSnapshot
	Events   <-chan protocol.RosterEvent // closed when the connection is lost
}

// SubscribeRoster subscribes to the live sessions.
func (c *Client) SubscribeRoster(ctx context.Context) (*Roster, error) { panic("contract") }

// Done is closed when the connection is lost or closed.
func (c *Client) Done() <-chan struct{} { panic("contract") }

// Close hangs up.
func (c *Client) Close() error { panic("contract") }
