package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"os"
	"path/filepath"
	"testing"
)

func askFirst(p *protocol.NewSession) { p.Permission = "ask" }

func TestPermissionAnsweredByAnotherClient(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	a, b := r.client("a"), r.client("b")
	roster, err := b.SubscribeRoster(r.ctx())
	if err != nil {
		t.Fatal(err)
	}
	sum := a.start("run: touch made\nsay: made it", askFirst)
	s := a.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.until("the question", func() bool { return len(s.asks) == 1 && s.sum.Attention == protocol.AttentionPermission })
	if q := s.asks[0]; q.Command != "touch made" || q.Kind != "exec" || s.sum.State != protocol.StateWaiting || s.sum.Pending != 1 {
		t.Errorf("question %+v, summary %+v", q, s.sum)
	}
	for e := range roster.Events { // b sees it in the roster alone
		if len(e.Changed) == 1 && e.Changed[0].Permission != nil {
			if got := e.Changed[0].Permission; got.ID != s.asks[0].ID || got.Command != "touch made" {
				t.Errorf("the roster's question: %+v", got)
			}
			break
		}
	}
	late := r.client("late").attach(protocol.Attach{SessionRef: byID(sum.ID)})
	if len(late.asks) != 1 {
		t.Errorf("a late client sees %d questions", len(late.asks))
	}
	b.must(protocol.MethodSessionAnswer, protocol.Answer{SessionRef: byID(sum.ID), Allow: true}, nil)
	for _, one := range []*screen{s, late} {
		one.until("the end", func() bool { return len(one.asks) == 0 && one.heard("made it") && one.sum.State == protocol.StateIdle })
	}
	if _, err := os.Stat(filepath.Join(r.cwd, "made")); err != nil {
		t.Error(err)
	}
	if code := b.code(protocol.MethodSessionAnswer, protocol.Answer{SessionRef: byID(sum.ID), PermissionID: "x"}); code != protocol.CodeNotFound {
		t.Errorf("an answer to a closed question: code %d", code)
	}
}

func TestDenialAndModeChange(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum := c.start("run: touch one", askFirst)
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.until("the question", func() bool { return len(s.asks) == 1 })
	c.must(protocol.MethodSessionAnswer, protocol.Answer{SessionRef: byID(sum.ID), PermissionID: s.asks[0].ID, Reason: "not now"}, nil)
	s.until("rest", func() bool { return s.sum.State == protocol.StateIdle && len(s.texts(sessionio.RoleToolResult)) == 1 })
	c.prompt(sum.ID, "run: touch two")
	s.until("the question", func() bool { return len(s.asks) == 1 })
	c.must(protocol.MethodSessionSet, protocol.Set{SessionRef: byID(sum.ID), Permission: "all"}, nil)
	s.until("rest", func() bool { return s.sum.State == protocol.StateIdle && len(s.texts(sessionio.RoleToolResult)) == 2 })
	if s.sum.Mode != "all" {
		t.Errorf("mode %q", s.sum.Mode)
	}
	_, one := os.Stat(filepath.Join(r.cwd, "one"))
	_, two := os.Stat(filepath.Join(r.cwd, "two"))
	if one == nil || two != nil {
		t.Errorf("denied: %v; allowed by the mode: %v", one, two)
	}
}

func TestAttentionInTheRoster(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	roster, err := c.SubscribeRoster(r.ctx())
	if err != nil {
		t.Fatal(err)
	}
	wait := func(id sessionio.ID, what protocol.Attention) {
		t.Helper()
		for e := range roster.Events {
			for _, s := range e.Changed {
				if s.ID == id && s.State == protocol.StateIdle && s.Attention == what && s.MessageCount > 0 {
					return
				}
			}
		}
		t.Fatalf("no attention %q", what)
	}
	done := c.start("say: hello")
	wait(done.ID, protocol.AttentionFinished)
	asks := c.start("ask: which one?")
	wait(asks.ID, protocol.AttentionQuestion)
	fails := c.start("fail: 500")
	wait(fails.ID, protocol.AttentionFailed)
	c.attach(protocol.Attach{SessionRef: byID(done.ID)}) // looking clears it
	wait(done.ID, protocol.AttentionNone)
	c.prompt(done.ID, "say: more") // settles while somebody looks
	wait(done.ID, protocol.AttentionNone)
	if s := c.attach(protocol.Attach{SessionRef: byID(fails.ID)}); s.sum.Attention != protocol.AttentionFailed || s.sum.Errors != 1 || s.sum.LastError == "" {
		t.Errorf("failed session: %+v", s.sum)
	}
	var trail protocol.Errors
	c.must(protocol.MethodSessionErrors, byID(fails.ID), &trail)
	if len(trail.Errors) != 1 || trail.Errors[0].Question != "fail: 500" {
		t.Errorf("errors trail %+v", trail.Errors)
	}
	c.must(protocol.MethodSessionStop, byID(asks.ID), nil)
	for e := range roster.Events {
		if len(e.Gone) == 1 {
			if e.Gone[0].ID != asks.ID || e.Gone[0].Reason != reasonStopped {
				t.Errorf("gone %+v", e.Gone)
			}
			return
		}
	}
}
