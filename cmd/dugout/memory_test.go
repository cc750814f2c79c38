package main

import (
	"dugout/cmd/internal/settings"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model finds what other sessions of its project said, and not what it has before it.
func TestMemoryOfAProject(t *testing.T) {
	t.Parallel()
	home, shop, other := t.TempDir(), t.TempDir(), t.TempDir()
	st, err := store.Open(store.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	for id, cwd := range map[string]string{"s1": shop, "s2": other} {
		text := `{"type":"session","version":3,"id":"` + id + `","timestamp":"2025-02-03T05:00:00.000Z","cwd":"` + cwd + `"}
{"type":"message","id":"a1","parentId":null,"timestamp":"2025-02-03T05:01:00.000Z","message":{"role":"user","content":"which port for ` + id + `?"}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2025-02-03T05:02:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"8080"}]}}
`
		if err := os.WriteFile(filepath.Join(home, "sessions", id+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	search := memoryOf(st)
	got, err := search(t.Context(), shop, "port", nil)
	if err != nil || !strings.Contains(got, "which port for s1?") || !strings.Contains(got, "8080") || strings.Contains(got, "s2") {
		t.Errorf("%v: %s", err, got)
	}
	known := []sessionio.Message{{Role: sessionio.RoleUser, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: "which port for s1?"}}}}
	if got, err = search(t.Context(), shop, "port", known); err != nil || !strings.HasPrefix(got, "No earlier session") {
		t.Errorf("%v: %s", err, got)
	}
	if _, err = search(t.Context(), shop, "re:(", nil); err == nil {
		t.Error("a broken pattern passes")
	}
}

// The tool is there only where the settings turn it on.
func TestMemoryToolIsOffByDefault(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{false, true} {
		e := newEnv(nil, nil, nil)
		e.getenv = func(string) string { return "" }
		e.home, e.cwd = t.TempDir(), t.TempDir()
		e.set = &settings.Settings{Memory: settings.Memory{Tool: on}}
		o, err := e.hostOptions(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, tl := range o.Tools(e.cwd, nil) {
			found = found || tl.Name() == "search_memory"
		}
		if found != on {
			t.Errorf("turned on %v, there %v", on, found)
		}
	}
}
