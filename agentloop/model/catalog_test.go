package model

import "testing"

func TestCatalogIsSane(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, m := range catalog() {
		if seen[m.Provider+"/"+m.ID] {
			t.Errorf("%s is there twice", m.ID)
		}
		seen[m.Provider+"/"+m.ID] = true
		if m.MaxOutput <= 0 || m.MaxOutput >= m.ContextWindow || m.InputPrice <= 0 || m.OutputPrice <= m.InputPrice ||
			m.CacheReadPrice <= 0 || m.CacheReadPrice >= m.InputPrice || m.Name == "" || m.Scripted {
			t.Errorf("%+v", m)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d models", len(seen))
	}
}

func TestKnownLooksAtItsOwnFirst(t *testing.T) {
	t.Parallel()
	own := []Info{{Provider: "mine", ID: "gpt-4o", ContextWindow: 5}}
	if m, ok := Known(own, "mine", "openai", "gpt-4o"); !ok || m.ContextWindow != 5 || m.MaxOutput != defaultMaxOutput {
		t.Errorf("%+v", m)
	}
	if m, ok := Known(own, "mine", "openai", "gpt-4.1"); !ok || m.Provider != "mine" || m.ContextWindow != 1_047_576 {
		t.Errorf("%+v", m)
	}
	if m := Lookup("anthropic", "claude-haiku-4-5-20251001"); m.MaxOutput != 64_000 || m.ID != "claude-haiku-4-5-20251001" {
		t.Errorf("%+v", m)
	}
	if m := Lookup("openai", "gpt-4o-2024-11-20"); m.MaxOutput != 16_384 {
		t.Errorf("%+v", m)
	}
	if m, ok := Known(own, "mine", "openai", "llama"); ok || m.ContextWindow != defaultWindow {
		t.Errorf("%+v", m)
	}
}
