package model

import (
	"context"
	"dugout/sessionio"
	"errors"
	"strings"
	"testing"
)

type named string

func (n named) Name() string { return string(n) }

func (n named) Stream(context.Context, Request, func(Delta)) (*sessionio.Message, error) {
	return nil, errors.New("not called")
}

// local is a provider that knows its models.
type local struct{ named }

func (l local) Models() []Info { return []Info{{Provider: "local", ID: "small"}} }

func (l local) Describe(id string) (Info, bool) {
	return Info{Provider: "local", ID: id, ContextWindow: 4096}, id == "small"
}

func TestRegistryGet(t *testing.T) {
	t.Parallel()
	r := NewRegistry(
		[]Provider{named("anthropic"), local{"local"}},
		[]Info{{Provider: "anthropic", ID: "claude-opus-5-5", ContextWindow: 7}, {Provider: "local", ID: "big", MaxOutput: 9}},
	)
	tests := []struct {
		ref                    sessionio.ModelRef
		window, output, priced int
	}{
		{sessionio.ModelRef{Provider: "anthropic", Model: "claude-opus-5-5"}, 7, 8192, 0},
		{sessionio.ModelRef{Provider: "anthropic", Model: "claude-haiku-4-5"}, 200_000, 64_000, 1},
		{sessionio.ModelRef{Provider: "anthropic", Model: "gpt-5"}, 128_000, 8192, 0},
		{sessionio.ModelRef{Provider: "local", Model: "small"}, 4096, 8192, 0},
		{sessionio.ModelRef{Provider: "local", Model: "big"}, 128_000, 9, 0},
		{sessionio.ModelRef{Provider: "local", Model: "odd"}, 128_000, 8192, 0},
	}
	for _, tt := range tests {
		p, m, err := r.Get(tt.ref)
		if err != nil || p.Name() != tt.ref.Provider {
			t.Fatalf("%v: %v, %v", tt.ref, p, err)
		}
		if m.ContextWindow != tt.window || m.MaxOutput != tt.output || int(m.InputPrice) != tt.priced || m.ID != tt.ref.Model {
			t.Errorf("%v: %+v", tt.ref, m)
		}
	}
	_, _, err := r.Get(sessionio.ModelRef{Provider: "openai", Model: "x"})
	if !errors.Is(err, ErrUnknownProvider) || !strings.Contains(err.Error(), "anthropic, local") {
		t.Errorf("unknown provider: %v", err)
	}
}

func TestRegistryListHasConfiguredProvidersOnly(t *testing.T) {
	t.Parallel()
	r := NewRegistry([]Provider{local{"local"}, named("openai")}, []Info{{Provider: "openai", ID: "gpt-4o", ContextWindow: 7}})
	seen := map[sessionio.ModelRef]int{}
	for _, m := range r.List() {
		ref := sessionio.ModelRef{Provider: m.Provider, Model: m.ID}
		if seen[ref]++; seen[ref] > 1 || m.Provider == "anthropic" || m.ContextWindow == 0 {
			t.Errorf("%+v", m)
		}
		if m.ID == "gpt-4o" && m.ContextWindow != 7 {
			t.Errorf("an extra entry does not override: %+v", m)
		}
	}
	if seen[sessionio.ModelRef{Provider: "local", Model: "small"}] != 1 || len(seen) < 5 {
		t.Errorf("list has %v", seen)
	}
}

func TestParseRef(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]sessionio.ModelRef{
		"scripted/demo":                 {Provider: "scripted", Model: "demo"},
		" openrouter/qwen/qwen3-coder ": {Provider: "openrouter", Model: "qwen/qwen3-coder"},
		"plain":                         {},
		"/x":                            {},
		"x/":                            {},
		"":                              {},
	} {
		got, err := ParseRef(in)
		if got != want || (err == nil) != (want != sessionio.ModelRef{}) {
			t.Errorf("%q: %+v, %v", in, got, err)
		}
	}
}
