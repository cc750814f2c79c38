package host

import (
	"dugout/daemonclient/protocol"
	"sync"
)

// Bounds of a subscriber's queue and of the events that a session keeps for those who come back.
const (
	maxQueued      = 1024
	maxQueuedBytes = 4 << 20
	maxKept        = 1024
	maxKeptBytes   = 128 << 10
)

// sealed is a numbered event. Its frame is made once, by the first connection that sends it.
type sealed struct {
	event protocol.Event
	size  int
	// fill completes a snapshot event; it reads the file, so only a connection's writer calls it.
	fill  func(*protocol.Event) error
	once  sync.Once
	bytes []byte
	err   error
}

func (s *sealed) frame() ([]byte, error) {
	if s.fill != nil { // not kept: it is large, and rarely wanted twice
		e := s.event
		if err := s.fill(&e); err != nil {
			return nil, err
		}
		return protocol.EncodeNotification(protocol.NotifyEvent, e)
	}
	s.once.Do(func() { s.bytes, s.err = protocol.EncodeNotification(protocol.NotifyEvent, s.event) })
	return s.bytes, s.err
}

// sub is one connection's subscription to one session. Its fields are the session's, under its mu.
type sub struct {
	l      *live
	nudge  func() // tells the connection's writer; never blocks
	waits  []*sealed
	bytes  int
	behind bool // too slow: what waited is dropped, a snapshot is due
	over   bool // nothing more comes
}

func (s *sub) put(e *sealed) {
	if s.over {
		return
	}
	if !s.behind {
		s.waits = append(s.waits, e)
		if s.bytes += e.size; len(s.waits) > maxQueued || s.bytes > maxQueuedBytes && len(s.waits) > 1 {
			s.waits, s.bytes, s.behind = nil, 0, true
		}
	}
	s.nudge()
}

// last puts an event that comes also to one who is behind, and nothing after it.
func (s *sub) last(e *sealed) {
	if s.over {
		return
	}
	s.waits, s.behind, s.over = append(s.waits, e), false, true
	s.nudge()
}

// take hands over what waits, a snapshot in its place for one who is behind. over says that the
// subscription ends with it.
func (s *sub) take() (events []*sealed, over bool) {
	s.l.mu.Lock()
	defer s.l.mu.Unlock()
	if s.behind {
		s.behind = false
		return []*sealed{s.l.snapshotLocked(defaultTail)}, false
	}
	events, s.waits, s.bytes = s.waits, nil, 0
	return events, s.over
}

// ring is the newest events of a session.
type ring struct {
	events []*sealed
	bytes  int
}

func (r *ring) add(e *sealed) {
	r.events = append(r.events, e)
	r.bytes += e.size
	drop := 0
	for r.bytes > maxKeptBytes || len(r.events)-drop > maxKept {
		r.bytes -= r.events[drop].size
		r.events[drop] = nil
		if drop++; drop == len(r.events) {
			break
		}
	}
	r.events = r.events[drop:]
}

// since lists the events after seq; ok is false when some of them are gone.
func (r *ring) since(seq, newest uint64) (events []*sealed, ok bool) {
	if seq == newest {
		return nil, true
	}
	if seq > newest || len(r.events) == 0 || r.events[0].event.Seq > seq+1 {
		return nil, false
	}
	return append(events, r.events[seq+1-r.events[0].event.Seq:]...), true
}
