package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"slices"
)

const (
	defaultTail  = 200
	maxTail      = 2000
	maxTailBytes = 16 << 20
)

// snapshotLocked is an event that says how the session stands now: its place is the last event's.
func (l *live) snapshotLocked(tail int) *sealed {
	s := l.snapshotNextLocked()
	s.fill = l.fillLocked(tail)
	s.event.Session, s.event.Generation, s.event.Seq = l.id, l.generation, l.seq
	return s
}

// snapshotNextLocked is such an event still without a number, to be told as the next one.
func (l *live) snapshotNextLocked() *sealed {
	return &sealed{event: protocol.Event{Type: protocol.EventSnapshot}, size: 4 << 10, fill: l.fillLocked(defaultTail)}
}

// fillLocked notes how the session stands; what it returns reads the entries, which do not change,
// without the lock.
func (l *live) fillLocked(tail int) func(*protocol.Event) error {
	sess, leaf, info := l.sess, l.m.leaf, l.info
	s := protocol.Snapshot{
		Summary: l.summarizeLocked(info), Leaf: leaf, Partial: l.m.answer(), Tools: slices.Clone(l.m.tools),
		Queue: slices.Clone(l.m.queue), Retry: l.m.retry,
	}
	for _, p := range l.m.asks {
		s.Permissions = append(s.Permissions, *p)
	}
	return func(e *protocol.Event) error {
		got, err := entriesBefore(sess, leaf, "", tail)
		if err != nil {
			return err
		}
		full := s
		full.Entries, full.More = got.Entries, got.More
		e.Snapshot = &full
		return nil
	}
}

// entriesBefore reads the end of the path to leaf, or, with before, what comes just ahead of it.
// Few but huge entries come in smaller numbers.
func entriesBefore(sess *sessionio.Session, leaf, before sessionio.EntryID, limit int) (protocol.Entries, error) {
	path := sess.Tree().Path(leaf)
	if before != "" {
		i := slices.IndexFunc(path, func(m sessionio.Meta) bool { return m.ID == before })
		if i < 0 {
			return protocol.Entries{}, fmt.Errorf("entries before %q: %w on the path", before, sessionio.ErrNoEntry)
		}
		path = path[:i]
	}
	if limit <= 0 {
		limit = defaultTail
	}
	limit = min(limit, maxTail)
	from, bytes := len(path), int64(0)
	for from > 0 && len(path)-from < limit {
		size := min(path[from-1].Length, maxEntry)
		if bytes += size; bytes > maxTailBytes && from < len(path) {
			break
		}
		from--
	}
	ids := make([]sessionio.EntryID, 0, len(path)-from)
	for _, m := range path[from:] {
		ids = append(ids, m.ID)
	}
	entries, err := sess.Entries(ids)
	if err != nil {
		return protocol.Entries{}, err
	}
	for i := range entries {
		entries[i] = slim(entries[i])
	}
	return protocol.Entries{Entries: entries, More: from > 0}, nil
}
