package compaction

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	_ "embed"
	"errors"
	"strings"
)

// What the model is asked, in files of their own.
var (
	//go:embed prompts/system.md
	systemPrompt string
	//go:embed prompts/history.md
	historyPrompt string
	//go:embed prompts/update.md
	updatePrompt string
	//go:embed prompts/prefix.md
	prefixPrompt string
	//go:embed prompts/branch.md
	branchPrompt string
)

// Call makes one model call; retries and the watchdog are the caller's.
type Call func(ctx context.Context, req model.Request) (*sessionio.Message, error)

// Summarizer has summaries made by a model. A scripted one is not asked: its summary is made here,
// by rule, and says so.
type Summarizer struct {
	Call          Call
	Info          model.Info
	ThinkingLevel string
	Limits        Limits
}

// Compaction summarises a plan and makes the entry for it; focus is the person's wish, or "".
func (s Summarizer) Compaction(ctx context.Context, p Plan, focus string) (sessionio.Entry, error) {
	text, err := s.summary(ctx, p, focus)
	if err != nil {
		return sessionio.Entry{}, err
	}
	files := p.Files.tidy()
	return sessionio.Entry{
		Type: sessionio.TypeCompaction, Summary: text + files.text(), FirstKeptEntryID: p.FirstKept,
		TokensBefore: p.TokensBefore, Details: files.details(), FromHook: new(bool), CustomInstructions: focus,
	}, nil
}

func (s Summarizer) summary(ctx context.Context, p Plan, focus string) (string, error) {
	if s.Info.Scripted {
		return extract(p, focus), nil
	}
	limits := s.Limits.Fit()
	text := p.Previous
	if len(p.History) > 0 {
		instructions := historyPrompt
		if p.Previous != "" {
			instructions = updatePrompt
		}
		var err error
		text, err = s.ask(ctx, question{p.Previous, transcript(p.History, true), instructions, focus}, limits.Reserve*8/10)
		if err != nil {
			return "", err
		}
	}
	if len(p.Prefix) == 0 {
		return text, nil
	}
	prefix, err := s.ask(ctx, question{"", transcript(p.Prefix, true), prefixPrompt, focus}, limits.Reserve/2)
	if err != nil {
		return "", err
	}
	if text == "" {
		text = "Nothing came before this turn."
	}
	return text + "\n\n---\n\n**The turn under way (its beginning):**\n\n" + prefix, nil
}

// question is one request for a summary.
type question struct{ previous, record, instructions, focus string }

func (s Summarizer) ask(ctx context.Context, q question, most int) (string, error) {
	var b strings.Builder
	b.WriteString("<conversation>\n" + end(q.record, s.room()) + "\n</conversation>\n\n")
	if q.previous != "" {
		b.WriteString("<previous-summary>\n" + q.previous + "\n</previous-summary>\n\n")
	}
	b.WriteString(strings.TrimSpace(q.instructions))
	if q.focus != "" {
		b.WriteString("\n\nThe person adds, and this goes first where it differs:\n<user-instructions>\n" +
			q.focus + "\n</user-instructions>")
	}
	req := model.Request{
		Model: s.Info.ID, System: strings.TrimSpace(systemPrompt), MaxTokens: most,
		Messages: []sessionio.Message{{
			Role: sessionio.RoleUser, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: b.String()}},
		}},
	}
	if s.Info.MaxOutput > 0 {
		req.MaxTokens = min(most, s.Info.MaxOutput)
	}
	if s.Info.Thinking {
		req.ThinkingLevel = s.ThinkingLevel
	}
	msg, err := s.Call(ctx, req)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(textOf(*msg))
	if text == "" {
		return "", errors.New("the model's summary is empty")
	}
	return text, nil
}

// room is how many bytes of the record one request takes, with half of the window for the rest: the
// record may be that of a context that did not fit any more.
func (s Summarizer) room() int {
	window := s.Limits.Window
	if window <= 0 {
		window = 128_000
	}
	return window / 2 * unitsPerToken
}
