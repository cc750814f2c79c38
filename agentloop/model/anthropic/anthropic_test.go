package anthropic

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
	modeltest.Run(t, modeltest.Anthropic, func(base string, client *http.Client) model.Provider {
		return New(Options{BaseURL: base, APIKey: modeltest.Key, HTTPClient: client})
	})
}

func TestNormalise(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                              "https://api.anthropic.com",
		"https://api.anthropic.com/v1/": "https://api.anthropic.com",
		"http://127.0.0.1:8080":         "http://127.0.0.1:8080",
		"https://host/anthropic/":       "https://host/anthropic",
	} {
		if got := normalise(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
