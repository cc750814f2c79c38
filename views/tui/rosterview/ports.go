package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/tui/screen"
)

// Ports are what the roster asks of the rest of the program. The functions that return an error may
// take their time: they run in commands, off the loop.
type Ports struct {
	Rename  func(protocol.Rename) error
	Stop    func(protocol.SessionRef) error
	Archive func(protocol.Archive) error
	Delete  func(protocol.SessionRef) (protocol.Deleted, error)
	Answer  func(protocol.Answer) error
	New     func(protocol.NewSession) (protocol.Opened, error)

	// OpenChat makes the chat of a session, NewChat that of a session that is still to be started.
	// Both return at once.
	OpenChat func(protocol.SessionRef) screen.Screen
	NewChat  func(protocol.NewSession) screen.Screen
}

// RosterChangedMsg is the roster as it stands now. It goes to every screen.
type RosterChangedMsg struct {
	Snapshot  roster.Snapshot
	Connected bool
	Problem   string // why not connected, or what a listing met
	Scanned   int    // of the first listing
	ToScan    int    // 0 when it is done
}
