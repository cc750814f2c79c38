package transcript

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func apply(t *Transcript, evs ...protocol.Event) (all []Effect) {
	for i := range evs {
		all = append(all, t.Apply(&evs[i]))
	}
	return all
}

func added(e sessionio.Entry) protocol.Event {
	return protocol.Event{Type: protocol.EventEntry, Entry: &e}
}

func piece(kind string, block int, s string) protocol.Event {
	return protocol.Event{Type: protocol.EventDelta, Delta: &protocol.Delta{Kind: kind, Block: block, Text: s}}
}

func TestStreamIsReplacedInPlace(t *testing.T) {
	t.Parallel()
	tr := New()
	apply(tr, added(user("1", "", "hi")), piece("thinking", 0, "h"), piece("text", 1, "he"), piece("text", 1, "llo"))
	if got, want := sketch(tr.Items()), "user \"hi\"\nthinking \"h\" …\nanswer \"hello\" …\n"; got != want {
		t.Fatalf("streaming:\n%s", got)
	}
	ids, v := []string{tr.Items()[1].ID, tr.Items()[2].ID}, tr.Items()[2].Version
	apply(tr, protocol.Event{Type: protocol.EventDelta, Delta: &protocol.Delta{Kind: "tool_start", Block: 2, ToolID: "c", ToolName: "bash"}},
		piece("tool_args", 2, `{"comm`))
	if c := tr.Items()[3].Card; c.State != CardWriting || c.Tool != "bash" || c.Args != `{"comm` {
		t.Fatalf("a call being written: %+v", c)
	}
	a := answer("2", "1", sessionio.StopToolUse, sessionio.Block{Type: sessionio.BlockThinking, Thinking: "h"}, text("hello"), call("c", "bash", `{"command":"ls"}`))
	apply(tr, added(a), protocol.Event{Type: protocol.EventAnswerEnd})
	if tr.Items()[1].ID != ids[0] || tr.Items()[2].ID != ids[1] || tr.Items()[2].Version <= v || !tr.Items()[2].Finished {
		t.Error("the entry's items are not those that streamed")
	}
	apply(
		tr, protocol.Event{Type: protocol.EventPermission, Permission: &protocol.Permission{ID: "p", CallID: "c"}},
	)
	if tr.Items()[3].Card.State != CardAsking || len(tr.Permissions) != 1 {
		t.Error("the card does not ask")
	}
	apply(tr, protocol.Event{Type: protocol.EventAnswered, Answered: &protocol.Answered{ID: "p", Allow: true}},
		protocol.Event{Type: protocol.EventToolStart, Tool: &protocol.ToolRun{CallID: "c", Tool: "bash", Started: t0}},
		protocol.Event{Type: protocol.EventToolOutput, Tool: &protocol.ToolRun{CallID: "c", Output: "o1"}})
	if got := sketch(tr.Items()[3:]); got != "tool bash running [ls] \"o1\" …\n" || len(tr.Permissions) != 0 {
		t.Errorf("running: %s", got)
	}
	apply(tr, added(result("3", "2", "c", "o1 o2", false, `{"exitCode":0}`)),
		protocol.Event{Type: protocol.EventToolEnd, Tool: &protocol.ToolRun{CallID: "c"}})
	if got := sketch(tr.Items()[3:]); got != "tool bash ok [ls] \"o1 o2\" exit 0\n" {
		t.Errorf("done: %s", got)
	}
}

func TestFailedTurn(t *testing.T) {
	t.Parallel()
	tr := New()
	apply(tr, added(user("1", "", "first")), added(answer("2", "1", sessionio.StopEnd, text("ok"))), added(user("3", "2", "why?")), piece("text", 0, "par"))
	rec := sessionio.ErrorRecord{Time: t0, Line: "500: broken"}
	effs := apply(tr, added(failure("4", "2", "500: broken")), protocol.Event{Type: protocol.EventError, Error: &rec})
	if effs[0].Question != "why?" || !effs[1].Failed {
		t.Errorf("effects %+v", effs)
	}
	if got, want := sketch(tr.Items()), "user \"first\"\nanswer \"ok\"\nerror \"500: broken\"\n"; got != want {
		t.Errorf("got\n%s", got)
	}
	// the same at the very first question, and one that could not be kept
	tr = New()
	effs = apply(tr, added(user("1", "", "q")), added(failure("2", "", "x")))
	if effs[1].Question != "q" || sketch(tr.Items()) != "error \"x\"\n" {
		t.Errorf("first question: %+v %s", effs, sketch(tr.Items()))
	}
	apply(tr, protocol.Event{Type: protocol.EventError, Error: &sessionio.ErrorRecord{Line: "not saved: disk full"}})
	if !strings.HasSuffix(sketch(tr.Items()), "error \"not saved: disk full\"\n") {
		t.Error("an error without an entry is not shown")
	}
}

func TestBranchElsewhereIsStale(t *testing.T) {
	t.Parallel()
	tr := New()
	tr.Load(&protocol.Snapshot{More: true, Entries: []sessionio.Entry{user("8", "7", "x")}, Leaf: "8"})
	if eff := apply(tr, added(user("9", "2", "y"))); !eff[0].Stale {
		t.Error("a branch from an entry that is not loaded went unnoticed")
	}
}

