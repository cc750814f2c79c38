package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"os"
	"slices"
	"strings"
	"testing"
)

// saved makes a session of some turns and stops it.
func (c *client) saved(prompts ...string) (protocol.Summary, *screen) {
	c.r.t.Helper()
	sum := c.start("")
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	for n, text := range prompts {
		c.prompt(sum.ID, text)
		s.until("an answer", func() bool {
			return s.sum.State == protocol.StateIdle && s.sum.UserMessages == n+1 && s.sum.Recap != ""
		})
	}
	c.must(protocol.MethodSessionStop, byID(sum.ID), nil)
	s.until("the end", func() bool { return s.closed != "" })
	return s.sum, s
}

func (r *rig) saved(id sessionio.ID) sessionio.Info {
	r.t.Helper()
	info, err := r.h.o.Store.Resolve(r.ctx(), string(id))
	if err != nil {
		r.t.Fatal(err)
	}
	return info
}

func TestSavedSessionIsEditedWithoutBeingLive(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum, s := c.saved("say: hi")
	before, err := os.ReadFile(sum.Path)
	if err != nil {
		t.Fatal(err)
	}
	c.must(protocol.MethodSessionRename, protocol.Rename{SessionRef: byID(sum.ID), Name: "the name"}, nil)
	c.must(protocol.MethodSessionLabel, protocol.Label{SessionRef: byID(sum.ID), Entry: s.entries[0].ID, Label: "start"}, nil)
	c.must(protocol.MethodSessionArchive, protocol.Archive{SessionRef: byID(sum.ID), On: true}, nil)
	if info := r.saved(sum.ID); info.Name != "the name" || info.State != sessionio.LifecycleArchived {
		t.Errorf("saved as %+v", info)
	}
	after, err := os.ReadFile(sum.Path)
	if err != nil || !strings.HasPrefix(string(after), string(before)) {
		t.Errorf("not only appended to: %v", err)
	}
	var tree protocol.Tree
	c.must(protocol.MethodSessionTree, byID(sum.ID), &tree)
	if i := slices.IndexFunc(tree.Nodes, func(n protocol.TreeNode) bool { return n.ID == s.entries[0].ID }); i < 0 || tree.Nodes[i].Label != "start" || !tree.Nodes[i].OnLeafPath {
		t.Errorf("tree %+v", tree)
	}
	if code := c.code(protocol.MethodSessionLabel, protocol.Label{SessionRef: byID(sum.ID), Entry: "nope", Label: "x"}); code != protocol.CodeNotFound {
		t.Errorf("label of an unknown entry: code %d", code)
	}
	var list protocol.RosterSnapshot
	c.must(protocol.MethodSessionList, nil, &list)
	if len(list.Sessions) != 0 {
		t.Errorf("it became live: %+v", list.Sessions)
	}
	c.prompt(sum.ID, "say: awake")
	if info := r.saved(sum.ID); info.State != sessionio.LifecycleActive {
		t.Errorf("a prompt leaves it %q", info.State)
	}
}

func TestLiveSessionIsRenamedAndArchived(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum := c.start("say: hi")
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.idle()
	c.must(protocol.MethodSessionRename, protocol.Rename{SessionRef: byID(sum.ID), Name: "n"}, nil)
	s.until("the name", func() bool { return s.sum.Name == "n" })
	c.must(protocol.MethodSessionArchive, protocol.Archive{SessionRef: byID(sum.ID), On: true}, nil)
	s.until("the end", func() bool { return s.closed == reasonArchived })
	if info := r.saved(sum.ID); info.Name != "n" || info.State != sessionio.LifecycleArchived {
		t.Errorf("saved as %+v", info)
	}
}

