package model

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
	if m, ok := find(catalog(), provider, id); ok {
		return m
	}
	return withDefaults(Info{Provider: provider, ID: id})
}

func find(models []Info, provider, id string) (Info, bool) {
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

func anthropicModels() []Info {
	const million = 1_000_000
	row := func(id, name string, window, out int, in, outPrice float64) Info {
		// A cache read costs a tenth of the input price, a write (5 minutes) a quarter more than it.
		return Info{
			Provider: "anthropic", ID: id, Name: name, ContextWindow: window, MaxOutput: out,
			InputPrice: in, OutputPrice: outPrice, CacheReadPrice: in / 10, CacheWritePrice: in * 5 / 4,
			Thinking: true, Images: true,
		}
	}
	return []Info{
		row("claude-opus-5-5", "Claude Opus 5.5", million, 128_000, 4, 20),
		row("claude-sonnet-5-5", "Claude Sonnet 5.5", million, 128_000, 2, 10),
		row("claude-fable-5-1", "Claude Fable 5.1", million, 128_000, 10, 50),
		row("claude-opus-5", "Claude Opus 5", million, 128_000, 5, 25),
		row("claude-opus-4-6", "Claude Opus 4.6", million, 128_000, 5, 25),
		row("claude-sonnet-4-6", "Claude Sonnet 4.6", million, 128_000, 3, 15),
		row("claude-opus-4-5", "Claude Opus 4.5", 200_000, 64_000, 5, 25),
		row("claude-sonnet-4-5", "Claude Sonnet 4.5", 200_000, 64_000, 3, 15),
		row("claude-haiku-4-5", "Claude Haiku 4.5", 200_000, 64_000, 1, 5),
	}
}

func openAIModels() []Info {
	row := func(id string, window, out int, in, cached, outPrice float64, thinking bool) Info {
		return Info{
			Provider: "openai", ID: id, Name: id, ContextWindow: window, MaxOutput: out,
			InputPrice: in, OutputPrice: outPrice, CacheReadPrice: cached,
			Thinking: thinking, Images: true,
		}
	}
	return []Info{
		row("gpt-5", 400_000, 128_000, 1.25, 0.125, 10, true),
		row("gpt-5-mini", 400_000, 128_000, 0.25, 0.025, 2, true),
		row("gpt-5-nano", 400_000, 128_000, 0.05, 0.005, 0.4, true),
		row("gpt-4.1", 1_047_576, 32_768, 2, 0.5, 8, false),
		row("gpt-4.1-mini", 1_047_576, 32_768, 0.4, 0.1, 1.6, false),
		row("gpt-4o", 128_000, 16_384, 2.5, 1.25, 10, false),
		row("gpt-4o-mini", 128_000, 16_384, 0.15, 0.075, 0.6, false),
		row("o3", 200_000, 100_000, 2, 0.5, 8, true),
		row("o4-mini", 200_000, 100_000, 1.1, 0.275, 4.4, true),
	}
}
