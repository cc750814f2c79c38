package roster

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
)

// Merge makes records of live summaries and saved infos, in that order. Live wins for what is
// happening, saved fills in what is durable. A saved info joins a live summary by its path, else by
// the session id where that summary has no file of its own yet joined.
func Merge(live []protocol.Summary, saved []sessionio.Info) []Record {
	s := NewState()
	s.Apply(Delta{AllLive: &live, AllSaved: &saved})
	return s.Snapshot().All()
}

// build makes a record of its two sides. prev, the record before the change, keeps the time of
// entering the section while the section stays.
func build(prev *Record, live *protocol.Summary, saved *sessionio.Info) *Record {
	r := &Record{Live: live, Saved: saved}
	if prev != nil {
		r.Aliases = prev.Aliases
	}
	if live != nil {
		r.Aliases = union(r.Aliases, liveKeys(live))
		r.Depth = live.Depth
	}
	if saved != nil {
		r.Aliases = union(r.Aliases, savedKeys(saved))
		if live == nil {
			r.Depth = saved.Depth
		}
	}
	r.Key = r.Aliases[0]
	if prev != nil {
		r.Key = prev.Key
	}
	r.Section = Classify(live)
	r.Attention = Attend(live, saved)
	r.State = stateOf(live, saved)
	switch {
	case live == nil:
		r.SectionAt = r.Modified()
	case prev != nil && prev.Section == r.Section:
		r.SectionAt = prev.SectionAt
	default:
		r.SectionAt = live.Since
	}
	r.corpus = newCorpus(r)
	return r
}
