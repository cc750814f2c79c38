package roster

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"testing"
	"time"
)

func snapshot(live []protocol.Summary, saved []sessionio.Info) Snapshot {
	s := NewState()
	s.Apply(Delta{AllLive: &live, AllSaved: &saved})
	return s.Snapshot()
}

func TestArrangeSections(t *testing.T) {
	t.Parallel()
	s := snapshot([]protocol.Summary{
		live("busy", protocol.StateStreaming),
		live("rests", protocol.StateIdle),
		live("asks", protocol.StateIdle, func(s *protocol.Summary) { s.Attention = protocol.AttentionQuestion; s.Since = at(2) }),
		live("waits", protocol.StateWaiting, func(s *protocol.Summary) { s.Pending = 1; s.Since = at(1) }),
	}, []sessionio.Info{saved("old"), saved("draft", func(i *sessionio.Info) { i.UserMessages, i.FirstMessage = 0, "" })})
	v := Arrange(s, ViewOptions{Sort: SortRecent})
	same(t, "running", titles(v.Sections[Running]), "[waits busy]")
	same(t, "idle", titles(v.Sections[Idle]), "[asks rests]")
	same(t, "inactive", titles(v.Sections[Inactive]), "[old]")
	same(t, "hidden drafts", v.Hidden, 1)
	same(t, "counts", v.Counts, map[Section]int{Running: 2, Idle: 2, Inactive: 1})
	var strip []string
	for _, r := range v.NeedsYou {
		strip = append(strip, string(r.ID()))
	}
	same(t, "needs you, oldest first", strip, "[waits asks]")
	v = Arrange(s, ViewOptions{Drafts: true})
	same(t, "with drafts", len(v.Sections[Inactive]), 2)
}

func TestArrangeChildren(t *testing.T) {
	t.Parallel()
	child := func(parent string, depth int) func(*sessionio.Info) {
		return func(i *sessionio.Info) { i.ParentSession = "/s/" + parent + ".jsonl"; i.Depth = depth }
	}
	s := snapshot([]protocol.Summary{
		live("root", protocol.StateIdle),
		live("kid", protocol.StateTool, func(s *protocol.Summary) { s.Parent, s.Depth = "root", 1 }),
	}, []sessionio.Info{
		saved("old kid", child("root", 1)),
		saved("fork", child("root", 0)), // came from root, was not spawned by it
		saved("orphan", child("nowhere", 1)),
		saved("ring a", child("ring b", 1)), saved("ring b", child("ring a", 1)),
		saved("own", child("own", 1)),
	})
	v := Arrange(s, ViewOptions{Sort: SortName})
	same(t, "a running child lifts its parent", titles(v.Sections[Running]), "[root  kid  old kid]")
	same(t, "children", v.Sections[Running][0].Children, 2)
	same(t, "running below", v.Sections[Running][0].Running, 1)
	same(t, "everything else once", titles(v.Sections[Inactive]), "[fork orphan own ring a ring b]")
	q, _ := ParseQuery("kid is:running")
	v = Arrange(s, ViewOptions{Query: q})
	same(t, "the parent of a match stays", titles(v.Sections[Running]), "[root  kid]")
	same(t, "one session with its child", v.Matches, 1)
}

func TestSortModes(t *testing.T) {
	t.Parallel()
	in := []sessionio.Info{
		saved("b", func(i *sessionio.Info) { i.Modified, i.CostUSD, i.CWD = at(1), 1, "/z" }),
		saved("a", func(i *sessionio.Info) { i.Modified, i.CostUSD, i.CWD = at(3), 0, "/y" }),
		saved("c", func(i *sessionio.Info) { i.Modified, i.CostUSD, i.CWD = at(2), 5, "/x" }),
	}
	for mode, want := range map[SortMode]string{
		SortRecent: "[a c b]", SortActivity: "[a c b]", SortName: "[a b c]", SortCost: "[c b a]", SortFolder: "[c a b]",
	} {
		v := Arrange(snapshot(nil, in), ViewOptions{Sort: mode})
		same(t, string(mode), titles(v.Sections[Inactive]), want)
	}
	m := SortRecent
	for range SortModes() {
		m = m.Next()
	}
	same(t, "around", m, SortRecent)
}

// Rows of running sessions hold still while messages come in, in every mode but by cost.
func TestRunningRowsHoldStill(t *testing.T) {
	t.Parallel()
	for _, mode := range []SortMode{SortRecent, SortActivity, SortName, SortFolder} {
		s := NewState()
		for i, id := range []string{"a", "b", "c"} {
			s.Apply(Delta{Live: []protocol.Summary{live(id, protocol.StateStreaming, func(s *protocol.Summary) { s.Since = at(i) })}})
		}
		before := titles(Arrange(s.Snapshot(), ViewOptions{Sort: mode}).Sections[Running])
		for step := range 50 {
			id := string(rune('a' + step%3))
			s.Apply(Delta{Live: []protocol.Summary{live(id, protocol.StateTool, func(s *protocol.Summary) {
				s.Since, s.Modified, s.Tokens = at(10+step), at(10+step), step
			})}})
			same(t, string(mode), titles(Arrange(s.Snapshot(), ViewOptions{Sort: mode}).Sections[Running]), before)
		}
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	s := snapshot(nil, []sessionio.Info{
		saved("a", func(i *sessionio.Info) { i.Name = "named"; i.CWD = "/work/app" }),
		saved("b", func(i *sessionio.Info) { i.CWD = "/work/app-two" }),
	})
	same(t, "named only", titles(Arrange(s, ViewOptions{NamedOnly: true}).Sections[Inactive]), "[a]")
	same(t, "folder", titles(Arrange(s, ViewOptions{Folder: "/work/app"}).Sections[Inactive]), "[a]")
	same(t, "a folder above", Arrange(s, ViewOptions{Folder: "/work"}).Matches, 2)
	same(t, "the total stays", Arrange(s, ViewOptions{Folder: "/work/app"}).Total, 2)
}

func big(n int) (out []sessionio.Info) {
	for i := range n {
		out = append(out, saved(fmt.Sprintf("%08d", i), func(s *sessionio.Info) {
			s.FirstMessage = fmt.Sprintf("refactor the token store of project %d and write tests", i)
			s.CWD = fmt.Sprintf("/home/me/src/project-%d", i%30)
			s.Modified = day.Add(time.Duration(i) * time.Second)
		}))
	}
	return out
}

func BenchmarkApplyOne(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			all := big(n)
			s := NewState()
			s.Apply(Delta{AllSaved: &all})
			l := live(string(all[n/2].ID), protocol.StateStreaming)
			for i := 0; b.Loop(); i++ {
				l.Tokens = i
				s.Apply(Delta{Live: []protocol.Summary{l}})
				_ = s.Snapshot()
			}
		})
	}
}

func BenchmarkArrange(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		for _, query := range []string{"", "token", "tknstr", "cwd:project-7 is:inactive"} {
			b.Run(fmt.Sprintf("%d/%s", n, query), func(b *testing.B) {
				all := big(n)
				s := snapshot(nil, all)
				q, err := ParseQuery(query)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					Arrange(s, ViewOptions{Sort: SortRecent, Query: q})
				}
			})
		}
	}
}
