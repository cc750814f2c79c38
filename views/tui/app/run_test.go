package app

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/clienttest"
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/roster/live"
	"dugout/sessionio"
	"dugout/views/tui/tuitest"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// feed is a roster that a test drives.
type feed struct {
	updates chan live.Update
	client  *daemonclient.Client
	mu      sync.Mutex
	touched []string
}

func (f *feed) Updates() <-chan live.Update  { return f.updates }
func (f *feed) Client() *daemonclient.Client { return f.client }

func (f *feed) Touch(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.touched = append(f.touched, path)
}

func world(n int) roster.Snapshot {
	s := roster.NewState()
	for i := range n {
		id := string(rune('a' + i))
		s.Apply(roster.Delta{
			Live: []protocol.Summary{{
				ID: sessionio.ID("live-" + id), Path: "/s/live-" + id, OnDisk: true, Name: "agent " + id, State: protocol.StateStreaming, Since: time.Unix(100, 0),
			}},
			Saved: []sessionio.Info{{ID: sessionio.ID("saved-" + id), Path: "/s/saved-" + id, FirstMessage: "question " + id, UserMessages: 1}},
		})
	}
	return s.Snapshot()
}

// program runs the whole program on an emulated terminal, with a scripted daemon.
type program struct {
	*tuitest.Terminal
	keys   io.WriteCloser
	feed   *feed
	daemon *clienttest.Daemon
	done   chan error
}

func launch(t *testing.T) *program {
	t.Helper()
	return launchWith(t, Start{}, func(*clienttest.Daemon) {})
}

func launchWith(t *testing.T, start Start, script func(*clienttest.Daemon)) *program {
	t.Helper()
	daemon, client := clienttest.New(t)
	script(daemon)
	in, keys := io.Pipe()
	p := &program{
		Terminal: tuitest.NewTerminal(80, 24), keys: keys, daemon: daemon, done: make(chan error, 1),
		feed: &feed{updates: make(chan live.Update, 8), client: client},
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		p.done <- Run(ctx, Options{Feed: p.feed, Start: start, Folder: "/work", Input: in, Output: p.Terminal, Size: [2]int{80, 24}})
	}()
	t.Cleanup(func() {
		cancel()
		p.keys.Close()
		select {
		case <-p.done:
		case <-time.After(10 * time.Second):
			t.Error("the program does not end")
		}
		p.Close()
	})
	return p
}

func (p *program) sees(t *testing.T, what string) {
	t.Helper()
	p.Wait(t, what, func(s string) bool { return strings.Contains(s, what) })
}

func (p *program) types(s string) { _, _ = io.WriteString(p.keys, s) }

func TestProgramDeletesWhatItShowed(t *testing.T) {
	t.Parallel()
	p := launch(t)
	p.daemon.Handle(protocol.MethodSessionDelete, func(json.RawMessage) (any, error) {
		return protocol.Deleted{Path: "/s/saved-b", Way: "trashed"}, nil
	})
	p.feed.updates <- live.Update{Snapshot: world(3), Connected: true}
	p.sees(t, "running 3")
	p.types("question b")
	p.sees(t, "1 of 6")
	p.types("\x04") // ctrl+d
	p.sees(t, "Delete “question b”?")
	p.types("y")
	call := p.daemon.WaitCall(protocol.MethodSessionDelete, 1)
	var ref protocol.SessionRef
	if err := json.Unmarshal(call.Params, &ref); err != nil || ref.ID != "saved-b" {
		t.Errorf("deleted %+v, %v", ref, err)
	}
	p.sees(t, "to the trash")
	p.feed.mu.Lock()
	defer p.feed.mu.Unlock()
	if len(p.feed.touched) != 1 || p.feed.touched[0] != "/s/saved-b" {
		t.Errorf("touched %v", p.feed.touched)
	}
}

func TestProgramLivesWithoutTheDaemon(t *testing.T) {
	t.Parallel()
	p := launch(t)
	p.feed.updates <- live.Update{Snapshot: world(2), Connected: true}
	p.sees(t, "idle 0")
	p.feed.updates <- live.Update{Snapshot: world(2), Problem: "the daemon has stopped"}
	p.sees(t, "no daemon: the daemon has stopped")
	p.types(`"question a"`)
	p.sees(t, "1 of 4")
	p.feed.updates <- live.Update{Snapshot: world(2), Connected: true}
	p.Wait(t, "no banner", func(s string) bool { return !strings.Contains(s, "no daemon") })
	p.types("\x1b")
	p.sees(t, "type to search")
	p.types("\x03\x03") // ctrl+c, twice
	if err := <-p.done; err != nil {
		t.Error(err)
	}
	p.done <- nil
}

func TestCallsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := calls{ctx: context.Background, feed: &feed{}}
	if err := c.rosterPorts().Stop(protocol.SessionRef{ID: "x"}); !errors.Is(err, errNoDaemon) {
		t.Error(err)
	}
	daemon, client := clienttest.New(t)
	daemon.Handle(protocol.MethodSessionRename, func(json.RawMessage) (any, error) {
		return nil, &protocol.Error{Code: protocol.CodeHeld, Message: "held by pid 7"}
	})
	f := &feed{client: client}
	c.feed = f
	if err := c.rosterPorts().Rename(protocol.Rename{SessionRef: protocol.SessionRef{Path: "/s/x"}}); err == nil || err.Error() != "held by pid 7" {
		t.Error(err)
	}
	if len(f.touched) != 0 {
		t.Error("a refused call touched the file")
	}
}

// Enter opens a chat that streams; the way back leaves the session running, and what was typed ahead
// meets the screen that it was meant for.
func TestProgramOpensAChatAndComesBack(t *testing.T) {
	t.Parallel()
	p := launch(t)
	sum := protocol.Summary{ID: "live-a", Path: "/s/live-a", Name: "agent a", State: protocol.StateStreaming, Model: "scripted/demo"}
	p.daemon.HandleAttach(protocol.Snapshot{Summary: sum})
	p.feed.updates <- live.Update{Snapshot: world(1), Connected: true}
	p.sees(t, "agent a")
	p.types("\rhello")
	p.daemon.WaitCall(protocol.MethodSessionAttach, 1)
	p.sees(t, "hello")
	p.sees(t, "demo") // the model: it is attached
	p.daemon.Emit(protocol.Event{Session: "live-a", Type: protocol.EventDelta, Delta: &protocol.Delta{Kind: "text", Text: "streamed words"}})
	p.sees(t, "streamed words")
	p.types("\x11") // ctrl+q
	p.sees(t, "type to search")
	p.daemon.WaitCall(protocol.MethodSessionDetach, 1)
	for _, m := range []string{protocol.MethodSessionAbort, protocol.MethodSessionStop, protocol.MethodSessionPrompt} {
		if n := len(p.daemon.Calls(m)); n > 0 {
			t.Errorf("%d calls of %s", n, m)
		}
	}
}

func TestProgramStartsInAChat(t *testing.T) {
	t.Parallel()
	p := launchWith(t, Start{New: &protocol.NewSession{CWD: "/work", Prompt: "do it"}}, func(d *clienttest.Daemon) {
		d.Handle(protocol.MethodSessionNew, func(json.RawMessage) (any, error) {
			return protocol.Opened{Summary: protocol.Summary{ID: "fresh", CWD: "/work"}}, nil
		})
		d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: "fresh", FirstMessage: "do it", State: protocol.StateIdle}})
	})
	p.daemon.WaitCall(protocol.MethodSessionNew, 1)
	p.sees(t, "do it")
	p.types("\x11")
	p.sees(t, "type to search")
}
