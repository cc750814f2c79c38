// Package anthropic is the provider for Anthropic's Messages, and for every server that speaks them.
package anthropic

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"net/http"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"
	"github.com/anthropics/anthropic-sdk-go/v2/packages/ssestream"
)

// API names the wire format in messages.
const API = "anthropic-messages"

// Name is the provider's name, and the catalog's, unless Options say otherwise.
const Name = "anthropic"

const officialURL = "https://api.anthropic.com"

// bindingBeta lets a request say what becomes of thinking that no longer fits its place.
const bindingBeta = "thinking-binding-controls-2026-08-01"

// Options of New. Zero values are the defaults.
type Options struct {
	Name       string // "anthropic"
	BaseURL    string // Anthropic's own; with or without "/v1"
	APIKey     string // none is sent when empty
	HTTPClient *http.Client
	Models     []model.Info // beside the catalog, and before it
}

// Provider speaks Messages. It keeps no state between calls.
type Provider struct {
	name, baseURL, key string
	models             []model.Info
	client             sdk.Client
}

// New makes a provider. Nothing is read from the environment.
func New(o Options) *Provider {
	p := &Provider{name: o.Name, key: o.APIKey, baseURL: normalise(o.BaseURL), models: o.Models}
	if p.name == "" {
		p.name = Name
	}
	if o.HTTPClient == nil {
		o.HTTPClient = http.DefaultClient
	}
	// A literal: the SDK's constructor would read ANTHROPIC_* variables and profiles.
	p.client = sdk.Client{Options: []option.RequestOption{
		option.WithBaseURL(p.baseURL + "/"),
		option.WithHTTPClient(o.HTTPClient),
		option.WithMaxRetries(0),
		option.WithoutOpenTelemetry(),
	}}
	if p.key != "" {
		p.client.Options = append(p.client.Options, option.WithAPIKey(p.key))
		if p.baseURL != officialURL { // other servers know the older header
			p.client.Options = append(p.client.Options, option.WithHeader("X-Api-Key", p.key))
		}
	}
	return p
}

// normalise takes a base URL with or without its last slash and "/v1", which the calls bring along.
func normalise(base string) string {
	base = strings.TrimRight(strings.TrimSpace(base), "/")
	base = strings.TrimRight(strings.TrimSuffix(base, "/v1"), "/")
	if base == "" {
		return officialURL
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
	info, known := p.Describe(req.Model)
	options := []option.RequestOption{
		option.WithJSONSet("stream", true),
		option.WithHeader("Accept", "text/event-stream"),
		option.WithMiddleware(func(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
			res, err := next(r)
			if err != nil {
				return res, err
			}
			return res, origin.Response(res)
		}),
	}
	body := sdk.MessageNewParams{
		Model:     req.Model,
		MaxTokens: maxTokens(req, info),
		Messages:  p.convert(req, info.Images || !known),
		Tools:     tools(req.Tools),
	}
	if req.System != "" {
		body.System = []sdk.TextBlockParam{{Text: req.System, CacheControl: sdk.NewCacheControlEphemeralParam()}}
	}
	if info.Thinking || generation(req.Model) > 0 {
		if think(&body, req) {
			options = append(options, option.WithHeader("Anthropic-Beta", bindingBeta),
				option.WithJSONSet("thinking.block_binding.prefix_mismatch_behavior", "drop_block"))
		}
	}
	var res *http.Response
	if err := p.client.Post(ctx, "v1/messages", body, &res, options...); err != nil {
		return nil, origin.Transport(ctx, err)
	}
	defer res.Body.Close()
	return read(ctx, origin, ssestream.NewDecoder(res), emit)
}

func maxTokens(req model.Request, info model.Info) int64 {
	if req.MaxTokens > 0 {
		return int64(min(req.MaxTokens, info.MaxOutput))
	}
	return int64(info.MaxOutput)
}
