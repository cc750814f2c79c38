package host

import (
	"crypto/rand"
	"dugout/agentloop"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"sync"
	"time"
)

// live is one live session: its agent, and everybody who watches it.
type live struct {
	h          *Host
	agent      *agentloop.Agent
	sess       *sessionio.Session
	id         sessionio.ID
	path       string // canonical
	cwd        string // where tools run
	generation string
	headless   bool  // nobody is there to answer
	spawnedBy  *live // the live session that started this one as its child, or nil
	cleanup    func()

	// mu is taken in Emit: nothing slow happens under it. Below it are a connection's and the hub's.
	mu           sync.Mutex
	seq          uint64
	ring         ring
	subs         map[*sub]bool
	m            mirror
	info         sessionio.Info
	summary      protocol.Summary // as last told
	told         bool
	due          bool // the summary changed in small things: a timer will tell
	unseen       bool // settled while nobody was attached
	begun        bool // it is in the roster
	ended        bool
	busyKids     map[*live]bool
	lastAnswered sessionio.EntryID                     // the newest assistant message
	booked       map[sessionio.EntryID]sessionio.Usage // of answers with children
	touched      time.Time                             // when it was last busy or attached to
}

func newGeneration() string { return rand.Text()[:12] }

// begin puts the session, as it was read, into the roster.
func (l *live) begin() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun = true
	l.info, l.m.leaf, l.m.state = l.sess.Info(), l.sess.Leaf(), l.agent.State()
	l.m.queue = wireQueue(l.agent.Queue()) // what waited when the session was last live
	l.refreshLocked()
}

// finish tells everybody attached that the session is no longer live.
func (l *live) finish(reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m.setState(agentloop.State{Activity: agentloop.Idle})
	l.ended = true
	l.tellParentLocked()
	l.seq++
	e := &sealed{event: protocol.Event{
		Session: l.id, Generation: l.generation, Seq: l.seq, Type: protocol.EventClosed, Reason: reason,
	}}
	for s := range l.subs {
		s.last(e)
	}
	l.subs, l.ring = nil, ring{}
}

func (l *live) isEnded() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.ended
}

func (l *live) busy() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.m.state.Activity != agentloop.Idle
}

func (l *live) depth() int {
	if d := l.sess.Header().Depth; d != nil {
		return *d
	}
	return 0
}

// attach subscribes: with a cursor that is still held the missing events wait, else the snapshot
// that comes back (its fill is the caller's to run) says how all stands just before the first event.
// ok is false when the session has ended meanwhile.
func (l *live) attach(nudge func(), a protocol.Attach) (s *sub, at protocol.Attached, snapshot *sealed, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return nil, at, nil, false
	}
	s = &sub{l: l, nudge: nudge}
	l.subs[s] = true
	l.unseen, l.touched = false, l.h.o.Now()
	l.refreshLocked()
	at.Session = l.id
	if c := a.Cursor; c != nil && c.Generation == l.generation {
		if missing, held := l.ring.since(c.Seq, l.seq); held {
			s.waits, at.Cursor = missing, *c
			return s, at, nil, true
		}
	}
	s.waits, s.bytes = nil, 0
	at.Cursor = protocol.Cursor{Generation: l.generation, Seq: l.seq}
	tail := a.Tail
	if tail <= 0 {
		tail = defaultTail
	}
	return s, at, l.snapshotLocked(tail), true
}

// drop ends a subscription.
func (l *live) drop(s *sub) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s.over, s.waits = true, nil
	if !l.subs[s] {
		return
	}
	delete(l.subs, s)
	l.touched = l.h.o.Now()
	l.refreshLocked()
}

// emit takes an event of the agent. It must not block and must not call the agent.
func (l *live) emit(e agentloop.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.begun || l.ended {
		return
	}
	switch {
	case e.Entry != nil:
		l.entryLocked(*e.Entry)
	case e.Leaf != nil:
		if l.m.leaf != *e.Leaf {
			l.m.leaf = *e.Leaf
			l.tellLocked(l.snapshotNextLocked())
		}
	case e.State != nil:
		l.stateLocked(*e.State)
	default:
		if w, size := l.small(e); size > 0 {
			l.tellLocked(&sealed{event: w, size: size})
		}
	}
	l.refreshLocked()
}

