package openai

import (
	"dugout/agentloop/model"
	"dugout/agentloop/model/modeltest"
	"net/http"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestProvider(t *testing.T) {
	t.Parallel()
	modeltest.Run(t, modeltest.OpenAI, func(base string, client *http.Client) model.Provider {
		return New(Options{BaseURL: base, APIKey: modeltest.Key, HTTPClient: client})
	})
}

func TestNormalise(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                "https://api.openai.com/v1",
		"http://localhost:11434":          "http://localhost:11434/v1",
		"http://localhost:11434/":         "http://localhost:11434/v1",
		"http://localhost:1234/v1":        "http://localhost:1234/v1",
		"http://localhost:1234/v1/":       "http://localhost:1234/v1",
		"https://openrouter.ai/api/v1//":  "https://openrouter.ai/api/v1",
		"https://host/v1beta/openai/":     "https://host/v1beta/openai",
		" https://models.example/chat/x ": "https://models.example/chat/x",
	} {
		if got := normalise(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