func TestPrependJoinsCallAndResult(t *testing.T) {
	t.Parallel()
	all := []sessionio.Entry{
		user("1", "", "q"), answer("2", "1", sessionio.StopToolUse, call("c", "bash", `{"command":"ls"}`)),
		result("3", "2", "c", "out", false, ""), answer("4", "3", sessionio.StopEnd, text("end")),
	}
	for cut := range len(all) + 1 {
		tr := New()
		tr.Load(&protocol.Snapshot{Entries: all[cut:], More: cut > 0})
		tr.Prepend(all[:cut], false)
		if got, want := sketch(tr.Items()), sketch(Fold(all)); got != want || tr.More {
			t.Errorf("cut at %d:\n%s", cut, got)
		}
		apply(tr, added(user("5", "4", "on")))
		if !strings.HasSuffix(sketch(tr.Items()), "user \"on\"\n") || len(tr.Questions()) != 2 {
			t.Errorf("cut at %d: it does not go on", cut)
		}
	}
}

func TestLoadTellsInterruptedFromRunning(t *testing.T) {
	t.Parallel()
	es := []sessionio.Entry{answer("2", "", sessionio.StopToolUse, call("a", "bash", `{"command":"1"}`), call("b", "bash", `{"command":"2"}`))}
	tr := New()
	tr.Load(&protocol.Snapshot{Entries: es, Summary: protocol.Summary{State: protocol.StateIdle}})
	if got := sketch(tr.Items()); strings.Count(got, "interrupted") != 2 {
		t.Errorf("idle:\n%s", got)
	}
	tr.Load(&protocol.Snapshot{
		Entries: es, Summary: protocol.Summary{State: protocol.StateWaiting},
		Tools:       []protocol.ToolRun{{CallID: "a", Tool: "bash", Output: "x"}},
		Permissions: []protocol.Permission{{ID: "p", CallID: "b"}},
		Partial:     []protocol.Delta{{Kind: "text", Text: "half"}},
	})
	if got := sketch(tr.Items()); !strings.Contains(got, "running [1] \"x\"") || !strings.Contains(got, "asking [2]") || !strings.Contains(got, "\"half\" …") {
		t.Errorf("busy:\n%s", got)
	}
}

func TestLiveOutputIsBounded(t *testing.T) {
	t.Parallel()
	tr := New()
	apply(tr, protocol.Event{Type: protocol.EventToolStart, Tool: &protocol.ToolRun{CallID: "c", Tool: "bash"}})
	for range 40 {
		apply(tr, protocol.Event{Type: protocol.EventToolOutput, Tool: &protocol.ToolRun{CallID: "c", Output: strings.Repeat("é", 5000)}})
	}
	if c := tr.Items()[0].Card; len(c.Output) > maxLive || !c.Cut {
		t.Errorf("%d bytes, cut %v", len(c.Output), c.Cut)
	}
}

// However a turn is cut into pieces, what stands at the end is what its entries fold to; and an item
// that changed has another version.
func TestLiveEndsLikeFold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tr, parent := New(), ""
		var all []sessionio.Entry
		next := func() string { return fmt.Sprint(len(all) + 1) }
		keep := func(e sessionio.Entry) {
			watch(rt, tr, func() { apply(tr, added(e)) })
			all, parent = append(all, e), string(e.ID)
		}
		for range rapid.IntRange(1, 4).Draw(rt, "turns") {
			keep(user(next(), parent, rapid.StringN(1, 5, 20).Draw(rt, "q")))
			var blocks []sessionio.Block
			for b := range rapid.IntRange(0, 4).Draw(rt, "blocks") {
				kind := rapid.SampledFrom([]string{"text", "thinking", "tool_start"}).Draw(rt, "kind")
				id := fmt.Sprintf("c%d-%d", len(all), b)
				s := rapid.StringMatching(`[a-z]{1,6}`).Draw(rt, "said")
				for _, r := range s {
					watch(rt, tr, func() {
						apply(tr, protocol.Event{Type: protocol.EventDelta, Delta: &protocol.Delta{Kind: kind, Block: b, Text: string(r), ToolID: id}})
					})
				}
				switch kind {
				case "text":
					blocks = append(blocks, text(s))
				case "thinking":
					blocks = append(blocks, sessionio.Block{Type: sessionio.BlockThinking, Thinking: s})
				default:
					blocks = append(blocks, call(id, "bash", `{"command":"x"}`))
				}
			}
			keep(answer(next(), parent, sessionio.StopEnd, blocks...))
			watch(rt, tr, func() { apply(tr, protocol.Event{Type: protocol.EventAnswerEnd}) })
			for _, b := range blocks {
				if b.Type == sessionio.BlockToolCall {
					keep(result(next(), parent, b.ID, "out", false, ""))
				}
			}
		}
		if got, want := sketch(tr.Items()), sketch(Fold(all)); got != want {
			rt.Fatalf("live\n%s\nfolded\n%s", got, want)
		}
	})
}

// watch fails when an item changes under the same id and version, or after it was finished.
func watch(rt *rapid.T, tr *Transcript, do func()) {
	type mark struct {
		version uint64
		looks   string
	}
	before := map[string]mark{}
	for _, it := range tr.Items() {
		before[it.ID] = mark{it.Version, sketch([]*Item{it})}
	}
	do()
	for _, it := range tr.Items() {
		if b, ok := before[it.ID]; ok && sketch([]*Item{it}) != b.looks && it.Version == b.version {
			rt.Fatalf("%s changed without a new version", it.ID)
		}
	}
}
