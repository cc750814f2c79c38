package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"slices"
	"strings"
	"testing"
)

func (c *client) live() map[sessionio.ID]protocol.Summary {
	c.r.t.Helper()
	var list protocol.RosterSnapshot
	c.must(protocol.MethodSessionList, nil, &list)
	all := map[sessionio.ID]protocol.Summary{}
	for _, s := range list.Sessions {
		all[s.ID] = s
	}
	return all
}

// childOf waits for the live child of a session.
func (c *client) childOf(id sessionio.ID) (child protocol.Summary) {
	c.r.t.Helper()
	c.r.until("child", func() bool {
		for _, s := range c.live() {
			if s.Parent == id {
				child = s
				return true
			}
		}
		return false
	})
	return child
}

func TestChildSession(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum := c.start("spawn: run: echo from the child\\nsay: child is done")
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.until("the answer", func() bool { return s.sum.State == protocol.StateIdle && len(s.texts(sessionio.RoleToolResult)) == 1 })
	if got := s.texts(sessionio.RoleToolResult)[0]; !strings.Contains(got, "child is done") {
		t.Errorf("the parent got %q", got)
	}
	child := c.childOf(sum.ID)
	if child.Depth != 1 || child.State != protocol.StateIdle || child.CWD != r.cwd || child.Mode != s.sum.Mode {
		t.Errorf("child %+v", child)
	}
	booked := slices.IndexFunc(s.entries, func(e sessionio.Entry) bool { return e.Type == sessionio.TypeChildUsageAttributed })
	answer := slices.IndexFunc(s.entries, func(e sessionio.Entry) bool {
		return e.Message != nil && e.Message.Role == sessionio.RoleAssistant
	})
	if booked < 0 {
		t.Fatal("the child's usage is not booked")
	}
	own, b := s.entries[answer].Message.Usage, s.entries[booked]
	if b.TargetID != s.entries[answer].ID || b.ChildUsage.TotalTokens == 0 || b.AggregateUsage.TotalTokens != own.TotalTokens+b.ChildUsage.TotalTokens {
		t.Errorf("booked on %s: child %+v, aggregate %+v; own of %s: %+v", b.TargetID, b.ChildUsage, b.AggregateUsage, s.entries[answer].ID, own)
	}
	if info := r.saved(child.ID); info.ParentSession != sum.Path || info.Depth != 1 {
		t.Errorf("child's file %+v", info)
	}
	if code := c.code(protocol.MethodSessionDelete, byID(sum.ID)); code != protocol.CodeChildren {
		t.Errorf("delete with a live child: code %d", code)
	}
	c.must(protocol.MethodSessionStop, byID(child.ID), nil)
	c.must(protocol.MethodSessionDelete, byID(sum.ID), nil)
	c.must(protocol.MethodSessionOpen, protocol.OpenSession{SessionRef: byID(child.ID)}, nil)
	if again := c.live()[child.ID]; again.Parent != sum.ID || again.Depth != 1 {
		t.Errorf("reopened child %+v", again)
	}
}

func TestChildAsksOnItsOwnAndDiesWithTheTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum := c.start("spawn: run: touch x", askFirst)
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.until("the question to spawn", func() bool { return len(s.asks) == 1 && s.asks[0].Kind == "spawn" })
	c.must(protocol.MethodSessionAnswer, protocol.Answer{SessionRef: byID(sum.ID), Allow: true}, nil)
	child := c.childOf(sum.ID)
	k := c.attach(protocol.Attach{SessionRef: byID(child.ID)})
	k.until("its own question", func() bool { return len(k.asks) == 1 && k.sum.State == protocol.StateWaiting })
	s.until("a running child", func() bool { return s.sum.RunningChildren == 1 && len(s.asks) == 0 })
	c.must(protocol.MethodSessionAbort, byID(sum.ID), nil)
	k.until("the child's rest", func() bool { return k.sum.State == protocol.StateIdle && len(k.asks) == 0 })
	s.until("the parent's rest", func() bool { return s.sum.State == protocol.StateIdle && s.sum.RunningChildren == 0 })
}

func TestChildrenGoSoDeepAndNoDeeper(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *Options) { o.MaxDepth = 1 })
	c := r.client("a")
	sum := c.start("spawn: spawn: say: too deep")
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.until("rest", func() bool { return s.sum.State == protocol.StateIdle && s.sum.MessageCount > 2 })
	k := c.attach(protocol.Attach{SessionRef: byID(c.childOf(sum.ID).ID)})
	k.until("rest", func() bool { return k.sum.State == protocol.StateIdle })
	if got := k.texts(sessionio.RoleToolResult); len(got) != 1 || !strings.Contains(got[0], "the limit is 1") {
		t.Errorf("the child's call got %q", got)
	}
	if n := len(c.live()); n != 2 {
		t.Errorf("%d live sessions", n)
	}
}
