package roster

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

var day = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

func at(minutes int) time.Time { return day.Add(time.Duration(minutes) * time.Minute) }

func live(id string, state protocol.State, change ...func(*protocol.Summary)) protocol.Summary {
	s := protocol.Summary{
		ID: sessionio.ID(id), Path: "/s/" + id + ".jsonl", CWD: "/src/" + id, State: state, Since: day, Model: "scripted/demo",
	}
	for _, c := range change {
		c(&s)
	}
	return s
}

func saved(id string, change ...func(*sessionio.Info)) sessionio.Info {
	i := sessionio.Info{
		ID: sessionio.ID(id), Path: "/s/" + id + ".jsonl", CWD: "/src/" + id, FirstMessage: "ask " + id,
		UserMessages: 1, MessageCount: 2, Modified: day,
	}
	for _, c := range change {
		c(&i)
	}
	return i
}

func titles(rows []Row) (out []string) {
	for _, r := range rows {
		out = append(out, fmt.Sprintf("%*s%s", r.Indent, "", r.Record.ID()))
	}
	return out
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	l := live("a", protocol.StateStreaming, func(s *protocol.Summary) { s.Recap = "live recap" })
	i := saved("a", func(i *sessionio.Info) { i.Name = "old name"; i.CostUSD = 2; i.State = sessionio.LifecycleArchived })
	records := Merge([]protocol.Summary{l}, []sessionio.Info{i, saved("b")})
	if len(records) != 2 {
		t.Fatalf("got %d records, want 2", len(records))
	}
	a := records[0]
	same(t, "key", a.Key, "file:/s/a.jsonl")
	same(t, "section", a.Section, Running)
	same(t, "state", a.State, protocol.StateStreaming)
	same(t, "recap is the live one", a.Recap(), "live recap")
	same(t, "first question is the saved one", a.FirstMessage(), "ask a")
	same(t, "a live session's cleared name is cleared", a.Name(), "")
	same(t, "cost", a.CostUSD(), 2.0)
	same(t, "other", records[1].Section, Inactive)
}

func TestMergeByID(t *testing.T) {
	t.Parallel()
	// The daemon names the file by another path, or has none yet: the id tells.
	l := live("a", protocol.StateIdle, func(s *protocol.Summary) { s.Path = "" })
	records := Merge([]protocol.Summary{l}, []sessionio.Info{saved("a")})
	same(t, "one record", len(records), 1)
	// Two files that carry the same id are two sessions.
	copied := saved("a", func(i *sessionio.Info) { i.Path = "/s/copy.jsonl" })
	records = Merge(nil, []sessionio.Info{saved("a"), copied})
	same(t, "two files", len(records), 2)
}

func TestClassify(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		live *protocol.Summary
		want Section
	}{
		{"not live", nil, Inactive},
		{"idle", &protocol.Summary{State: protocol.StateIdle}, Idle},
		{"streaming", &protocol.Summary{State: protocol.StateStreaming}, Running},
		{"tool", &protocol.Summary{State: protocol.StateTool}, Running},
		{"compacting", &protocol.Summary{State: protocol.StateCompacting}, Running},
		{"retrying", &protocol.Summary{State: protocol.StateRetrying}, Running},
		{"waits for an answer", &protocol.Summary{State: protocol.StateWaiting}, Running},
		{"a queue that an abort left", &protocol.Summary{State: protocol.StateQueued, Queued: 1}, Idle},
		{"queued behind work", &protocol.Summary{State: protocol.StateTool, Queued: 1}, Running},
		{"busy children", &protocol.Summary{State: protocol.StateIdle, RunningChildren: 1}, Running},
		{"a state of a newer daemon", &protocol.Summary{State: "dreaming"}, Running},
	} {
		same(t, c.name, Classify(c.live), c.want)
	}
}

func TestNothingRunsFromAFileAlone(t *testing.T) {
	t.Parallel()
	for state, want := range map[sessionio.Lifecycle]protocol.State{
		sessionio.LifecycleActive: protocol.StateSaved, sessionio.LifecycleCrash: protocol.StateSaved,
		sessionio.LifecycleNone: protocol.StateSaved, sessionio.LifecycleArchived: protocol.StateArchived,
	} {
		r := Merge(nil, []sessionio.Info{saved("a", func(i *sessionio.Info) { i.State = state })})[0]
		same(t, "section of "+string(state), r.Section, Inactive)
		same(t, "state of "+string(state), r.State, want)
	}
}

func TestAttention(t *testing.T) {
	t.Parallel()
	asks := protocol.Summary{State: protocol.StateWaiting, Permission: &protocol.Permission{Asked: at(-5)}, Attention: protocol.AttentionFailed}
	same(t, "a pending permission comes first", Attend(&asks, nil), protocol.AttentionPermission)
	same(t, "live", Attend(&protocol.Summary{Attention: protocol.AttentionFinished}, nil), protocol.AttentionFinished)
	broken := saved("a", func(i *sessionio.Info) { i.Interrupted = true })
	same(t, "a turn that broke off", Attend(nil, &broken), protocol.AttentionFailed)
	same(t, "live wins", Attend(&protocol.Summary{}, &broken), protocol.AttentionNone)
	r := Merge([]protocol.Summary{asks}, nil)[0]
	same(t, "waits since it asked", r.WaitsSince(), at(-5))
}

