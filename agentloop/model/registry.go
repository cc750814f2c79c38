package model

import (
	"dugout/sessionio"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrUnknownProvider is wrapped by Registry.Get.
var ErrUnknownProvider = errors.New("provider not configured")

// Describer is what a provider may implement beside Provider: it knows its own models.
type Describer interface {
	// Models lists the models that it wants to offer.
	Models() []Info
	// Describe tells what it knows of any id; false leaves it to the catalog.
	Describe(id string) (Info, bool)
}

// Registry holds the configured providers and the catalog of models. It does not change after it
// was made.
type Registry struct {
	providers []Provider
	extra     []Info
}

// NewRegistry makes a registry of providers; extra models add to and override the built-in catalog.
// Of two providers with one name the later wins.
func NewRegistry(providers []Provider, extra []Info) *Registry {
	r := &Registry{extra: slices.Clone(extra)}
	for _, p := range providers {
		r.providers = slices.DeleteFunc(r.providers, func(q Provider) bool { return q.Name() == p.Name() })
		r.providers = append(r.providers, p)
	}
	return r
}

// Get finds the provider of a reference, and what is known of the model (defaults for an unknown
// one: a window of 128,000, output of 8,192, price 0). Wraps ErrUnknownProvider, naming those there are.
func (r *Registry) Get(ref sessionio.ModelRef) (Provider, Info, error) {
	for _, p := range r.providers {
		if p.Name() == ref.Provider {
			return p, r.describe(p, ref.Model), nil
		}
	}
	return nil, Info{}, fmt.Errorf("%w: %q (there is %s)", ErrUnknownProvider, ref.Provider, r.names())
}

func (r *Registry) names() string {
	names := make([]string, len(r.providers))
	for i, p := range r.providers {
		names[i] = p.Name()
	}
	if len(names) == 0 {
		return "none: set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENAI_BASE_URL"
	}
	return strings.Join(names, ", ")
}

func (r *Registry) describe(p Provider, id string) Info {
	if m, ok := Find(r.extra, p.Name(), id); ok {
		return withDefaults(m)
	}
	if d, ok := p.(Describer); ok {
		if m, ok := d.Describe(id); ok {
			return withDefaults(m)
		}
	}
	return Lookup(p.Name(), id)
}

// List returns the models of configured providers, each once, in the order of the providers; the
// extra ones come first within theirs.
func (r *Registry) List() []Info {
	var all []Info
	seen := map[sessionio.ModelRef]bool{}
	add := func(p Provider, models []Info) {
		for _, m := range models {
			ref := sessionio.ModelRef{Provider: m.Provider, Model: m.ID}
			if m.Provider != p.Name() || seen[ref] {
				continue
			}
			seen[ref] = true
			all = append(all, withDefaults(m))
		}
	}
	for _, p := range r.providers {
		add(p, r.extra)
		if d, ok := p.(Describer); ok {
			add(p, d.Models())
		}
		add(p, catalog())
	}
	return all
}

// ParseRef splits "provider/model" (the model may hold slashes).
func ParseRef(s string) (sessionio.ModelRef, error) {
	provider, id, ok := strings.Cut(strings.TrimSpace(s), "/")
	if !ok || provider == "" || id == "" {
		return sessionio.ModelRef{}, fmt.Errorf("model %q: want provider/model, such as anthropic/claude-sonnet-5-5", s)
	}
	return sessionio.ModelRef{Provider: provider, Model: id}, nil
}