func TestNavigateInPlace(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum, old := c.saved("say: one", "say: two")
	var second sessionio.Entry
	for _, e := range old.entries {
		if e.Message != nil && e.Message.Role == sessionio.RoleUser && plainText(e.Message.Content) == "say: two" {
			second = e
		}
	}
	s := r.client("watches").attach(protocol.Attach{SessionRef: byID(sum.ID)})
	var at protocol.Navigated
	c.must(protocol.MethodSessionNavigate, protocol.Navigate{SessionRef: byID(sum.ID), To: second.ID}, &at)
	if at.EditorText != "say: two" {
		t.Errorf("navigated to %+v", at)
	}
	s.until("the snapshot", func() bool { return s.snaps == 1 })
	if got := s.texts(sessionio.RoleUser); !slices.Equal(got, []string{"say: one"}) || s.leaf != at.Leaf {
		t.Errorf("after the move: %q at %s, moved to %s", got, s.leaf, at.Leaf)
	}
	c.prompt(sum.ID, "say: three")
	s.until("the answer", func() bool { return s.heard("three") && s.sum.State == protocol.StateIdle })
	if got := s.texts(sessionio.RoleUser); !slices.Equal(got, []string{"say: one", "say: three"}) {
		t.Errorf("the path says %q", got)
	}
	fresh := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	sameScreen(t, "the one who watched", s, fresh)
}

func TestForkAndClone(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum, old := c.saved("say: one", "say: two")
	var second sessionio.EntryID
	for _, e := range old.entries {
		if e.Message != nil && e.Message.Role == sessionio.RoleUser {
			second = e.ID
		}
	}
	var fork, clone protocol.Forked
	c.must(protocol.MethodSessionFork, protocol.Fork{SessionRef: byID(sum.ID), At: second}, &fork)
	c.must(protocol.MethodSessionOpen, protocol.OpenSession{SessionRef: byID(sum.ID)}, nil)
	c.must(protocol.MethodSessionClone, byID(sum.ID), &clone)
	if fork.EditorText != "say: two" || fork.ID == sum.ID || clone.ID == fork.ID {
		t.Errorf("fork %+v, clone %+v", fork, clone)
	}
	for _, tt := range []struct {
		made protocol.Forked
		want []string
	}{{fork, []string{"say: one"}}, {clone, []string{"say: one", "say: two"}}} {
		s := c.attach(protocol.Attach{SessionRef: protocol.SessionRef{Path: tt.made.Path}})
		if got := s.texts(sessionio.RoleUser); !slices.Equal(got, tt.want) || s.sum.ID != tt.made.ID {
			t.Errorf("%s holds %q, want %q", s.sum.ID, got, tt.want)
		}
		if s.sum.Depth != 0 || s.sum.Parent != "" {
			t.Errorf("a fork passes for a child: %+v", s.sum)
		}
	}
	var empty protocol.Forked // before the first question: nothing of it is left, and no file
	first := slices.IndexFunc(old.entries, func(e sessionio.Entry) bool { return e.Message != nil })
	c.must(protocol.MethodSessionFork, protocol.Fork{SessionRef: byID(sum.ID), At: old.entries[first].ID}, &empty)
	if empty.EditorText != "say: one" {
		t.Errorf("fork before the first question: %+v", empty)
	}
	s := c.attach(protocol.Attach{SessionRef: byID(empty.ID)})
	c.prompt(empty.ID, "say: anew")
	s.idle()
	if got := s.texts(sessionio.RoleUser); !slices.Equal(got, []string{"say: anew"}) || s.sum.Path != empty.Path {
		t.Errorf("%s holds %q", s.sum.Path, got)
	}
	if code := c.code(protocol.MethodSessionFork, protocol.Fork{SessionRef: byID(sum.ID), At: "nope"}); code != protocol.CodeNotFound {
		t.Errorf("fork at an unknown entry: code %d", code)
	}
}

func TestSessionHeldElsewhere(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum, _ := c.saved("say: hi")
	s, err := r.h.o.Store.OpenSession(sum.Path, false, "somebody else")
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]int{
		"prompt": c.code(protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: byID(sum.ID), Text: "x"}),
		"rename": c.code(protocol.MethodSessionRename, protocol.Rename{SessionRef: byID(sum.ID), Name: "x"}),
		"delete": c.code(protocol.MethodSessionDelete, byID(sum.ID)),
	} {
		if err != protocol.CodeHeld {
			t.Errorf("%s: code %d", name, err)
		}
	}
	var tree protocol.Tree
	c.must(protocol.MethodSessionTree, byID(sum.ID), &tree) // reading is free
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	c.prompt(sum.ID, "say: free again")
}
