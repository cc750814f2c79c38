package live

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"time"
)

// Waits between tries to reach the daemon: doubling from the first to the last.
const (
	firstWait = 100 * time.Millisecond
	lastWait  = 2 * time.Second
)

// connect keeps a connection and tells what the daemon says. When it is lost nothing is live any
// more, as far as anyone can tell.
func (f *Feed) connect(ctx context.Context, dial func(context.Context) (*daemonclient.Client, error)) {
	wait := firstWait
	for ctx.Err() == nil {
		client, err := dial(ctx)
		if err == nil {
			var heard bool
			if heard, err = f.hear(ctx, client); heard { // one that takes no subscription is as good as none
				wait = firstWait
			}
			f.setClient(nil)
			_ = client.Close() // lost already, or leaving
		}
		if ctx.Err() != nil {
			return
		}
		why := "the daemon is gone"
		if err != nil {
			why = err.Error()
		}
		none := []protocol.Summary{}
		if !f.tell(ctx, change{link: &link{why: why}, delta: roster.Delta{AllLive: &none}}) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
			wait = min(2*wait, lastWait)
		}
	}
}

// hear follows one connection to its end; heard is false where it never began.
func (f *Feed) hear(ctx context.Context, client *daemonclient.Client) (heard bool, err error) {
	sub, err := client.SubscribeRoster(ctx)
	if err != nil {
		return false, err
	}
	f.setClient(client)
	if !f.tell(ctx, change{link: &link{client: client}, delta: roster.Delta{AllLive: &sub.Snapshot.Sessions}}) {
		return true, ctx.Err()
	}
	for {
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case ev, ok := <-sub.Events:
			if !ok {
				return true, daemonclient.ErrLost
			}
			d := roster.Delta{Live: ev.Changed, Gone: ev.Gone}
			if ev.Snapshot != nil {
				d.AllLive = &ev.Snapshot.Sessions
			}
			if !f.tell(ctx, change{delta: d}) {
				return true, ctx.Err()
			}
		}
	}
}
