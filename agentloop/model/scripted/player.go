package scripted

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// player streams lines and collects the message that they make.
type player struct {
	ctx    context.Context // of one Stream call, which the player does not outlive
	tools  []model.ToolSpec
	answer *model.Assembler
	last   sessionio.BlockType
	spoke  bool // more than thinking
	called bool
	told   bool // has introduced itself
}

func newPlayer(ctx context.Context, req model.Request, emit func(model.Delta)) *player {
	return &player{ctx: ctx, tools: req.Tools, answer: model.NewAssembler(emit)}
}

func (p *player) play(part part) error {
	for _, l := range part.lines {
		if err := p.line(l); err != nil {
			return err
		}
	}
	if part.closing != "" {
		return p.say(sessionio.BlockText, part.closing)
	}
	return p.ctx.Err()
}

func (p *player) line(l line) error {
	switch l.kind {
	case kindSay:
		return p.say(sessionio.BlockText, l.arg)
	case kindThink:
		return p.say(sessionio.BlockThinking, l.arg)
	case kindAsk:
		if !strings.HasSuffix(l.arg, "?") {
			l.arg += "?"
		}
		return p.say(sessionio.BlockText, l.arg)
	case kindTokens:
		return p.tokens(l.count, l.rate)
	case kindWait:
		return p.pause(l.wait)
	case kindTool:
		return p.call(l)
	case kindUnknown:
		return p.unknown(l.arg)
	case kindFail: // played before, or this would not be reached
	}
	return nil
}

func (p *player) unknown(s string) error {
	const longest = 500
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	if !p.told {
		p.told = true
		if err := p.say(sessionio.BlockText, introduction()+" This is none of them:"); err != nil {
			return err
		}
	}
	return p.say(sessionio.BlockText, "> "+s)
}

// say streams a line of text word by word.
func (p *player) say(t sessionio.BlockType, text string) error {
	p.open(t)
	for _, w := range strings.SplitAfter(text, " ") {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		p.add(w)
	}
	return nil
}

// tokens streams counted words at a rate. Late ones catch up, so that the rate holds on the whole.
func (p *player) tokens(n int, rate float64) error {
	p.open(sessionio.BlockText)
	start := time.Now()
	for i := range n {
		if rate > 0 {
			due := start.Add(time.Duration(float64(i) / rate * float64(time.Second)))
			if err := p.pause(time.Until(due)); err != nil {
				return err
			}
		}
		if err := p.ctx.Err(); err != nil {
			return err
		}
		w := lorem(i)
		if i < n-1 {
			w += " "
		}
		p.add(w)
	}
	return nil
}

func (p *player) pause(d time.Duration) error {
	if d <= 0 {
		return p.ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

func (p *player) call(l line) error {
	if !offers(p.tools, l.tool) {
		return p.say(sessionio.BlockText, fmt.Sprintf("There is no tool %s here.", l.tool))
	}
	id := "call_" + strings.ReplaceAll(uuid.NewString(), "-", "")[:16]
	at := p.answer.Open(sessionio.Block{Type: sessionio.BlockToolCall, ID: id, Name: l.tool})
	p.answer.Add(at, string(l.args))
	p.last, p.called, p.spoke = sessionio.BlockToolCall, true, true
	return p.ctx.Err()
}

// open makes the last block one of a type: a new line in it, or a new block.
func (p *player) open(t sessionio.BlockType) {
	if p.last == t {
		p.add("\n")
		return
	}
	p.answer.Open(sessionio.Block{Type: t})
	p.last, p.spoke = t, p.spoke || t != sessionio.BlockThinking
}

// add streams a piece of the last block.
func (p *player) add(s string) { p.answer.Add(p.answer.Len()-1, s) }