// small mirrors and translates an event that is neither entry nor state.
func (l *live) small(e agentloop.Event) (w protocol.Event, size int) {
	const base = 160
	switch m := &l.m; {
	case e.Delta != nil:
		d := wireDelta(*e.Delta)
		m.delta(d)
		return protocol.Event{Type: protocol.EventDelta, Delta: &d}, base + len(d.Text)
	case e.AnswerEnd != nil:
		m.partial = nil
		return protocol.Event{Type: protocol.EventAnswerEnd}, base
	case e.ToolStart != nil:
		t := protocol.ToolRun{
			CallID: e.ToolStart.CallID, Tool: e.ToolStart.Tool, Args: e.ToolStart.Args,
			Title: e.ToolStart.Effect.Title, Started: l.h.o.Now(),
		}
		m.tools = append(m.tools, t)
		return protocol.Event{Type: protocol.EventToolStart, Tool: &t}, base + len(t.Args)
	case e.ToolOutput != nil:
		t := protocol.ToolRun{CallID: e.ToolOutput.CallID, Output: e.ToolOutput.Chunk}
		m.output(t.CallID, t.Output)
		return protocol.Event{Type: protocol.EventToolOutput, Tool: &t}, base + len(t.Output)
	case e.ToolEnd != nil:
		m.endTool(e.ToolEnd.CallID)
		t := protocol.ToolRun{CallID: e.ToolEnd.CallID, IsError: e.ToolEnd.IsError}
		return protocol.Event{Type: protocol.EventToolEnd, Tool: &t}, base
	case e.Permission != nil:
		p := wireAsk(*e.Permission)
		m.asks = append(m.asks, p)
		return protocol.Event{Type: protocol.EventPermission, Permission: p}, base + len(p.Preview) + len(p.Command)
	case e.Answered != nil:
		m.endAsk(e.Answered.ID)
		return protocol.Event{Type: protocol.EventAnswered, Answered: &protocol.Answered{
			ID: e.Answered.ID, Allow: e.Answered.Answer.Allow, Always: e.Answered.Answer.Always,
			By: e.Answered.Answer.By, Withdrawn: e.Answered.Withdrawn,
		}}, base
	case e.Queue != nil:
		m.queue = wireQueue(e.Queue)
		return protocol.Event{Type: protocol.EventQueue, Queue: m.queue}, base
	case e.Retry != nil:
		m.retry = &protocol.Retry{Attempt: e.Retry.Attempt, Max: e.Retry.Max, Until: e.Retry.Until, Reason: e.Retry.Reason}
		return protocol.Event{Type: protocol.EventRetry, Retry: m.retry}, base
	case e.Error != nil:
		return protocol.Event{Type: protocol.EventError, Error: e.Error}, base + len(e.Error.Raw)
	}
	return w, 0
}

// entryLocked tells of an entry. One that does not hang under the last leaf has left a branch
// behind: what a screen shows is no longer the path, and a snapshot follows.
func (l *live) entryLocked(e sessionio.Entry) {
	moved := l.m.leaf != "" && e.ParentID != l.m.leaf
	l.m.leaf = e.ID
	l.info = l.sess.Info()
	if e.Message != nil && e.Message.Role == sessionio.RoleAssistant {
		l.lastAnswered = e.ID
	}
	shown := slim(e)
	l.tellLocked(&sealed{event: protocol.Event{Type: protocol.EventEntry, Entry: &shown}, size: weight(shown)})
	if moved {
		l.tellLocked(l.snapshotNextLocked())
	}
}

// stateLocked takes a new state; one that settles with nobody attached is to be looked at.
func (l *live) stateLocked(s agentloop.State) {
	was := l.m.state.Activity
	l.m.setState(s)
	if was == s.Activity {
		return
	}
	l.touched = l.h.o.Now()
	switch {
	case s.Activity != agentloop.Idle:
		l.unseen = false
	case was != "":
		l.unseen = len(l.subs) == 0
		if l.info.Path != "" {
			l.info = l.sess.Info()
		}
	}
}

// tellLocked numbers an event, keeps it, and puts it to everybody attached.
func (l *live) tellLocked(e *sealed) {
	l.seq++
	e.event.Session, e.event.Generation, e.event.Seq = l.id, l.generation, l.seq
	l.ring.add(e)
	for s := range l.subs {
		s.put(e)
	}
}

// refText is a model as the wire has it.
func refText(r sessionio.ModelRef) string {
	if r == (sessionio.ModelRef{}) {
		return ""
	}
	return r.Provider + "/" + r.Model
}
