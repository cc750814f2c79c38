package headless

import (
	"bytes"
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func meta(id, parent string, role sessionio.Role, preview string) sessionio.Meta {
	return sessionio.Meta{ID: sessionio.EntryID(id), Parent: sessionio.EntryID(parent), Type: sessionio.TypeMessage, Role: role, Preview: preview}
}

func forked() *sessionio.Tree {
	return sessionio.NewTree([]sessionio.Meta{
		meta("a", "", sessionio.RoleUser, "first question"),
		meta("b", "a", sessionio.RoleAssistant, "an answer"),
		meta("c", "b", sessionio.RoleUser, "one way"),
		meta("d", "b", sessionio.RoleUser, "the other way"),
		{ID: "e", Parent: "d", Type: sessionio.TypeCompaction},
	})
}

func TestTree(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := Tree(&b, forked(), "e", map[sessionio.EntryID]string{"b": "good"}); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
• a user: first question
• b assistant [good]: an answer
  c   user: one way
• d   user: the other way
• e   compaction  ← leaf
`, "\n")
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

func TestTreeJSON(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := TreeJSON(&b, forked(), "c", map[sessionio.EntryID]string{"b": "good"}); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimPrefix(`
{"id":"a","parentId":null,"type":"message","role":"user","depth":0,"preview":"first question","label":"","onLeafPath":true,"leaf":false}
{"id":"b","parentId":"a","type":"message","role":"assistant","depth":1,"preview":"an answer","label":"good","onLeafPath":true,"leaf":false}
{"id":"c","parentId":"b","type":"message","role":"user","depth":2,"preview":"one way","label":"","onLeafPath":true,"leaf":true}
{"id":"d","parentId":"b","type":"message","role":"user","depth":2,"preview":"the other way","label":"","onLeafPath":false,"leaf":false}
{"id":"e","parentId":"d","type":"compaction","role":"","depth":3,"preview":"","label":"","onLeafPath":false,"leaf":false}
`, "\n")
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Error(d)
	}
}

// ladder is a tree of n steps, each with a branch that leads nowhere.
func ladder(n int) *sessionio.Tree {
	var metas []sessionio.Meta
	parent := ""
	for i := range n {
		step := fmt.Sprintf("s%d", i)
		metas = append(metas, meta(step, parent, sessionio.RoleUser, "a step"), meta("x"+step, parent, sessionio.RoleUser, "nowhere"))
		parent = step
	}
	return sessionio.NewTree(metas)
}

// A tree as deep as it is long neither overflows the stack nor grows with the square of its depth,
// and its deepest entries are still told apart.
func TestDeepTree(t *testing.T) {
	t.Parallel()
	const steps = 50_000
	tree := ladder(steps)
	var drawn, nodes bytes.Buffer
	if err := Tree(&drawn, tree, tree.LastEntry(), nil); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(drawn.Bytes(), []byte("\n")); n != 2*steps || drawn.Len() > 100*n {
		t.Errorf("%d lines of %d bytes on average", n, drawn.Len()/n)
	}
	if deepest := fmt.Sprintf("s%d ", steps-1); !strings.Contains(drawn.String(), deepest) || !strings.Contains(drawn.String(), "user: a step") {
		t.Errorf("%s is not drawn", deepest)
	}
	if err := TreeJSON(&nodes, tree, "", nil); err != nil {
		t.Fatal(err)
	}
	last := bytes.TrimSpace(nodes.Bytes())
	last = last[bytes.LastIndexByte(last, '\n')+1:]
	var n treeNode
	if err := json.Unmarshal(last, &n); err != nil || n.OnLeafPath || n.Leaf {
		t.Errorf("%s, %v", last, err)
	}
}

func TestHostileTree(t *testing.T) {
	t.Parallel()
	tree := sessionio.NewTree([]sessionio.Meta{
		{ID: "i" + hostile, Type: sessionio.EntryType("t" + hostile), Preview: hostile},
		meta("b", "i"+hostile, sessionio.Role(hostile), hostile),
	})
	labels := map[sessionio.EntryID]string{"b": hostile}
	var b strings.Builder
	if err := Tree(&b, tree, "b", labels); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if len(lines) != 3 {
		t.Fatalf("%q", lines)
	}
	for _, l := range lines {
		harmless(t, l)
	}
	b.Reset()
	if err := TreeJSON(&b, tree, "b", labels); err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		harmless(t, l)
		if !json.Valid([]byte(l)) {
			t.Errorf("no JSON: %s", l)
		}
	}
}

func BenchmarkTree(b *testing.B) {
	tree := ladder(5_000)
	for b.Loop() {
		if err := Tree(&bytes.Buffer{}, tree, tree.LastEntry(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
