package model

import "regexp"

// Info is what the catalog knows of a model.
type Info struct {
	Provider      string
	ID            string
	Name          string
	ContextWindow int // tokens
	MaxOutput     int // tokens
	// dollars per million tokens
	InputPrice, OutputPrice, CacheReadPrice, CacheWritePrice float64
	Thinking                                                 bool
	Images                                                   bool
	Scripted                                                 bool
}

// What an unknown model is taken to have.
const (
	defaultWindow    = 128_000
	defaultMaxOutput = 8_192
)

// Lookup tells what the built-in catalog knows of a model; for an unknown one, the defaults.
func Lookup(provider, id string) Info {
	m, _ := Known(nil, provider, provider, id)
	return m
}

// Known is Lookup for a provider of some wire format under a name of its own, with models of its
// own: those first, then the catalog under the wire's name. found is false for the defaults.
func Known(own []Info, provider, wire, id string) (m Info, found bool) {
	if m, found = Find(own, provider, id); !found {
		m, found = Find(catalog(), wire, id)
	}
	if !found {
		m, found = Find(catalog(), wire, dated.ReplaceAllString(id, ""))
	}
	m.Provider, m.ID = provider, id
	return withDefaults(m), found
}

// dated is how the vendors name one state of a model: its id and a day.
var dated = regexp.MustCompile(`-(\d{8}|\d{4}-\d{2}-\d{2})$`)

// Find looks a model up in a list.
func Find(models []Info, provider, id string) (Info, bool) {
	for _, m := range models {
		if m.Provider == provider && m.ID == id {
			return m, true
		}
	}
	return Info{}, false
}

func withDefaults(m Info) Info {
	if m.Name == "" {
		m.Name = m.ID
	}
	if m.ContextWindow <= 0 {
		m.ContextWindow = defaultWindow
	}
	if m.MaxOutput <= 0 {
		m.MaxOutput = defaultMaxOutput
	}
	return m
}

// catalog is the built-in table: prices in dollars per million tokens, as the vendors list them.
func catalog() []Info {
	return append(anthropicModels(), openAIModels()...)
}

const million = 1_000_000

func anthropicModels() []Info {
	// A cache write (of 5 minutes) costs a quarter more than input; reads differ.
	row := func(id, name string, window, out int, in, read, outPrice float64) Info {
		return Info{
			Provider: "anthropic", ID: id, Name: name, ContextWindow: window, MaxOutput: out,
			InputPrice: in, OutputPrice: outPrice, CacheReadPrice: read, CacheWritePrice: in * 5 / 4,
			Thinking: true, Images: true,
		}
	}
	return []Info{
		row("claude-opus-5-5", "Claude Opus 5.5", million, 128_000, 4, 0.2, 20),
		row("claude-sonnet-5-5", "Claude Sonnet 5.5", million, 128_000, 2, 0.1, 10),
		row("claude-haiku-5-5", "Claude Haiku 5.5", million, 128_000, 0.1, 0.01, 0.5), // up to 100,000 tokens of input
		row("claude-fable-5-1", "Claude Fable 5.1", million, 128_000, 10, 0.25, 50),
		row("claude-opus-5", "Claude Opus 5", million, 128_000, 5, 0.5, 25),
		row("claude-sonnet-5", "Claude Sonnet 5", million, 128_000, 2, 0.2, 10),
		row("claude-opus-4-8", "Claude Opus 4.8", million, 128_000, 5, 0.5, 25),
		row("claude-opus-4-7", "Claude Opus 4.7", million, 128_000, 5, 0.5, 25),
		row("claude-opus-4-6", "Claude Opus 4.6", million, 128_000, 5, 0.5, 25),
		row("claude-sonnet-4-6", "Claude Sonnet 4.6", million, 64_000, 3, 0.3, 15),
		row("claude-opus-4-5", "Claude Opus 4.5", 200_000, 64_000, 5, 0.5, 25),
		row("claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000, 64_000, 3, 0.3, 15),
		row("claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000, 1, 0.1, 5),
	}
}

func openAIModels() []Info {
	row := func(id, name string, window, out int, in, read, write, outPrice float64, thinking bool) Info {
		return Info{
			Provider: "openai", ID: id, Name: name, ContextWindow: window, MaxOutput: out,
			InputPrice: in, OutputPrice: outPrice, CacheReadPrice: read, CacheWritePrice: write,
			Thinking: thinking, Images: true,
		}
	}
	return []Info{
		// Prices of the first three families hold up to 272,000 tokens of input.
		row("gpt-6.1-sol", "GPT-6.1 Sol", 1_050_000, 128_000, 2, 0.1, 2.5, 10, true),
		row("gpt-6-sol", "GPT-6 Sol", 1_050_000, 128_000, 2, 0.2, 2.5, 10, true),
		row("gpt-6-luna", "GPT-6 Luna", 1_050_000, 128_000, 0.1, 0.01, 0.125, 0.5, true),
		row("gpt-5.6-sol", "GPT-5.6 Sol", 1_050_000, 128_000, 4, 0.4, 5, 20, true),
		row("gpt-5.6-terra", "GPT-5.6 Terra", 1_050_000, 128_000, 2, 0.2, 2.5, 12, true),
		row("gpt-5.6-luna", "GPT-5.6 Luna", 1_050_000, 128_000, 0.2, 0.02, 0.25, 1.2, true),
		row("gpt-5.5", "GPT-5.5", 1_050_000, 128_000, 5, 0.5, 0, 30, true),
		row("gpt-5.4", "GPT-5.4", 1_050_000, 128_000, 2.5, 0.25, 0, 15, true),
		row("gpt-5.4-mini", "GPT-5.4 mini", 400_000, 128_000, 0.75, 0.075, 0, 4.5, true),
		row("gpt-5", "GPT-5", 400_000, 128_000, 1.25, 0.125, 0, 10, true),
		row("gpt-5-mini", "GPT-5 mini", 400_000, 128_000, 0.25, 0.025, 0, 2, true),
		row("gpt-4.1", "GPT-4.1", 1_047_576, 32_768, 2, 0.5, 0, 8, false),
		row("gpt-4.1-mini", "GPT-4.1 mini", 1_047_576, 32_768, 0.4, 0.1, 0, 1.6, false),
		row("gpt-4o", "GPT-4o", 128_000, 16_384, 2.5, 1.25, 0, 10, false),
		row("gpt-4o-mini", "GPT-4o mini", 128_000, 16_384, 0.15, 0.075, 0, 0.6, false),
		row("o3", "o3", 200_000, 100_000, 2, 0.5, 0, 8, true),
		row("o4-mini", "o4-mini", 200_000, 100_000, 1.1, 0.275, 0, 4.4, true),
	}
}
