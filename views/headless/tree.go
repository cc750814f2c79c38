package headless

import (
	"dugout/sessionio"
	"dugout/views/sanitize"
	"fmt"
	"io"
	"strings"
)

// treeNode is one line of `tree --json`. The names are a contract.
type treeNode struct {
	ID         sessionio.EntryID   `json:"id"`
	ParentID   *sessionio.EntryID  `json:"parentId"`
	Type       sessionio.EntryType `json:"type"`
	Role       sessionio.Role      `json:"role"`
	Depth      int                 `json:"depth"` // ancestors
	Preview    string              `json:"preview"`
	Label      string              `json:"label"`
	OnLeafPath bool                `json:"onLeafPath"`
	Leaf       bool                `json:"leaf"`
}

// visit walks the tree parents first, without recursion: a session can be 100,000 entries deep.
func visit(t *sessionio.Tree, each func(m sessionio.Meta, depth, bend int) error) error {
	type place struct {
		id          sessionio.EntryID
		depth, bend int // bend: branch points above
	}
	var stack []place
	push := func(ids []sessionio.EntryID, depth, bend int) {
		if len(ids) > 1 {
			bend++
		}
		for i := len(ids) - 1; i >= 0; i-- {
			stack = append(stack, place{ids[i], depth, bend})
		}
	}
	push(t.Roots(), 0, 0)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		m, ok := t.Get(p.id)
		if !ok {
			continue
		}
		if err := each(m, p.depth, p.bend); err != nil {
			return err
		}
		push(t.Children(p.id), p.depth+1, p.bend)
	}
	return nil
}

func onPath(t *sessionio.Tree, leaf sessionio.EntryID) map[sessionio.EntryID]bool {
	on := map[sessionio.EntryID]bool{}
	for _, m := range t.Path(leaf) {
		on[m.ID] = true
	}
	return on
}

// TreeJSON writes one node a line, parents first.
func TreeJSON(w io.Writer, t *sessionio.Tree, leaf sessionio.EntryID, labels map[sessionio.EntryID]string) error {
	enc := NewEncoder(w)
	on := onPath(t, leaf)
	return visit(t, func(m sessionio.Meta, depth, _ int) error {
		n := treeNode{
			ID: m.ID, Type: m.Type, Role: m.Role, Depth: depth, Preview: m.Preview,
			Label: labels[m.ID], OnLeafPath: on[m.ID], Leaf: m.ID == leaf,
		}
		if m.Parent != "" {
			n.ParentID = &m.Parent
		}
		return enc.Encode(n)
	})
}

// maxIndent keeps lines short in a tree with thousands of branches, one off the other.
const maxIndent = 20

// Tree draws the tree for a person: a bullet marks the path to the leaf, an indent a branch.
func Tree(w io.Writer, t *sessionio.Tree, leaf sessionio.EntryID, labels map[sessionio.EntryID]string) error {
	on := onPath(t, leaf)
	return visit(t, func(m sessionio.Meta, _, bend int) error {
		mark, what := " ", string(m.Type)
		if on[m.ID] {
			mark = "•"
		}
		if m.Role != "" {
			what = string(m.Role)
		}
		line := fmt.Sprintf("%s %s %s%s", mark, m.ID, strings.Repeat("  ", min(bend, maxIndent)), what)
		if l := labels[m.ID]; l != "" {
			line += " [" + l + "]"
		}
		if m.Preview != "" {
			line += ": " + m.Preview
		}
		if m.ID == leaf {
			line += "  ← leaf"
		}
		_, err := fmt.Fprintln(w, sanitize.Line(line, 2000))
		return err
	})
}
