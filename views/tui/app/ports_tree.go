package app

import (
	"dugout/daemonclient/protocol"
	"dugout/views/tui/chatview"
	"dugout/views/tui/screen"
	"dugout/views/tui/treeview"

	tea "github.com/charmbracelet/bubbletea"
)

// openTree makes the tree of a chat's session; what it moved is told to the chat below.
func (t terminal) openTree(r chatview.TreeRequest) screen.Screen {
	return treeview.New(treeview.Options{
		Ref: r.Ref, Busy: r.Busy, Ports: treeCalls{t.calls}, Theme: t.th, Keys: t.o.Keys,
		Tell: func(n protocol.Navigated) tea.Msg { return chatview.NavigatedMsg{Navigated: n} },
	})
}

// treeCalls are the calls of a tree.
type treeCalls struct{ calls }

func (c treeCalls) Tree(ref protocol.SessionRef) (protocol.Tree, error) {
	return call[protocol.Tree](c.calls, callTime, protocol.MethodSessionTree, ref)
}

// Navigate returns when the leaf has moved; with a summary that is a model call.
func (c treeCalls) Navigate(n protocol.Navigate) (protocol.Navigated, error) {
	return call[protocol.Navigated](c.calls, compactTime, protocol.MethodSessionNavigate, n)
}

func (c treeCalls) Abort(ref protocol.SessionRef) error {
	return do(c.calls, protocol.MethodSessionAbort, ref)
}
