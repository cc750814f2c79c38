package live

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/clienttest"
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(store.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t testing.TB, s *store.Store, id string, questions int) string {
	t.Helper()
	text := fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-11-02T12:00:00Z","cwd":"/p"}`+"\n", id)
	for i := range questions {
		text += fmt.Sprintf(`{"type":"message","id":"%08x","parentId":null,"timestamp":"2026-11-02T12:00:01Z","message":{"role":"user","content":"q%d"}}`+"\n", i, i)
	}
	path := s.NewPath(sessionio.ID(id))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func start(t *testing.T, o Options) *Feed {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	f := Start(ctx, o)
	t.Cleanup(func() { cancel(); f.Wait() })
	return f
}

// until reads updates until one fits.
func until(t *testing.T, f *Feed, what string, fits func(Update) bool) Update {
	t.Helper()
	deadline := time.After(10 * time.Second)
	var last Update
	for {
		select {
		case u, ok := <-f.Updates():
			if !ok {
				t.Fatalf("%s: the feed ended", what)
			}
			if last = u; fits(u) {
				return u
			}
		case <-deadline:
			t.Fatalf("%s: did not come; last: %d records, connected %v, %q", what, last.Snapshot.Len(), last.Connected, last.Problem)
		}
	}
}

func messages(u Update, id string) int {
	r, ok := u.Snapshot.Get(roster.SessionKey(sessionio.ID(id)))
	if !ok {
		return -1
	}
	return r.MessageCount()
}

func TestFilesComeGrowAndGo(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	put(t, s, "a", 1)
	f := start(t, Options{Store: s, Sweep: time.Hour}) // the watcher alone
	until(t, f, "the first listing", func(u Update) bool { return messages(u, "a") == 1 && u.ToScan == 0 })
	put(t, s, "b", 2)
	until(t, f, "a new file", func(u Update) bool { return messages(u, "b") == 2 })
	path := put(t, s, "b", 3)
	until(t, f, "a grown file", func(u Update) bool { return messages(u, "b") == 3 })
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	until(t, f, "a deleted file", func(u Update) bool { return messages(u, "b") == -1 && messages(u, "a") == 1 })
}

func TestSweepAndTouch(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	dir := s.Dirs()[0]
	if err := os.RemoveAll(dir); err != nil { // nothing to watch
		t.Fatal(err)
	}
	f := start(t, Options{Store: s, Sweep: 20 * time.Millisecond})
	until(t, f, "an empty store", func(u Update) bool { return u.ToScan == 0 })
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := put(t, s, "a", 1)
	until(t, f, "the sweep finds it", func(u Update) bool { return messages(u, "a") == 1 })
	f.Touch(path)
	if err := os.WriteFile(dir+"/bad.jsonl", []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, f, "what is no session is told", func(u Update) bool { return u.Problem != "" })
}

func TestDaemonComesAndGoes(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	put(t, s, "a", 1)
	d, client := clienttest.New(t)
	d.HandleRoster(protocol.Summary{ID: "a", Path: s.NewPath("a"), State: protocol.StateStreaming})
	dials := 0
	f := start(t, Options{Store: s, Dial: func(context.Context) (*daemonclient.Client, error) {
		if dials++; dials > 1 {
			return nil, errors.New("nobody answers")
		}
		return client, nil
	}})
	section := func(u Update) roster.Section {
		r, _ := u.Snapshot.Get(roster.SessionKey("a"))
		return r.Section
	}
	until(t, f, "live", func(u Update) bool { return u.Connected && section(u) == roster.Running })
	if f.Client() != client {
		t.Error("no client")
	}
	d.EmitRoster(protocol.RosterEvent{
		Cursor:  protocol.Cursor{Generation: "g", Seq: 1},
		Changed: []protocol.Summary{{ID: "a", Path: s.NewPath("a"), State: protocol.StateIdle}},
	})
	until(t, f, "idle", func(u Update) bool { return section(u) == roster.Idle })
	d.HangUp()
	u := until(t, f, "gone", func(u Update) bool { return !u.Connected && section(u) == roster.Inactive })
	if u.Problem == "" {
		t.Error("no word why")
	}
	until(t, f, "the reason of the last try", func(u Update) bool { return u.Problem == "nobody answers" })
}

// The connection comes back by itself, with what is live by then.
func TestReconnects(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	one, first := clienttest.New(t)
	one.HandleRoster(protocol.Summary{ID: "a", State: protocol.StateStreaming})
	two, second := clienttest.New(t)
	two.HandleRoster(protocol.Summary{ID: "b", State: protocol.StateIdle})
	mute, refused := clienttest.New(t)
	mute.Handle(protocol.MethodRosterSubscribe, func(json.RawMessage) (any, error) { return nil, errors.New("not today") })
	clients := make(chan *daemonclient.Client, 3)
	clients <- first
	f := start(t, Options{Store: s, Sweep: time.Hour, Dial: func(ctx context.Context) (*daemonclient.Client, error) {
		select {
		case c := <-clients:
			return c, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}})
	has := func(u Update, id sessionio.ID) bool {
		_, ok := u.Snapshot.Get(roster.SessionKey(id))
		return ok
	}
	until(t, f, "the first", func(u Update) bool { return u.Connected && has(u, "a") })
	one.HangUp()
	until(t, f, "nothing is live", func(u Update) bool { return !u.Connected && u.Snapshot.Len() == 0 && u.Problem != "" })
	clients <- refused
	until(t, f, "one that takes no subscription", func(u Update) bool { return !u.Connected && strings.Contains(u.Problem, "not today") })
	clients <- second
	u := until(t, f, "the second", func(u Update) bool { return u.Connected })
	if !has(u, "b") || has(u, "a") || u.Problem != "" || f.Client() != second {
		t.Errorf("got %+v", u)
	}
}

// A reader that does not read gets one update with all that happened, and holds up nobody.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	f := start(t, Options{Store: s, Sweep: time.Hour})
	until(t, f, "started", func(u Update) bool { return u.ToScan == 0 })
	for i := range 50 {
		put(t, s, fmt.Sprintf("s%02d", i), 1)
	}
	heard := map[roster.Key]bool{}
	until(t, f, "all of them", func(u Update) bool {
		for _, k := range u.Changed {
			heard[k] = true
		}
		return u.Snapshot.Len() == 50
	})
	if len(heard) != 50 {
		t.Errorf("heard of %d", len(heard))
	}
}
