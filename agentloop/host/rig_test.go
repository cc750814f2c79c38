package host

import (
	"context"
	"dugout/agentloop"
	"dugout/agentloop/model"
	"dugout/agentloop/model/scripted"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

const patience = 30 * time.Second

func TestMain(m *testing.M) {
	if home := os.Getenv(daemonHomeVar); home != "" {
		runTestDaemon(home)
		return
	}
	goleak.VerifyTestMain(m)
}

// rig is a host with a home and a project of its own.
type rig struct {
	t    *testing.T
	h    *Host
	home string
	cwd  string
}

func testOptions(home string) (Options, error) {
	st, err := store.Open(store.Options{Home: home, Path: filepath.Join(home, "no-programs")}) // the trash would be the real one
	if err != nil {
		return Options{}, err
	}
	journal := NewJournal(home)
	return Options{
		Home: home, Version: "test", Store: st, Models: model.NewRegistry([]model.Provider{scripted.New(scripted.Options{})}, nil),
		DefaultModel: sessionio.ModelRef{Provider: "scripted", Model: "demo"}, Permission: permission.All,
		Tools: func(_ string, spawn tool.SpawnFunc) []tool.Tool {
			return append(tool.Default(tool.Options{Started: journal.Started}), tool.NewSpawn(spawn))
		},
		Retry: agentloop.RetryPolicy{Max: -1}, ToolEnv: []string{"PATH=" + os.Getenv("PATH")},
	}, nil
}

func newRig(t *testing.T, change func(*Options)) *rig {
	t.Helper()
	o, err := testOptions(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&o)
	}
	o.Log = slog.New(slog.NewTextHandler(&testLog{t}, nil))
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	cwd, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, h: h, home: o.Home, cwd: cwd}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return r
}

// testLog shows the daemon's log with the test's.
type testLog struct{ t *testing.T }

func (l *testLog) Write(b []byte) (int, error) {
	if l.t.Context().Err() == nil {
		l.t.Log(strings.TrimSpace(string(b)))
	}
	return len(b), nil
}

func (r *rig) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	r.t.Cleanup(cancel)
	return ctx
}

// client is a front end attached to the host.
type client struct {
	*daemonclient.Client
	r *rig
}

func (r *rig) client(name string) *client {
	r.t.Helper()
	near, far := net.Pipe()
	go r.h.ServeConn(far)
	c, err := daemonclient.New(r.ctx(), near, daemonclient.Options{Client: name, AppVersion: "test"})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = c.Close() })
	return &client{c, r}
}

func (c *client) must(method string, params, result any) {
	c.r.t.Helper()
	if err := c.Call(c.r.ctx(), method, params, result); err != nil {
		c.r.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) code(method string, params any) int {
	c.r.t.Helper()
	return protocol.CodeOf(c.Call(c.r.ctx(), method, params, nil))
}

// start makes a session with a first prompt ("" for none).
func (c *client) start(prompt string, change ...func(*protocol.NewSession)) protocol.Summary {
	c.r.t.Helper()
	p := protocol.NewSession{CWD: c.r.cwd, Prompt: prompt}
	for _, f := range change {
		f(&p)
	}
	var o protocol.Opened
	c.must(protocol.MethodSessionNew, p, &o)
	return o.Summary
}

func byID(id sessionio.ID) protocol.SessionRef { return protocol.SessionRef{ID: id} }

func (c *client) prompt(id sessionio.ID, text string) protocol.Prompted {
	c.r.t.Helper()
	var p protocol.Prompted
	c.must(protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: byID(id), Text: text}, &p)
	return p
}

// screen is a front end's picture of a session, kept by snapshots and events alone.
type screen struct {
	t       *testing.T
	att     *daemonclient.Attachment
	gen     string
	seq     uint64
	snaps   int
	entries []sessionio.Entry
	leaf    sessionio.EntryID
	said    string // text deltas of the answer under way
	sum     protocol.Summary
	asks    []protocol.Permission
	queue   []protocol.Queued
	tools   map[string]string // output by call
	types   []protocol.EventType
	closed  string
	errors  []sessionio.ErrorRecord
}

