package compaction

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"strings"
	"testing"
)

func TestLeft(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path string
		window     int
		want       int
	}{
		{"all but results and bookkeeping", "u10 a10 t10 b0 a10", 1000, 3},
		{"the newest that fit", "u500 a300 u100 a100", 800, 3}, // a budget of 600
		{"a compaction is its summary", "u10 a10 k0 a10", 1000, 4},
		{"nothing", "b0 b0", 1000, 0},
	} {
		b := Left(path(t, c.path), Limits{Window: c.window, Reserve: 16384})
		if len(b.Messages) != c.want {
			t.Errorf("%s: %d messages, want %d", c.name, len(b.Messages), c.want)
		}
	}
}

func TestBranchEntry(t *testing.T) {
	t.Parallel()
	var a asked
	s := Summarizer{Call: a.call, Info: model.Info{ID: "m"}, Limits: Limits{Window: 100_000}}
	b := Branch{Messages: []sessionio.Message{user("q")}, Files: Files{Modified: []string{"x"}}}
	e, err := s.Branch(context.Background(), b, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if e.FromID != "root" || !strings.HasPrefix(e.Summary, branchPreamble+"notes 1") || !strings.Contains(e.Summary, "<modified-files>\nx") {
		t.Errorf("entry %+v", e)
	}
	if e, err = (Summarizer{Info: model.Info{Scripted: true}}).Branch(context.Background(), b, "p", ""); err != nil || e.FromID != "p" || !strings.Contains(e.Summary, "scripted") {
		t.Errorf("entry %+v, %v", e, err)
	}
}
