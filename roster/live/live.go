// Package live keeps a roster current: one goroutine that hears the daemon, watches the stores,
// sweeps behind the watcher, and hands out snapshots.
package live

import (
	"context"
	"dugout/daemonclient"
	"dugout/roster"
	"dugout/sessionio/store"
)

// Options of Start.
type Options struct {
	Store *store.Store
	// Dial connects to the daemon; it is tried again with backoff when the connection is lost. nil
	// shows saved sessions only.
	Dial func(ctx context.Context) (*daemonclient.Client, error)
}

// Update is what changed since the last one.
type Update struct {
	Snapshot  roster.Snapshot
	Changed   []roster.Key
	Gone      []roster.Key
	Connected bool
	Problem   string // why not connected, or what a listing met; "" when all is well
	Scanned   int    // progress of the first listing
	ToScan    int    // 0 when it is done
}

// Feed is a running roster.
type Feed struct{ _ struct{} }

// Start begins; ctx ends it.
func Start(ctx context.Context, o Options) *Feed { panic("contract") }

// Updates delivers coalesced updates: at most one each 16 ms, the newest state, never blocking.
func (f *Feed) Updates() <-chan Update { panic("contract") }

// Client is the present connection, nil when there is none.
func (f *Feed) Client() *daemonclient.Client { panic("contract") }

// Touch asks for one file to be looked at again now (after a rename or delete of ours).
func (f *Feed) Touch(path string) { panic("contract") }
