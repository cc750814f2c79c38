package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/views/tui/screen"
)

// Ports are what the chat asks of the rest of the program. Functions with an error may take their
// time: they run in commands, off the loop.
type Ports struct {
	Session Session
	Screens Screens
	Memory  MemoryFunc // nil: there is no /memory
}

// Session is one session's calls.
type Session interface {
	New(protocol.NewSession) (protocol.Opened, error)
	// Attach starts a stream of events; it dials again when the connection is gone.
	Attach(protocol.Attach) (Stream, error)
	Detach(protocol.SessionRef)
	Prompt(protocol.Prompt) (protocol.Prompted, error)
	Dequeue(protocol.Dequeue) (protocol.Queued, error)
	Abort(protocol.SessionRef) error
	Answer(protocol.Answer) error
	Rename(protocol.Rename) error
	Compact(protocol.Compact) error
	Set(protocol.Set) error
	Stop(protocol.SessionRef) error
	Entries(protocol.EntriesRange) (protocol.Entries, error)
	Models() (protocol.Models, error)
}

// Stream is an attached session. Next waits for events and returns those that come within a moment
// together, in order; false when the stream has ended.
type Stream struct {
	Attached protocol.Attached
	Next     func() ([]protocol.Event, bool)
}

// Screens makes other screens. Each function returns at once; nil ones are left out of the commands.
type Screens struct {
	OpenChat func(protocol.SessionRef) screen.Screen
	NewChat  func(protocol.NewSession) screen.Screen
	Tree     func(TreeRequest) screen.Screen // tells NavigatedMsg
	Resume   func() screen.Screen            // tells ResumeMsg
}

// TreeRequest opens the tree of a session.
type TreeRequest struct {
	Ref  protocol.SessionRef
	Busy bool // a turn runs: the leaf can't be moved
}

// NavigatedMsg tells the chat where the tree moved the leaf.
type NavigatedMsg struct{ Navigated protocol.Navigated }

// ResumeMsg tells the chat that another session was chosen to go on with.
type ResumeMsg struct{ Ref protocol.SessionRef }
