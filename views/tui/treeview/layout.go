package treeview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/tui/theme"
	"slices"
	"strings"
)

// Row is one visible entry in its place.
type Row struct {
	Node     *protocol.TreeNode
	Prefix   string // connectors, 3 columns a level
	Foldable bool
	Folded   bool
	parent   int // index of the visible parent's row, -1 for a root
}

// Look is what decides which rows there are.
type Look struct {
	Filter Filter
	Words  []string // of the search, lower case
	Folded map[sessionio.EntryID]bool
}

// layout is a tree with hidden entries bridged: who shows is a child of the nearest ancestor that
// shows.
type layout struct {
	nodes    []protocol.TreeNode
	leaf     sessionio.EntryID
	at       map[sessionio.EntryID]int
	visible  []bool
	children map[int][]int // by index; -1 holds the roots
	look     Look
	rows     []Row
}

// Arrange lays a tree out: each visible entry once, parents before children, the branch of the leaf
// first and the others by time. Pure.
func Arrange(t *protocol.Tree, look Look) []Row {
	l := layout{nodes: t.Nodes, leaf: t.Leaf, at: make(map[sessionio.EntryID]int, len(t.Nodes)), look: look, children: map[int][]int{}}
	for i := range t.Nodes {
		l.at[t.Nodes[i].ID] = i
	}
	l.visible = make([]bool, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		l.visible[i] = l.at[n.ID] == i && look.Filter.shows(n, t.Leaf) && found(n, look.Words)
	}
	l.bridge()
	roots := l.children[-1]
	l.branch(roots, -1, place{multi: len(roots) > 1, roots: len(roots) > 1})
	return l.rows
}

// bridge finds each visible entry's nearest visible ancestor. Parents that form a circle are cut
// where the walk meets itself.
func (l *layout) bridge() {
	memo := make([]int, len(l.nodes)) // 0 unknown, else index+2: 1 is a root
	for i := range l.nodes {
		if !l.visible[i] {
			continue
		}
		var walked []int
		up := -1
		for at := i; ; {
			p, ok := l.at[l.nodes[at].Parent]
			if !ok || l.nodes[at].Parent == "" || p == i || slices.Contains(walked[max(0, len(walked)-64):], p) || len(walked) > len(l.nodes) {
				break
			}
			if l.visible[p] {
				up = p
				break
			}
			if memo[p] != 0 {
				up = memo[p] - 2
				break
			}
			walked = append(walked, p)
			at = p
		}
		for _, w := range walked {
			memo[w] = up + 2
		}
		l.children[up] = append(l.children[up], i)
	}
	for up := range l.children {
		kids := l.children[up]
		slices.SortStableFunc(kids, func(a, b int) int {
			x, y := &l.nodes[a], &l.nodes[b]
			if x.OnLeafPath != y.OnLeafPath {
				if x.OnLeafPath {
					return -1
				}
				return 1
			}
			return x.Time.Compare(y.Time)
		})
	}
	l.cutCircles()
}

// cutCircles makes a root of an entry of each circle that no root reaches.
func (l *layout) cutCircles() {
	seen := make([]bool, len(l.nodes))
	visit := func(from int) {
		stack := []int{from}
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if seen[i] {
				continue
			}
			seen[i] = true
			stack = append(stack, l.children[i]...)
		}
	}
	for _, r := range l.children[-1] {
		visit(r)
	}
	for i := range l.nodes {
		if !l.visible[i] || seen[i] {
			continue
		}
		for up, kids := range l.children {
			if k := slices.Index(kids, i); k >= 0 {
				l.children[up] = slices.Delete(slices.Clone(kids), k, k+1)
				break
			}
		}
		l.children[-1] = append(l.children[-1], i)
		visit(i)
	}
}

// place is where a row stands: the columns left of it and the connector to its parent.
type place struct {
	gutter string
	multi  bool // it has siblings
	roots  bool // the siblings are roots: no connector
}

// task is a row still to be laid out; the walk keeps its own stack, for sessions are deep.
type task struct {
	node, parent int
	last         bool
	at           place
}

