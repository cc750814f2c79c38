package treeview

import "dugout/daemonclient/protocol"

// Ports are what the tree asks of the rest of the program. They may take their time: they run in
// commands, off the loop.
type Ports interface {
	Tree(protocol.SessionRef) (protocol.Tree, error)
	Navigate(protocol.Navigate) (protocol.Navigated, error)
	Abort(protocol.SessionRef) error
}
