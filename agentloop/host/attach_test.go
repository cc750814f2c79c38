package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func sameScreen(t *testing.T, what string, got, want *screen) {
	t.Helper()
	if !slices.Equal(got.entryIDs(), want.entryIDs()) || got.leaf != want.leaf {
		t.Errorf("%s shows %d entries at %s, want %d at %s", what, len(got.entries), got.leaf, len(want.entries), want.leaf)
	}
	if got.said != want.said || fmt.Sprint(got.tools) != fmt.Sprint(want.tools) || len(got.asks) != len(want.asks) {
		t.Errorf("%s shows something else under way", what)
	}
	if got.sum.State != want.sum.State || got.sum.MessageCount != want.sum.MessageCount {
		t.Errorf("%s: summary %+v, want %+v", what, got.sum, want.sum)
	}
}

// A client that attaches at any moment, one that comes back with its cursor, and one that was there
// all along end with the same picture.
func TestAttachIsGapless(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("all along")
	sum := c.start("")
	all := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	c.prompt(sum.ID, "tokens: 300 @ 600\nrun: echo one\ntokens: 300 @ 600\nrun: echo two\nsay: the end")

	back := r.client("comes and goes")
	var screens []*screen
	for n := 1; n <= 6; n++ {
		all.until("some progress", func() bool { return len(all.types) >= n*60 || all.heard("the end") })
		s := back.attach(protocol.Attach{SessionRef: byID(sum.ID)})
		fresh := r.client(fmt.Sprint("late ", n)).attach(protocol.Attach{SessionRef: byID(sum.ID)})
		screens = append(screens, fresh)
		cursor := &protocol.Cursor{Generation: s.gen, Seq: s.seq}
		for range 3 {
			if e, ok := <-s.att.Events; ok && e.Type != protocol.EventSnapshot {
				cursor.Seq = e.Seq
			}
			if s.sum.State == protocol.StateIdle {
				break
			}
		}
		again := back.attach(protocol.Attach{SessionRef: byID(sum.ID), Cursor: cursor})
		if again.att.Attached.Snapshot == nil && again.seq != cursor.Seq {
			t.Errorf("resumed at %d, asked for %d", again.seq, cursor.Seq)
		}
	}
	end := func(s *screen) func() bool {
		return func() bool { return s.heard("the end") && s.sum.State == protocol.StateIdle && s.sum.Recap != "" }
	}
	all.until("the end", end(all))
	for n, s := range screens {
		s.until("the end", end(s))
		sameScreen(t, fmt.Sprint("late ", n+1), s, all)
	}
}

func TestCursorGetsOnlyWhatIsMissing(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("tui")
	sum := c.start("say: one")
	first := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	first.idle()
	watcher := r.client("watcher").attach(protocol.Attach{SessionRef: byID(sum.ID)})
	if err := c.Detach(r.ctx(), byID(sum.ID)); err != nil {
		t.Fatal(err)
	}
	c.prompt(sum.ID, "say: two")
	watcher.until("the second answer", func() bool { return watcher.heard("two") && watcher.sum.State == protocol.StateIdle })

	again := c.attach(protocol.Attach{SessionRef: byID(sum.ID), Cursor: &protocol.Cursor{Generation: first.gen, Seq: first.seq}})
	if again.att.Attached.Snapshot != nil {
		t.Fatal("a snapshot although the events are held")
	}
	first.att = again.att // the old picture goes on
	first.until("the second answer", func() bool { return first.heard("two") && first.sum.State == protocol.StateIdle })
	sameScreen(t, "the one who came back", first, watcher)

	stale := c.attach(protocol.Attach{SessionRef: byID(sum.ID), Cursor: &protocol.Cursor{Generation: "another life", Seq: 1}})
	if stale.att.Attached.Snapshot == nil {
		t.Error("a cursor of another life got no snapshot")
	}
}

