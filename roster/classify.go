package roster

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"time"
)

// Classify names the section of a session by itself; a busy descendant lifts it to running besides
// (children.go). No live part is inactive; busy in any way is running; else idle.
func Classify(live *protocol.Summary) Section {
	switch {
	case live == nil:
		return Inactive
	case Busy(live):
		return Running
	default:
		return Idle
	}
}

// Busy says whether anything is under way. A queue that an abort or a failure left waits for the
// person: nothing runs there (while something does, the state says so). What a state of a newer
// daemon means is not known: it counts as busy, since calling it idle could be a lie.
func Busy(live *protocol.Summary) bool {
	if live.RunningChildren > 0 || live.Pending > 0 {
		return true
	}
	return live.State != protocol.StateIdle && live.State != protocol.StateQueued
}

// Attend names what a session wants of the person. Of a session that is not live it wants nothing
// that the file could say for certain, but for a turn that broke off.
func Attend(live *protocol.Summary, saved *sessionio.Info) protocol.Attention {
	if live != nil {
		if live.Pending > 0 || live.Permission != nil {
			return protocol.AttentionPermission
		}
		return live.Attention
	}
	if saved != nil && saved.Interrupted {
		return protocol.AttentionFailed
	}
	return protocol.AttentionNone
}

// stateOf is the state word of a record. Nothing runs from a file alone, whatever the file says.
func stateOf(live *protocol.Summary, saved *sessionio.Info) protocol.State {
	switch {
	case live != nil:
		return live.State
	case saved != nil && saved.State == sessionio.LifecycleArchived:
		return protocol.StateArchived
	default:
		return protocol.StateSaved
	}
}

// NeedsYou says whether a record belongs into the strip above the sections: it waits for a person
// now. A finished session can wait, and a saved one does.
func (r Record) NeedsYou() bool {
	if r.Live == nil {
		return false
	}
	switch r.Attention {
	case protocol.AttentionPermission, protocol.AttentionQuestion, protocol.AttentionFailed:
		return true
	case protocol.AttentionNone, protocol.AttentionFinished:
	}
	return false
}

// WaitsSince is when the record began to need the person.
func (r Record) WaitsSince() time.Time {
	if r.Live == nil {
		return r.Modified()
	}
	if p := r.Live.Permission; p != nil {
		return p.Asked
	}
	return r.Live.Since
}