func (l *layout) branch(kids []int, parent int, at place) {
	stack := tasks(nil, kids, parent, at)
	for len(stack) > 0 {
		t := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		below := l.children[t.node]
		n := &l.nodes[t.node]
		row := Row{Node: n, parent: t.parent, Foldable: len(below) > 0 && (t.parent < 0 || t.at.multi)}
		row.Folded = row.Foldable && l.look.Folded[n.ID]
		row.Prefix = t.at.gutter
		gutter := t.at.gutter
		switch {
		case t.at.multi && !t.at.roots:
			row.Prefix += connector(t.last, row)
			gutter = deeper(gutter, t.last)
		case row.Foldable:
			row.Prefix += marker(row) + " "
		}
		l.rows = append(l.rows, row)
		if row.Folded {
			continue
		}
		next := place{gutter: gutter, multi: len(below) > 1}
		stack = tasks(stack, below, len(l.rows)-1, next)
	}
}

// tasks puts children on the stack so that the first comes off first.
func tasks(stack []task, kids []int, parent int, at place) []task {
	for i := len(kids) - 1; i >= 0; i-- {
		stack = append(stack, task{kids[i], parent, i == len(kids)-1, at})
	}
	return stack
}

// maxGutter bounds the columns left of a row, in bytes: no window shows more.
const maxGutter = 300

// deeper adds a level to the columns; of very deep trees the outer levels go.
func deeper(gutter string, last bool) string {
	if len(gutter) > maxGutter {
		first := len("   ")
		if strings.HasPrefix(gutter, "│") {
			first = len("│  ")
		}
		gutter = gutter[first:]
	}
	if last {
		return gutter + "   "
	}
	return gutter + "│  "
}

func connector(last bool, row Row) string {
	c := "├"
	if last {
		c = "└"
	}
	if row.Foldable {
		return c + marker(row) + " "
	}
	return c + "─ "
}

func marker(row Row) string {
	if row.Folded {
		return theme.GlyphClosed
	}
	return theme.GlyphOpen
}

// nearest is the row of an entry, or of its nearest visible ancestor, else the last row.
func nearest(t *protocol.Tree, rows []Row, id sessionio.EntryID) int {
	row := make(map[sessionio.EntryID]int, len(rows))
	for i, r := range rows {
		row[r.Node.ID] = i
	}
	parent := make(map[sessionio.EntryID]sessionio.EntryID, len(t.Nodes))
	for i := range t.Nodes {
		parent[t.Nodes[i].ID] = t.Nodes[i].Parent
	}
	for range len(t.Nodes) + 1 {
		if i, ok := row[id]; ok {
			return i
		}
		up, ok := parent[id]
		if !ok {
			break
		}
		id = up
	}
	return len(rows) - 1
}

// leavesBehind says whether a move to an entry leaves something said on the path to the leaf.
func leavesBehind(t *protocol.Tree, to sessionio.EntryID) bool {
	at := make(map[sessionio.EntryID]int, len(t.Nodes))
	for i := range t.Nodes {
		at[t.Nodes[i].ID] = i
	}
	kept := map[sessionio.EntryID]bool{}
	for id, n := to, 0; id != "" && n <= len(t.Nodes); n++ {
		i, ok := at[id]
		if !ok {
			break
		}
		if id != to || t.Nodes[i].Role != sessionio.RoleUser { // a question itself is taken back
			kept[id] = true
		}
		id = t.Nodes[i].Parent
	}
	for id, n := t.Leaf, 0; id != "" && n <= len(t.Nodes) && !kept[id]; n++ {
		i, ok := at[id]
		if !ok {
			break
		}
		if id != to && t.Nodes[i].Type == sessionio.TypeMessage {
			return true
		}
		id = t.Nodes[i].Parent
	}
	return false
}

// kindWord says what an entry is, where it is not plainly a message.
func kindWord(n *protocol.TreeNode) string {
	switch {
	case n.Type == sessionio.TypeMessage && n.Role == sessionio.RoleUser:
		return ""
	case n.Type == sessionio.TypeMessage && n.Role == sessionio.RoleAssistant:
		return ""
	case n.Type == sessionio.TypeMessage && n.Role == sessionio.RoleToolResult:
		return "tool"
	case n.Type == sessionio.TypeMessage && n.Role == sessionio.RoleBash:
		return "shell"
	case n.Type == sessionio.TypeMessage:
		return string(n.Role)
	}
	return strings.ReplaceAll(strings.TrimSuffix(string(n.Type), "_change"), "_", " ")
}
