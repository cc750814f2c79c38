package live

import (
	"dugout/roster"
	"dugout/sessionio"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The reader's lists say what became of each record since the last update, each once.
func TestUpdatesMerge(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(8, 9))
	s := newState()
	there, before := map[string]bool{}, map[roster.Key]bool{}
	for step := range 3000 {
		path := fmt.Sprintf("/s/%d.jsonl", r.IntN(12))
		if r.IntN(2) == 0 {
			there[path] = true
			s.apply(change{delta: roster.Delta{Saved: []sessionio.Info{{Path: path, ID: sessionio.ID(path), MessageCount: step}}}})
		} else {
			delete(there, path)
			s.apply(change{delta: roster.Delta{Removed: []string{path}}})
		}
		if r.IntN(5) > 0 {
			continue
		}
		u := s.next
		kept := slices.Clone(u.Changed)
		s.sent()
		if u.Snapshot.Len() != len(there) {
			t.Fatalf("step %d: %d records, want %d", step, u.Snapshot.Len(), len(there))
		}
		heard := map[roster.Key]bool{}
		for _, k := range append(kept, u.Gone...) {
			if heard[k] {
				t.Fatalf("step %d: %s is told twice", step, k)
			}
			heard[k] = true
		}
		for _, k := range u.Changed {
			if _, ok := u.Snapshot.Get(k); !ok {
				t.Fatalf("step %d: %s changed and is not there", step, k)
			}
		}
		for _, k := range u.Gone {
			if _, ok := u.Snapshot.Get(k); ok {
				t.Fatalf("step %d: %s went and is there", step, k)
			}
		}
		now := map[roster.Key]bool{}
		for _, rec := range u.Snapshot.All() {
			now[rec.Key] = true
			if !before[rec.Key] && !heard[rec.Key] {
				t.Fatalf("step %d: nobody heard that %s came", step, rec.Key)
			}
		}
		for k := range before {
			if !now[k] && !heard[k] {
				t.Fatalf("step %d: nobody heard that %s went", step, k)
			}
		}
		before = now
	}
}

func TestProblemsHaveAnOrder(t *testing.T) {
	t.Parallel()
	s := newState()
	files, none := "2 files are no sessions", ""
	s.apply(change{problem: &files})
	s.apply(change{link: &link{why: "nobody answers"}})
	if s.next.Problem != "nobody answers" || s.next.Connected {
		t.Errorf("got %q", s.next.Problem)
	}
	s.apply(change{link: &link{}})
	if s.next.Problem != files {
		t.Errorf("got %q", s.next.Problem)
	}
	s.apply(change{problem: &none})
	if s.next.Problem != "" {
		t.Errorf("got %q", s.next.Problem)
	}
}