func (c *client) attach(a protocol.Attach) *screen {
	c.r.t.Helper()
	att, err := c.Attach(c.r.ctx(), a)
	if err != nil {
		c.r.t.Fatal(err)
	}
	s := &screen{t: c.r.t, att: att, gen: att.Attached.Cursor.Generation, seq: att.Attached.Cursor.Seq, tools: map[string]string{}}
	if att.Attached.Snapshot != nil {
		s.snapshot(*att.Attached.Snapshot)
	}
	return s
}

func (s *screen) snapshot(snap protocol.Snapshot) {
	s.entries, s.leaf, s.sum = slices.Clone(snap.Entries), snap.Leaf, snap.Summary
	s.asks, s.queue, s.said = snap.Permissions, snap.Queue, ""
	clear(s.tools)
	for _, tr := range snap.Tools {
		s.tools[tr.CallID] = tr.Output
	}
	for _, d := range snap.Partial {
		if d.Kind == "text" {
			s.said += d.Text
		}
	}
}

func (s *screen) apply(e protocol.Event) {
	s.t.Helper()
	if e.Generation != s.gen || e.Type != protocol.EventSnapshot && e.Seq != s.seq+1 {
		s.t.Fatalf("event %s %s/%d after %s/%d", e.Type, e.Generation, e.Seq, s.gen, s.seq)
	}
	s.seq = e.Seq
	s.types = append(s.types, e.Type)
	switch e.Type {
	case protocol.EventSnapshot:
		s.snaps++
		s.snapshot(*e.Snapshot)
	case protocol.EventEntry:
		s.entries, s.leaf = append(s.entries, *e.Entry), e.Entry.ID
	case protocol.EventDelta:
		if e.Delta.Kind == "text" {
			s.said += e.Delta.Text
		}
	case protocol.EventAnswerEnd:
		s.said = ""
	case protocol.EventToolStart:
		s.tools[e.Tool.CallID] = ""
	case protocol.EventToolOutput:
		s.tools[e.Tool.CallID] += e.Tool.Output
	case protocol.EventToolEnd:
		delete(s.tools, e.Tool.CallID)
	case protocol.EventPermission:
		s.asks = append(s.asks, *e.Permission)
	case protocol.EventAnswered:
		s.asks = slices.DeleteFunc(s.asks, func(p protocol.Permission) bool { return p.ID == e.Answered.ID })
	case protocol.EventQueue:
		s.queue = e.Queue
	case protocol.EventError:
		s.errors = append(s.errors, *e.Error)
	case protocol.EventSummary:
		s.sum = *e.Summary
	case protocol.EventClosed:
		s.closed = e.Reason
	case protocol.EventRetry:
	}
}

// until applies events until the picture is as wanted.
func (s *screen) until(what string, want func() bool) {
	s.t.Helper()
	limit := time.After(patience)
	for !want() {
		select {
		case e, open := <-s.att.Events:
			if !open {
				s.t.Fatalf("the stream ended before %s", what)
			}
			s.apply(e)
		case <-limit:
			s.t.Fatalf("no %s; state %s, events %v", what, s.sum.State, s.types)
		}
	}
}

func (s *screen) idle() {
	s.t.Helper()
	s.until("rest", func() bool { return s.sum.State == protocol.StateIdle && s.sum.MessageCount > 1 && s.sum.Recap != "" })
}

// texts lists what was said in messages of a role.
func (s *screen) texts(role sessionio.Role) (list []string) {
	for _, e := range s.entries {
		if e.Type == sessionio.TypeMessage && e.Message != nil && e.Message.Role == role {
			list = append(list, plainText(e.Message.Content))
		}
	}
	return list
}

func (s *screen) heard(text string) bool {
	return strings.Contains(s.said+strings.Join(s.texts(sessionio.RoleAssistant), "\n"), text)
}

// entryIDs is the path that the screen shows.
func (s *screen) entryIDs() (list []sessionio.EntryID) {
	for _, e := range s.entries {
		list = append(list, e.ID)
	}
	return list
}

// files lists the session files of the home.
func (r *rig) files() []string {
	list, err := filepath.Glob(filepath.Join(r.home, "sessions", "*.jsonl"))
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

// until waits for something that no event tells.
func (r *rig) until(what string, want func() bool) {
	r.t.Helper()
	for limit := time.Now().Add(patience); !want(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			r.t.Fatalf("no %s", what)
		}
	}
}