func TestVerdictGoesStale(t *testing.T) {
	t.Parallel()
	for based, want := range map[int]sessionio.Verdict{2: sessionio.VerdictCompleted, 1: ""} {
		i := saved("a", func(i *sessionio.Info) {
			i.Status = &sessionio.AgentStatus{Summary: "did it", TaskState: sessionio.VerdictCompleted, BasedOnMessageCount: based}
		})
		r := Merge(nil, []sessionio.Info{i})[0]
		same(t, "verdict", r.Verdict(), want)
		same(t, "the recap stays", r.Recap(), "did it")
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	i := saved("a", func(i *sessionio.Info) { i.Name = "plan b" })
	for _, want := range []string{"plan b", "ask a", "a", "a"} {
		r := Merge(nil, []sessionio.Info{i})[0]
		same(t, "title", r.Title(), want)
		switch {
		case i.Name != "":
			i.Name = "  "
		case i.FirstMessage != "":
			i.FirstMessage = ""
		default:
			i.CWD = ""
		}
		if i.Name == "  " && want == "ask a" {
			i.Name, i.FirstMessage = "", ""
		}
	}
}

func TestApply(t *testing.T) {
	t.Parallel()
	s := NewState()
	all := []sessionio.Info{saved("a"), saved("b")}
	s.Apply(Delta{AllSaved: &all})
	before := s.Snapshot()

	changed, gone := s.Apply(Delta{Live: []protocol.Summary{live("a", protocol.StateTool)}})
	same(t, "changed", changed, "[file:/s/a.jsonl]")
	same(t, "gone", len(gone), 0)
	r, _ := s.Snapshot().Get(SessionKey("a"))
	same(t, "found by its id", r.Section, Running)
	old, _ := before.Get(FileKey("/s/a.jsonl"))
	same(t, "an older snapshot stands", old.Section, Inactive)

	s.Apply(Delta{Gone: []protocol.Gone{{ID: "a"}}})
	r, _ = s.Snapshot().Get(FileKey("/s/a.jsonl"))
	same(t, "back to its file", r.Section, Inactive)

	_, gone = s.Apply(Delta{Removed: []string{"/s/a.jsonl"}})
	same(t, "removed", gone, "[file:/s/a.jsonl]")
	same(t, "one left", s.Snapshot().Len(), 1)

	s.Apply(Delta{Saved: []sessionio.Info{saved("a")}})
	same(t, "come back", s.Snapshot().Len(), 2)
	none := []protocol.Summary{}
	changed, gone = s.Apply(Delta{AllLive: &none})
	same(t, "nothing was live", len(changed)+len(gone), 0)
}

func TestKeyOutlivesTheFirstSave(t *testing.T) {
	t.Parallel()
	s := NewState()
	draft := live("a", protocol.StateIdle, func(s *protocol.Summary) { s.Path = "" })
	changed, _ := s.Apply(Delta{Live: []protocol.Summary{draft}})
	key := changed[0]
	s.Apply(Delta{Saved: []sessionio.Info{saved("a")}})
	s.Apply(Delta{Live: []protocol.Summary{live("a", protocol.StateStreaming)}})
	r, ok := s.Snapshot().Get(FileKey("/s/a.jsonl"))
	same(t, "found by path", ok, true)
	same(t, "same key", r.Key, key)
	same(t, "one record", s.Snapshot().Len(), 1)
}

func TestSectionTimeHoldsStill(t *testing.T) {
	t.Parallel()
	s := NewState()
	put := func(state protocol.State, since int) Record {
		s.Apply(Delta{Live: []protocol.Summary{live("a", state, func(s *protocol.Summary) { s.Since = at(since) })}})
		r, _ := s.Snapshot().Get(SessionKey("a"))
		return r
	}
	put(protocol.StateStreaming, 1)
	same(t, "from streaming to a tool the row stays", put(protocol.StateTool, 2).SectionAt, at(1))
	same(t, "settled", put(protocol.StateIdle, 3).SectionAt, at(3))
	same(t, "a new turn", put(protocol.StateStreaming, 4).SectionAt, at(4))
}

// Whatever happens, a state that was updated by deltas shows what one built anew would.
func TestApplyEqualsRebuild(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	s := NewState()
	lives, saves := map[string]protocol.Summary{}, map[string]sessionio.Info{}
	for step := range 2000 {
		id := fmt.Sprint(r.IntN(20))
		switch r.IntN(4) {
		case 0:
			lives[id] = live(id, []protocol.State{protocol.StateIdle, protocol.StateTool}[r.IntN(2)])
			s.Apply(Delta{Live: []protocol.Summary{lives[id]}})
		case 1:
			delete(lives, id)
			s.Apply(Delta{Gone: []protocol.Gone{{ID: sessionio.ID(id)}}})
		case 2:
			saves[id] = saved(id)
			s.Apply(Delta{Saved: []sessionio.Info{saves[id]}})
		case 3:
			delete(saves, id)
			s.Apply(Delta{Removed: []string{"/s/" + id + ".jsonl"}})
		}
		if step%50 != 0 {
			continue
		}
		for i := range 20 {
			id := fmt.Sprint(i)
			got, ok := s.Snapshot().Get(SessionKey(sessionio.ID(id)))
			l, isLive := lives[id]
			_, isSaved := saves[id]
			if ok != (isLive || isSaved) || ok && ((got.Live != nil) != isLive || (got.Saved != nil) != isSaved) {
				t.Fatalf("step %d, session %s: present %v, live %v, saved %v", step, id, ok, isLive, isSaved)
			}
			if isLive && got.Section != Classify(&l) {
				t.Fatalf("step %d, session %s: section %s", step, id, got.Section)
			}
		}
	}
}
