package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/views/sanitize"
	"dugout/views/tui/cells"
	"dugout/views/tui/theme"
	"fmt"
	"strings"
	"time"
)

// stateWords are what a session does, for a person.
var stateWords = map[protocol.State]string{
	protocol.StateStreaming: "answering", protocol.StateTool: "running a tool", protocol.StateCompacting: "compacting",
	protocol.StateRetrying: "waiting to try again", protocol.StateWaiting: "waits for you", protocol.StateQueued: "messages wait for your next",
	protocol.StateIdle: "idle",
}

// status is the line that says what the session does and under what terms.
func (s *Screen) status(w int) string {
	th := &s.o.Theme
	sum := &s.tr.Summary
	parts := []string{s.stateWord()}
	add := func(text string) {
		if text != "" {
			parts = append(parts, th.Muted.Render(text))
		}
	}
	if sum.Model != "" {
		model := sanitize.Line(sum.Model, 100)
		if sum.Scripted {
			model += " (scripted, not an AI)"
		}
		add(model)
	}
	if sum.Mode != "" {
		add("permission " + sanitize.Line(sum.Mode, 20))
	}
	if sum.ContextWindow > 0 && sum.ContextTokens > 0 {
		add(fmt.Sprintf("%d%% of %s", 100*sum.ContextTokens/sum.ContextWindow, count(sum.ContextWindow)))
	}
	if sum.CostUSD > 0 {
		add(fmt.Sprintf("$%.2f", sum.CostUSD))
	}
	if sum.Clients > 1 {
		add(fmt.Sprintf("%d attached", sum.Clients))
	}
	return cells.Cut(strings.Join(parts, th.Faint.Render(" · ")), w)
}

func (s *Screen) stateWord() string {
	th := &s.o.Theme
	switch s.link.state {
	case connecting:
		return th.Muted.Render("connecting…")
	case lost:
		word := "connection lost"
		if s.link.tries > 2 && s.link.problem != "" { // it is more than a hiccup: say why
			word = sanitize.Line(s.link.problem, 400)
		}
		return th.Waiting.Render(theme.GlyphRetry + " " + word + ", trying again")
	case failed:
		return th.Bad.Render(theme.GlyphFailed + " not opened")
	case ended:
		return th.Muted.Render(theme.GlyphSaved + " " + endWord(s.tr.Closed))
	}
	state := s.tr.Summary.State
	word := stateWords[state]
	if word == "" {
		word = "unknown"
	}
	if s.aborting {
		word = "stopping"
	}
	switch {
	case state == protocol.StateWaiting:
		return th.Waiting.Render(theme.GlyphPermission + " " + word)
	case s.tr.Busy():
		if d := s.now.Sub(s.started); !s.started.IsZero() && d >= 2*time.Second {
			word += " " + d.Truncate(time.Second).String()
		}
		return th.Running.Render(theme.Pulse(s.frame) + " " + word)
	}
	return th.Muted.Render(theme.GlyphIdle + " " + word)
}

func endWord(reason string) string {
	switch reason {
	case "deleted":
		return "deleted"
	case "archived":
		return "archived; a message opens it again"
	case "shutdown":
		return "the daemon stopped; a message starts it again"
	}
	return "stopped; a message opens it again"
}

// retryWord says what is waited for, from the screen's own clock.
func (s *Screen) retryWord() string {
	r := s.tr.Retry
	if r == nil {
		return ""
	}
	text := fmt.Sprintf("%s: try %d of %d", sanitize.Line(r.Reason, 300), r.Attempt, r.Max)
	if d := r.Until.Sub(s.now); d > 0 && !s.now.IsZero() {
		text += " in " + d.Round(time.Second).String()
	}
	return text
}
