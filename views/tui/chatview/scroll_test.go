package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/tui/screen"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// long is a path of n short exchanges, from an index on.
func long(from, n int) []sessionio.Entry {
	var out []sessionio.Entry
	for i := from; i < from+n; i++ {
		role, parent := sessionio.RoleUser, fmt.Sprint("e", i-1)
		if i%2 == 1 {
			role = sessionio.RoleAssistant
		}
		if i == 0 {
			parent = ""
		}
		out = append(out, said(role, fmt.Sprint("e", i), parent, fmt.Sprintf("line %d", i)))
	}
	return out
}

func top(r *rig) string {
	for _, l := range strings.Split(r.s.View(80, 24), "\n")[1:] {
		if strings.Contains(l, "line ") {
			return strings.Trim(l, "› ")
		}
	}
	return ""
}

func TestScrollHoldsItsPlaceAndFetchesOlder(t *testing.T) {
	t.Parallel()
	f := &fake{
		snapshot: protocol.Snapshot{Summary: summaryOf(protocol.StateStreaming), Entries: long(200, 40), More: true, Leaf: "e239"},
		older:    protocol.Entries{Entries: long(0, 200)},
	}
	r := open(t, f)
	r.tell(screen.SizeMsg{Width: 80, Height: 24})
	r.shows("line 239")
	r.press("pgup")
	place := top(r)
	r.events(added(said(sessionio.RoleUser, "x1", "e239", "fresh one")), added(said(sessionio.RoleAssistant, "x2", "x1", "fresh two")))
	if top(r) != place {
		t.Errorf("new items moved the view from %q to %q", place, top(r))
	}
	r.shows("2 new below")
	for range 12 {
		r.press("pgup")
	}
	if strings.Join(f.calls, ",") != "attach s1,entries before e200" {
		t.Errorf("calls %v", f.calls)
	}
	if r.s.tr.More || len(r.s.tr.Items()) != 242 {
		t.Errorf("more %v, %d items", r.s.tr.More, len(r.s.tr.Items()))
	}
	r.press("ctrl+home")
	if top(r) != "line 0" {
		t.Errorf("the beginning is %q", top(r))
	}
	place = top(r)
	r.press("ctrl+o")
	if top(r) != place {
		t.Error("showing all moved the view")
	}
	r.press("ctrl+end")
	r.shows("fresh two")
}

func TestCutItemsDoNotLoseTheView(t *testing.T) {
	t.Parallel()
	r := open(t, &fake{snapshot: protocol.Snapshot{Summary: summaryOf(protocol.StateIdle), Entries: long(0, 60), Leaf: "e59"}})
	r.press("pgup", "pgup")
	r.events(protocol.Event{Type: protocol.EventSnapshot, Snapshot: &protocol.Snapshot{Summary: summaryOf(protocol.StateIdle), Entries: long(0, 3), Leaf: "e2"}})
	r.shows("line 2")
}

func TestDraftsAreKept(t *testing.T) {
	t.Parallel()
	drafts := Drafts{}
	r := newRig(t, idle())
	r.s.o.Drafts = drafts
	r.run(r.s.Init())
	r.press("half a thought")
	r.run(r.s.Close())
	again := newRig(t, idle())
	again.s.o.Drafts = drafts
	again.run(again.s.Init())
	again.line("half a thought")
	again.press("enter")
	again.run(again.s.Close())
	if len(drafts) != 0 {
		t.Errorf("drafts %v", drafts)
	}
}

func TestInterruptedQuestionIsTold(t *testing.T) {
	t.Parallel()
	r := open(t, &fake{snapshot: protocol.Snapshot{Summary: summaryOf(protocol.StateIdle), Entries: long(0, 3), Leaf: "e2"}})
	r.shows("was interrupted")
	r.events(stateEvent(protocol.StateStreaming))
	if strings.Contains(r.s.View(80, 24), "was interrupted") {
		t.Error("it still shows while the answer comes")
	}
}

// blocks is a page of blocks of given heights, whose lines are numbered through.
type blocks []int

func (b blocks) count() int { return len(b) }

func (b blocks) lines(i int) []string {
	n := 0
	for _, k := range b[:i] {
		n += k
	}
	out := make([]string, b[i])
	for k := range out {
		out[k] = fmt.Sprint(n + k)
	}
	return out
}

// Moving by blocks is the same as moving in one long list of lines.
func TestScrollLikeOneList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		b := blocks(rapid.SliceOfN(rapid.IntRange(0, 7), 1, 12).Draw(rt, "heights"))
		total := 0
		for _, n := range b {
			total += n
		}
		h := rapid.IntRange(1, 20).Draw(rt, "h")
		end := bottom(b, h)
		if got := window(b, end, h); total > 0 && (len(got) != min(h, total) || got[len(got)-1] != fmt.Sprint(total-1)) {
			rt.Fatalf("the end shows %v of %d lines", got, total)
		}
		at, line := end, max(0, total-h)
		for range 6 {
			by := rapid.IntRange(-9, 9).Draw(rt, "by")
			at, line = moved(b, at, by), max(0, line+by)
			if end.before(at) {
				at = end
			}
			line = min(line, max(0, total-h))
			if got := window(b, at, h); total > 0 && got[0] != fmt.Sprint(line) {
				rt.Fatalf("after %d the top is %s, want %d", by, got[0], line)
			}
		}
	})
}

func BenchmarkViewBigSession(b *testing.B) {
	r := newRig(b, &fake{})
	snap := protocol.Snapshot{Summary: summaryOf(protocol.StateStreaming), Entries: long(0, 20000)}
	r.s.tr.Load(&snap)
	r.s.link.state = attached
	for i := 0; b.Loop(); i++ {
		r.s.tr.Apply(&protocol.Event{Type: protocol.EventDelta, Delta: &protocol.Delta{Kind: "text", Text: "word "}})
		if i%400 == 0 {
			r.s.tr.Apply(&protocol.Event{Type: protocol.EventAnswerEnd})
		}
		r.s.View(200, 60)
	}
}
