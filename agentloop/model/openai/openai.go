// Package openai is the provider for OpenAI and for every server that speaks its chat completions:
// Ollama, llama.cpp, LM Studio, vLLM, OpenRouter and their like.
package openai

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"net/http"
	"net/url"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/ssestream"
)

// API names the wire format in messages.
const API = "openai-completions"

// Name is the provider's name, and the catalog's, unless Options say otherwise.
const Name = "openai"

const officialURL = "https://api.openai.com/v1"

// Options of New. Zero values are the defaults.
type Options struct {
	Name       string // "openai"
	BaseURL    string // OpenAI's own; "/v1" is added to one without a path
	APIKey     string // none is sent when empty
	HTTPClient *http.Client
	Models     []model.Info // beside the catalog, and before it
}

// Provider speaks chat completions. It keeps no state between calls.
type Provider struct {
	name, baseURL, key string
	official           bool
	models             []model.Info
	client             sdk.Client
}

// New makes a provider. Nothing is read from the environment.
func New(o Options) *Provider {
	p := &Provider{name: o.Name, key: o.APIKey, baseURL: normalise(o.BaseURL), models: o.Models}
	if p.name == "" {
		p.name = Name
	}
	p.official = strings.HasPrefix(p.baseURL, "https://api.openai.com/")
	if o.HTTPClient == nil {
		o.HTTPClient = http.DefaultClient
	}
	// A literal: the SDK's constructor would read OPENAI_* variables.
	p.client = sdk.Client{Options: []option.RequestOption{
		option.WithBaseURL(p.baseURL + "/"),
		option.WithHTTPClient(o.HTTPClient),
		option.WithMaxRetries(0),
	}}
	if p.key != "" {
		p.client.Options = append(p.client.Options, option.WithAPIKey(p.key))
	}
	return p
}

// normalise takes a base URL with or without its last slash and "/v1".
func normalise(base string) string {
	base = strings.TrimRight(strings.TrimSpace(base), "/")
	if base == "" {
		return officialURL
	}
	if u, err := url.Parse(base); err == nil && u.Host != "" && u.Path == "" {
		u.Path = "/v1"
		return u.String()
	}
	return base
}

// Name is the provider's name.
func (p *Provider) Name() string { return p.name }

// Models lists the models of the options.
func (p *Provider) Models() []model.Info { return p.models }

// Describe knows the models of the options and of the catalog.
func (p *Provider) Describe(id string) (model.Info, bool) {
	return model.Known(p.models, p.name, Name, id)
}

// Stream makes one model call.
func (p *Provider) Stream(ctx context.Context, req model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
	origin := model.Origin{Provider: p.name, Model: req.Model, BaseURL: p.baseURL, Secret: p.key}
	params, err := p.params(req)
	if err != nil {
		return nil, origin.Refused(err.Error())
	}
	var res *http.Response
	err = p.client.Post(ctx, "chat/completions", params, &res,
		option.WithHeader("Accept", "text/event-stream"),
		option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			res, err := next(r)
			if err != nil {
				return res, err
			}
			return res, origin.Response(res)
		}))
	if err != nil {
		return nil, origin.Transport(ctx, err)
	}
	defer res.Body.Close()
	return read(ctx, origin, ssestream.NewDecoder(res), emit)
}
