package treeview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var t0 = time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)

// tree reads a tree from lines "id parent kind text"; the last id with a * is the leaf, and its path
// is marked. Kinds: u user, a assistant, t tool result, c call only, x custom, l labeled user.
func tree(spec string) *protocol.Tree {
	t := &protocol.Tree{}
	for i, l := range strings.Split(strings.TrimSpace(spec), "\n") {
		f := strings.Fields(l)
		n := protocol.TreeNode{Type: sessionio.TypeMessage, Time: t0.Add(time.Duration(i) * time.Minute), Preview: strings.Join(f[3:], " ")}
		id, leaf := strings.CutSuffix(f[0], "*")
		n.ID = sessionio.EntryID(id)
		if f[1] != "-" {
			n.Parent = sessionio.EntryID(f[1])
		}
		switch f[2] {
		case "u", "l":
			n.Role = sessionio.RoleUser
			if f[2] == "l" {
				n.Label = "mark"
			}
		case "a":
			n.Role = sessionio.RoleAssistant
		case "c":
			n.Role, n.HasTools = sessionio.RoleAssistant, true
		case "t":
			n.Role = sessionio.RoleToolResult
		case "x":
			n.Type = sessionio.TypeCustom
		}
		if leaf {
			t.Leaf = n.ID
		}
		t.Nodes = append(t.Nodes, n)
	}
	at := map[sessionio.EntryID]int{}
	for i, n := range t.Nodes {
		at[n.ID] = i
	}
	for id, k := t.Leaf, 0; id != "" && k <= len(t.Nodes); k++ {
		i, ok := at[id]
		if !ok {
			break
		}
		t.Nodes[i].OnLeafPath = true
		id = t.Nodes[i].Parent
	}
	return t
}

func draw(rows []Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "%s%s\n", r.Prefix, r.Node.ID)
	}
	return b.String()
}

const branched = `
1 - u first
2 1 c
3 2 t out
4 3 a answer
5 4 u one way
6 5 a so
7* 4 l other way
8 5 a so again
9 7 x bookkeeping
`

func TestArrange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spec string
		look Look
		want string
	}{
		"default":      {branched, Look{}, "▾ 1\n3\n4\n├─ 7\n└▾ 5\n   ├─ 6\n   └─ 8\n"},
		"no tools":     {branched, Look{Filter: NoTools}, "▾ 1\n4\n├─ 7\n└▾ 5\n   ├─ 6\n   └─ 8\n"},
		"user only":    {branched, Look{Filter: UserOnly}, "▾ 1\n├─ 7\n└─ 5\n"},
		"labeled":      {branched, Look{Filter: Labeled}, "7\n"},
		"all":          {branched, Look{Filter: All}, "▾ 1\n3\n4\n├▾ 7\n│  9\n└▾ 5\n   ├─ 6\n   └─ 8\n"},
		"folded":       {branched, Look{Folded: map[sessionio.EntryID]bool{"5": true}}, "▾ 1\n3\n4\n├─ 7\n└▸ 5\n"},
		"root folded":  {branched, Look{Folded: map[sessionio.EntryID]bool{"1": true}}, "▸ 1\n"},
		"search":       {branched, Look{Words: []string{"way"}}, "7\n5\n"},
		"search two":   {branched, Look{Words: []string{"mark", "way"}}, "7\n"},
		"search role":  {branched, Look{Words: []string{"toolresult"}}, "3\n"},
		"nothing":      {branched, Look{Words: []string{"zzz"}}, ""},
		"two roots":    {"1 - u a\n2* - u b\n3 2 a c", Look{}, "▾ 2\n3\n1\n"},
		"orphan":       {"1 zz u a\n2* 1 a b", Look{}, "▾ 1\n2\n"},
		"its own":      {"1 1 u a\n2* 1 a b", Look{}, "▾ 1\n2\n"},
		"a circle":     {"1 2 u a\n2* 1 a b\n3 - u c", Look{}, "3\n▾ 1\n2\n"},
		"call at leaf": {"1 - u a\n2* 1 c", Look{}, "▾ 1\n2\n"},
	} {
		if got := draw(Arrange(tree(c.spec), c.look)); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	tr := tree(branched)
	rows := Arrange(tr, Look{Filter: UserOnly})
	for id, want := range map[sessionio.EntryID]string{"7": "7", "6": "5", "3": "1", "9": "7", "none": "5"} {
		if got := rows[nearest(tr, rows, id)].Node.ID; string(got) != want {
			t.Errorf("nearest to %s is %s, want %s", id, got, want)
		}
	}
}

func TestLeavesBehind(t *testing.T) {
	t.Parallel()
	tr := tree(branched)
	for id, want := range map[sessionio.EntryID]bool{"7": false, "9": false, "4": true, "5": true, "6": true, "1": true} {
		if got := leavesBehind(tr, id); got != want {
			t.Errorf("to %s: %v", id, got)
		}
	}
}

// Whatever the tree, each entry that shows has one row, below the row of its parent.
func TestEachEntryOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(rt, "n")
		tr := &protocol.Tree{}
		shown := 0
		for i := range n {
			parent := ""
			if p := rapid.IntRange(-1, n).Draw(rt, "parent"); p >= 0 {
				parent = fmt.Sprint(p)
			}
			node := protocol.TreeNode{ID: sessionio.EntryID(fmt.Sprint(i)), Parent: sessionio.EntryID(parent), Type: sessionio.TypeMessage, Role: sessionio.RoleUser}
			if rapid.Bool().Draw(rt, "hidden") {
				node.Type = sessionio.TypeCustom
			} else {
				shown++
			}
			tr.Nodes = append(tr.Nodes, node)
		}
		rows := Arrange(tr, Look{})
		seen := map[sessionio.EntryID]bool{}
		for i, r := range rows {
			if seen[r.Node.ID] || r.parent >= i {
				rt.Fatalf("row %d (%s) comes twice or before its parent", i, r.Node.ID)
			}
			seen[r.Node.ID] = true
		}
		if len(rows) != shown {
			rt.Fatalf("%d rows of %d", len(rows), shown)
		}
	})
}

// A tree of many levels keeps its columns whole: each line's connector stands where its level is.
func TestDeepTree(t *testing.T) {
	t.Parallel()
	var spec strings.Builder
	spec.WriteString("0 - u root\n")
	for i := range 400 {
		fmt.Fprintf(&spec, "a%d %s u x\nb%d %s u y\n", i, map[bool]string{true: "0", false: fmt.Sprintf("a%d", i-1)}[i == 0], i, map[bool]string{true: "0", false: fmt.Sprintf("a%d", i-1)}[i == 0])
	}
	rows := Arrange(tree(spec.String()), Look{})
	if len(rows) != 801 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, r := range rows {
		if len(r.Prefix) > maxGutter+12 || len([]rune(r.Prefix))%3 != 0 && r.Node.ID != "0" {
			t.Fatalf("%s stands behind %q", r.Node.ID, r.Prefix)
		}
	}
}

func BenchmarkArrange(b *testing.B) {
	tr := &protocol.Tree{}
	for i := range 20000 {
		n := protocol.TreeNode{ID: sessionio.EntryID(fmt.Sprint(i)), Type: sessionio.TypeMessage, Role: sessionio.RoleUser, Preview: "some words", OnLeafPath: true}
		if i > 0 {
			n.Parent = sessionio.EntryID(fmt.Sprint(i - 1 - i%3))
		}
		tr.Nodes = append(tr.Nodes, n)
	}
	for b.Loop() {
		Arrange(tr, Look{Words: []string{"word"}})
	}
}
