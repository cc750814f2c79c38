package sessionio_test

import (
	"dugout/sessionio"
	"dugout/sessionio/sessiontest"
	"strings"
	"testing"
)

// What a model reads at a leaf, and the settings that hold there.
func TestBuildContext(t *testing.T) {
	t.Parallel()
	compaction := func(f *sessiontest.File, text string, kept sessionio.EntryID) sessionio.EntryID {
		return f.Add(sessionio.Entry{Type: sessionio.TypeCompaction, Summary: text, FirstKeptEntryID: kept})
	}
	level := func(f *sessiontest.File, l string) {
		f.Add(sessionio.Entry{Type: sessionio.TypeThinkingLevelChange, ThinkingLevel: l})
	}
	tier := func(f *sessiontest.File, s *string) {
		f.Add(sessionio.Entry{Type: sessionio.TypeServiceTierChange, ServiceTier: s})
	}
	flex := "flex"
	for name, c := range map[string]struct {
		build    func(f *sessiontest.File)
		messages string
		settings string
		retained int
	}{
		"nothing": {func(*sessiontest.File) {}, "", "off default none", 0},
		"the last compaction stands for what was before, then what it kept": {func(f *sessiontest.File) {
			f.User("one")
			f.Assistant("two")
			compaction(f, "first", "")
			kept := f.User("three")
			f.Assistant("four")
			compaction(f, "second", kept)
			f.User("five")
		}, "compactionSummary:second|user:three|assistant:four|user:five", "off default scripted/rules", 2},
		"one compaction kept by the next says nothing": {func(f *sessiontest.File) {
			q := f.User("one")
			compaction(f, "first", q)
			f.User("two")
			compaction(f, "second", q)
		}, "compactionSummary:second|user:one|user:two", "off default none", 2},
		"what it kept is elsewhere": {func(f *sessiontest.File) {
			q := f.User("one")
			other := f.User("on another branch")
			f.Leaf = q
			compaction(f, "sum", other)
			f.User("two")
		}, "compactionSummary:sum|user:two", "off default none", 0},
		"branch summaries and custom messages speak, the rest is silent": {func(f *sessiontest.File) {
			f.User("one")
			f.Add(sessionio.Entry{Type: sessionio.TypeBranchSummary, Summary: "left", FromID: "root"})
			f.Add(sessionio.Entry{Type: sessionio.TypeBranchSummary, FromID: "root"})
			f.Add(sessionio.Entry{Type: sessionio.TypeCustomMessage, CustomType: "x", Content: sessiontest.Text("custom")})
			f.Add(sessionio.Entry{Type: sessionio.TypeCustom, CustomType: "x", Data: []byte("1")})
			f.Add(sessionio.Entry{Type: sessionio.TypeLabel, TargetID: "a0000001", Label: "l"})
		}, "user:one|branchSummary:left|custom:custom", "off default none", 0},
		"later settings win": {func(f *sessiontest.File) {
			level(f, "low")
			tier(f, &flex)
			f.Assistant("of its model")
			f.Add(sessionio.Entry{Type: sessionio.TypeModelChange, Provider: "p", ModelID: "m"})
			level(f, "high")
		}, "assistant:of its model", "high flex p/m", 0},
		"a failed answer names the model; null is the default tier": {func(f *sessiontest.File) {
			f.Add(sessionio.Entry{Type: sessionio.TypeModelChange, Provider: "p", ModelID: "m"})
			tier(f, &flex)
			f.Failed(sessionio.StopError, "no")
			tier(f, nil)
		}, "assistant:", "off default scripted/rules", 0},
		"at the root nothing is inherited": {func(f *sessiontest.File) {
			level(f, "high")
			f.User("one")
			f.Leaf = ""
			f.User("anew")
		}, "user:anew", "off default none", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := sessiontest.New("s", "/p")
			c.build(f)
			s := openFile(t, f)
			if got := spoken(t, s); got != c.messages {
				t.Errorf("messages %s\nwant %s", got, c.messages)
			}
			ctx, err := s.Context()
			if err != nil {
				t.Fatal(err)
			}
			model := "none"
			if ctx.Model != nil {
				model = ctx.Model.Provider + "/" + ctx.Model.Model
			}
			if got := strings.Join([]string{ctx.ThinkingLevel, ctx.ServiceTier, model}, " "); got != c.settings {
				t.Errorf("settings %s, want %s", got, c.settings)
			}
			if len(ctx.EntryIDs) != len(ctx.Messages) {
				t.Errorf("%d ids for %d messages", len(ctx.EntryIDs), len(ctx.Messages))
			}
			if len(ctx.Messages) > 0 && ctx.Messages[0].Role == sessionio.RoleCompactionSummary {
				if kept := ctx.Messages[0].RetainedMessageCount; kept != c.retained {
					t.Errorf("%d messages retained, want %d", kept, c.retained)
				}
			}
		})
	}
}