// One that does not read holds up nobody, and sees all of it when it looks again.
func TestSlowSubscriber(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("tui")
	sum := c.start("")
	sleepy := r.client("sleepy").attach(protocol.Attach{SessionRef: byID(sum.ID)})
	quick := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	c.prompt(sum.ID, "tokens: 30000\nsay: the end")
	quick.until("the end", func() bool { return quick.heard("the end") && quick.sum.State == protocol.StateIdle })
	sleepy.until("the end", func() bool { return sleepy.heard("the end") && sleepy.sum.State == protocol.StateIdle })
	sameScreen(t, "the slow one", sleepy, quick)
	if sleepy.snaps == 0 || len(sleepy.types) > 20_000 {
		t.Errorf("%d events and %d snapshots: the flood was kept for it", len(sleepy.types), sleepy.snaps)
	}
}

func TestClientsSeeTheSameOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	a, b := r.client("a"), r.client("b")
	sum := a.start("")
	one, two := a.attach(protocol.Attach{SessionRef: byID(sum.ID)}), b.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	a.prompt(sum.ID, "say: first\nrun: echo x\nsay: done first")
	b.must(protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: byID(sum.ID), Text: "say: second\nsay: done second", FollowUp: true}, nil)
	for _, s := range []*screen{one, two} {
		s.until("both answers", func() bool {
			return s.heard("done first") && s.heard("done second") && s.sum.State == protocol.StateIdle
		})
	}
	sameScreen(t, "b", two, one)
	if len(one.texts(sessionio.RoleUser)) != 2 {
		t.Errorf("asked %q", one.texts(sessionio.RoleUser))
	}
	n := min(len(one.types), len(two.types))
	if !slices.Equal(one.types[len(one.types)-n:], two.types[len(two.types)-n:]) {
		t.Errorf("orders differ:\n%v\n%v", one.types, two.types)
	}
}

func TestClientThatDiesLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("stays")
	sum := c.start("")
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	for n := range 5 {
		d := r.client(fmt.Sprint("dies ", n))
		d.attach(protocol.Attach{SessionRef: byID(sum.ID)})
		if _, err := d.SubscribeRoster(r.ctx()); err != nil {
			t.Fatal(err)
		}
		go func() {
			_ = d.Call(r.ctx(), protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: byID(sum.ID), Text: "say: x"}, nil)
		}()
		s.until("its arrival", func() bool { return s.sum.Clients == 2 || s.sum.Clients == 1 && n > 0 })
		_ = d.Close()
	}
	s.until("being alone again", func() bool { return s.sum.Clients == 1 && s.sum.State == protocol.StateIdle })
	r.until("one connection", func() bool {
		r.h.mu.Lock()
		defer r.h.mu.Unlock()
		return len(r.h.conns) == 1 && len(r.h.hub.subs) == 0
	})
}

func TestOlderEntriesByPages(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("tui")
	sum := c.start("say: a\nrun: echo 1\nsay: b\nrun: echo 2\nsay: c")
	whole := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	whole.idle()
	short := r.client("short").attach(protocol.Attach{SessionRef: byID(sum.ID), Tail: 2})
	if len(short.entries) != 2 || !short.att.Attached.Snapshot.More {
		t.Fatalf("tail of 2: %d entries", len(short.entries))
	}
	for _, live := range []bool{true, false} {
		if !live {
			c.must(protocol.MethodSessionStop, byID(sum.ID), nil)
		}
		got := short.entryIDs()
		for {
			var page protocol.Entries
			c.must(protocol.MethodSessionEntries, protocol.EntriesRange{SessionRef: byID(sum.ID), Before: got[0], Limit: 2}, &page)
			var ids []sessionio.EntryID
			for _, e := range page.Entries {
				ids = append(ids, e.ID)
			}
			if got = append(ids, got...); !page.More {
				break
			}
		}
		if !slices.Equal(got, whole.entryIDs()) {
			t.Errorf("live=%v: by pages %v, whole %v", live, got, whole.entryIDs())
		}
	}
	if code := c.code(protocol.MethodSessionEntries, protocol.EntriesRange{SessionRef: byID(sum.ID), Before: "nope"}); code != protocol.CodeNotFound {
		t.Errorf("before an unknown entry: code %d", code)
	}
	if !strings.HasSuffix(sum.Path, ".jsonl") {
		t.Errorf("path %s", sum.Path)
	}
}
