package main

import (
	"context"
	"dugout/agentloop"
	"dugout/agentloop/host"
	"dugout/agentloop/model"
	"dugout/agentloop/model/anthropic"
	"dugout/agentloop/model/openai"
	"dugout/agentloop/model/scripted"
	"dugout/agentloop/permission"
	"dugout/agentloop/prompt"
	"dugout/agentloop/tool"
	"dugout/cmd/internal/settings"
	"dugout/sessionio"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// The model of new sessions where the settings name none: the first provider that has a key, else
// the script, which needs nothing and says that it is one.
const (
	defaultAnthropic = "anthropic/claude-sonnet-4-5"
	defaultOpenAI    = "openai/gpt-5.1"
	defaultScripted  = "scripted/demo"
)

// providerConf is a provider's settings with the environment's part filled in.
type providerConf struct {
	name, kind, baseURL, key string
}

// providers joins the built-in ones with the settings'. A provider without a key is there all the
// same: its calls fail with a sentence that says which key is missing.
func (e *env) providers(ctx context.Context, s settings.Settings) ([]providerConf, error) {
	confs := map[string]settings.Provider{
		"anthropic": {Type: "anthropic", BaseURL: e.getenv("ANTHROPIC_BASE_URL"), KeyEnv: "ANTHROPIC_API_KEY"},
		"openai":    {Type: "openai", BaseURL: e.getenv("OPENAI_BASE_URL"), KeyEnv: "OPENAI_API_KEY"},
	}
	for name, p := range s.Providers {
		if base, ok := confs[name]; ok { // settings override the built-in ones field by field
			p.Type = or(p.Type, base.Type)
			p.BaseURL, p.KeyEnv = or(p.BaseURL, base.BaseURL), or(p.KeyEnv, base.KeyEnv)
		}
		confs[name] = p
	}
	var out []providerConf
	for _, name := range slices.Sorted(maps.Keys(confs)) {
		p := confs[name]
		if p.Type != "anthropic" && p.Type != "openai" {
			return nil, fmt.Errorf("%s: provider %q has type %q; it must be anthropic or openai (chat completions)", s.At("providers", name), name, p.Type)
		}
		key, err := e.key(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("%s: the keyCommand of provider %q failed: %w", s.At("providers", name, "keyCommand"), name, err)
		}
		out = append(out, providerConf{name: name, kind: p.Type, baseURL: p.BaseURL, key: key})
	}
	return out, nil
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// key reads a provider's key from the environment, else from what its command prints.
func (e *env) key(ctx context.Context, p settings.Provider) (string, error) {
	if p.KeyEnv != "" {
		if k := e.getenv(p.KeyEnv); k != "" {
			return k, nil
		}
	}
	if p.KeyCommand == "" {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "sh", "-c", p.KeyCommand).Output()
	if err != nil { // never the output: it could be the key
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// models builds the registry, and names the default model.
func (e *env) models(ctx context.Context, s settings.Settings) (*model.Registry, sessionio.ModelRef, error) {
	confs, err := e.providers(ctx, s)
	if err != nil {
		return nil, sessionio.ModelRef{}, err
	}
	def := defaultScripted
	list := []model.Provider{scripted.New(scripted.Options{})}
	client := &http.Client{}
	for _, c := range confs {
		switch c.kind {
		case "anthropic":
			list = append(list, anthropic.New(anthropic.Options{Name: c.name, BaseURL: c.baseURL, APIKey: c.key, HTTPClient: client}))
		case "openai":
			list = append(list, openai.New(openai.Options{Name: c.name, BaseURL: c.baseURL, APIKey: c.key, HTTPClient: client}))
		}
		switch {
		case c.name == "anthropic" && c.key != "":
			def = defaultAnthropic
		case c.name == "openai" && c.key != "" && def == defaultScripted:
			def = defaultOpenAI
		}
	}
	var extra []model.Info
	for i, m := range s.Models {
		ref, err := model.ParseRef(m.Ref)
		if err != nil {
			return nil, ref, fmt.Errorf("%s: %w", s.At("models", i, "ref"), err)
		}
		extra = append(extra, model.Info{
			Provider: ref.Provider, ID: ref.Model, Name: or(m.Name, ref.Model), ContextWindow: m.ContextWindow, MaxOutput: m.MaxOutput,
			InputPrice: m.InputPrice, OutputPrice: m.OutputPrice, Thinking: m.Thinking, Images: m.Images,
		})
	}
	ref, err := model.ParseRef(or(s.Model, def))
	if err != nil {
		return nil, ref, fmt.Errorf("%s: %w", s.At("model"), err)
	}
	return model.NewRegistry(list, extra), ref, nil
}

// hostOptions puts the daemon together.
func (e *env) hostOptions(ctx context.Context, log *slog.Logger) (host.Options, error) {
	s, err := e.settings()
	if err != nil {
		return host.Options{}, err
	}
	st, err := e.sessions()
	if err != nil {
		return host.Options{}, err
	}
	models, ref, err := e.models(ctx, s)
	if err != nil {
		return host.Options{}, err
	}
	mode := permission.Ask
	if s.Permission != "" {
		if mode, err = permission.ParseMode(s.Permission); err != nil {
			return host.Options{}, fmt.Errorf("%s: %w", s.At("permission"), err)
		}
	}
	var rules []permission.Rule
	for i, r := range s.Rules {
		rule := permission.Rule(r)
		if err := rule.Check(); err != nil {
			return host.Options{}, fmt.Errorf("%s: %w", s.At("rules", i, "pattern"), err)
		}
		rules = append(rules, rule)
	}
	retry := agentloop.RetryPolicy{Base: time.Duration(s.Retry.Base), Cap: time.Duration(s.Retry.Cap)}
	if m := s.Retry.Max; m != nil {
		retry.Max = *m
		if *m == 0 {
			retry.Max = -1 // the loop's word for none
		}
	}
	toolEnv := e.toolEnv(s)
	rg, _ := exec.LookPath("rg") // without it grep searches by itself
	locks := &tool.Locks{}
	journal := host.NewJournal(e.home)
	return host.Options{
		Home: e.home, Version: version, Store: st, Models: models, DefaultModel: ref,
		Permission: mode, Rules: rules, Retry: retry, Watchdog: time.Duration(s.Watchdog),
		Compaction: agentloop.CompactionSettings{
			Off: s.Compaction.Off, ReserveTokens: s.Compaction.ReserveTokens, KeepRecentTokens: s.Compaction.KeepRecentTokens,
		},
		MaxDepth: s.MaxDepth, IdleExit: time.Duration(s.IdleExit), ToolEnv: toolEnv, Log: log,
		Tools: func(_ string, spawn tool.SpawnFunc) []tool.Tool {
			tools := append(tool.Default(tool.Options{
				Ripgrep: rg, Locks: locks, Started: journal.Started,
				Private: func(path string) bool { return permission.Sensitive(path, e.home) != "" },
			}), tool.NewSpawn(spawn))
			if s.Memory.Tool {
				tools = append(tools, tool.NewMemory(memoryOf(st)))
			}
			return tools
		},
		System: func(cwd string) string {
			return prompt.System(prompt.Options{CWD: cwd, Home: e.home, Now: time.Now()})
		},
	}, nil
}

// toolEnv is the environment of tools: this process's, without the providers' keys.
func (e *env) toolEnv(s settings.Settings) []string {
	secret := map[string]bool{"ANTHROPIC_API_KEY": true, "ANTHROPIC_AUTH_TOKEN": true, "OPENAI_API_KEY": true, "OPENAI_ADMIN_KEY": true}
	for _, p := range s.Providers {
		secret[p.KeyEnv] = true
	}
	var out []string
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); !secret[name] {
			out = append(out, kv)
		}
	}
	return out
}
