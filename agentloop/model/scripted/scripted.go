// Package scripted is a model provider without a model: it does what the lines of the newest user
// message ask for, with real tools, and says that it is a script. It serves the demo, tests and load.
package scripted

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"time"
)

// Name of the provider.
const Name = "scripted"

const window = 100_000

// Options of New. Zero values are the defaults.
type Options struct {
	Now func() time.Time // time.Now
}

// Provider plays scripts. Beside the messages of a request it knows which `fail:` lines it has
// played, so that a retry goes on; that memory is bounded.
type Provider struct {
	now   func() time.Time
	fails *failures
}

// New makes a provider.
func New(o Options) *Provider {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Provider{now: o.Now, fails: newFailures()}
}

// Name is "scripted".
func (p *Provider) Name() string { return Name }

// Models lists the one model that is offered; any id plays the same.
func (p *Provider) Models() []model.Info {
	m, _ := p.Describe("demo")
	return []model.Info{m}
}

// Describe knows every id.
func (p *Provider) Describe(id string) (model.Info, bool) {
	return model.Info{
		Provider: Name, ID: id, Name: id + " (a script, not an AI)",
		ContextWindow: window, MaxOutput: window, Scripted: true,
	}, true
}

// Stream plays the next part of the script: everything up to and including the next run of tool
// lines, or the rest with a closing sentence.
func (p *Provider) Stream(ctx context.Context, req model.Request, emit func(model.Delta)) (*sessionio.Message, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	pl := newPlayer(ctx, req, emit)
	part := plan(req)
	fault, before, failed := p.nextFault(part)
	if failed {
		if !fault.midStream() {
			return nil, fault.err(req.Model)
		}
		part.lines, part.closing = part.lines[:before], "" // said, then the stream breaks
	}
	err := pl.play(part)
	switch {
	case err == nil && failed:
		err = fault.breakStream(ctx, req.Model)
	case err == nil && !pl.spoke:
		err = pl.say(sessionio.BlockText, "The script is done.")
	}
	if err != nil {
		return p.finish(pl, req, sessionio.StopError), err
	}
	if pl.called {
		return p.finish(pl, req, sessionio.StopToolUse), nil
	}
	return p.finish(pl, req, sessionio.StopEnd), nil
}

// nextFault finds the first `fail:` line of a part that was not played yet.
func (p *Provider) nextFault(part part) (f fault, at int, ok bool) {
	for i, l := range part.lines {
		if l.kind == kindFail && p.fails.claim(part.key(l)) {
			return fault{l.arg}, i, true
		}
	}
	return fault{}, 0, false
}

func (p *Provider) finish(pl *player, req model.Request, stop sessionio.StopReason) *sessionio.Message {
	blocks := pl.answer.Blocks()
	if stop == sessionio.StopError && len(blocks) == 0 {
		return nil
	}
	in, out := countRequest(req), countBlocks(blocks)
	return &sessionio.Message{
		Role: sessionio.RoleAssistant, Content: blocks, Timestamp: p.now().UnixMilli(),
		API: Name, Provider: Name, Model: req.Model, StopReason: stop,
		Usage: &sessionio.Usage{Input: in, Output: out, TotalTokens: in + out},
	}
}
