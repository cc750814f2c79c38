package app

import (
	"dugout/daemonclient/clienttest"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"encoding/json"
	"testing"
)

// The tree opens from the chat; going back to a question moves the leaf and gives its text to the
// editor.
func TestProgramGoesBackInTheTree(t *testing.T) {
	t.Parallel()
	ref := protocol.SessionRef{ID: "live-a"}
	p := launchWith(t, Start{Open: &ref}, func(d *clienttest.Daemon) {
		d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: "live-a", State: protocol.StateIdle, Model: "scripted/demo"}, Leaf: "2"})
		d.Handle(protocol.MethodSessionTree, func(json.RawMessage) (any, error) {
			node := func(id, parent sessionio.EntryID, role sessionio.Role, text string) protocol.TreeNode {
				return protocol.TreeNode{ID: id, Parent: parent, Type: sessionio.TypeMessage, Role: role, Preview: text, OnLeafPath: true}
			}
			return protocol.Tree{Leaf: "2", Nodes: []protocol.TreeNode{
				node("1", "", sessionio.RoleUser, "the question"), node("2", "1", sessionio.RoleAssistant, "the answer"),
			}}, nil
		})
		d.Handle(protocol.MethodSessionNavigate, func(json.RawMessage) (any, error) {
			return protocol.Navigated{EditorText: "asked again"}, nil
		})
	})
	p.daemon.WaitCall(protocol.MethodSessionAttach, 1)
	p.sees(t, "demo")
	p.types("/tree\r")
	p.sees(t, "the answer")
	p.types("\x1b[A\r") // up, enter
	p.sees(t, "no summary")
	p.types("\r")
	call := p.daemon.WaitCall(protocol.MethodSessionNavigate, 1)
	var n protocol.Navigate
	if err := json.Unmarshal(call.Params, &n); err != nil || n.To != "1" || n.Summarise || n.ID != "live-a" {
		t.Errorf("navigate %+v, %v", n, err)
	}
	p.sees(t, "asked again")
}
