package agentloop

import (
	"context"
	"crypto/rand"
	"dugout/agentloop/permission"
	"dugout/agentloop/tool"
	"slices"
)

// openAsk is a question that waits for an answer.
type openAsk struct {
	PermissionAsk
	question permission.Question
	answer   chan Answer // of one: whoever takes the question off the list fills it
}

// permit decides whether a call may run, asking where the mode says so. It returns "" or why not;
// the error is that of the turn, stopped while the question was open.
func (a *Agent) permit(ctx context.Context, r *toolRun) (denial string, err error) {
	q := permission.Question{
		Tool: r.call.Name, Kind: string(r.effect.Kind), Paths: r.effect.Paths, Command: r.effect.Command,
		CWD: tool.RealPath(a.o.CWD), Home: a.o.Home,
	}
	a.mu.Lock()
	d := permission.Decide(a.mode, a.rules, q)
	if d.Verdict != permission.Asks || a.o.Headless {
		a.mu.Unlock()
		switch d.Verdict {
		case permission.Allowed:
			return "", nil
		case permission.Asks:
			return "permission is needed (" + d.Reason + ") and nobody is there to answer", nil
		default:
			return "denied: " + d.Reason, nil
		}
	}
	ask := &openAsk{
		PermissionAsk: PermissionAsk{
			ID: rand.Text()[:10], CallID: r.call.ID, Tool: r.call.Name, Effect: r.effect,
			Reason: d.Reason, Rule: ruleText(d.Rule), Asked: a.o.Now(),
		},
		question: q, answer: make(chan Answer, 1),
	}
	a.asks = append(a.asks, ask)
	shown := ask.PermissionAsk
	a.out.put(Event{Permission: &shown})
	a.updateLocked(func(st *State) { st.Activity, st.Tool = Waiting, r.call.Name })
	a.mu.Unlock()
	a.out.flush()

	select {
	case ans := <-ask.answer:
		return denialOf(ans), nil
	case <-ctx.Done():
		if a.withdraw(ask) {
			return "", ctx.Err()
		}
		return denialOf(<-ask.answer), nil // the answer was quicker
	}
}

func denialOf(ans Answer) string {
	switch {
	case ans.Allow:
		return ""
	case ans.Reason != "":
		return "denied by the user: " + ans.Reason
	}
	return "denied by the user"
}

func ruleText(r *permission.Rule) string {
	switch {
	case r == nil:
		return ""
	case r.Pattern == "":
		return r.Tool
	}
	return r.Tool + " " + r.Pattern
}

// Answer answers an open permission question; false when it is not open (any more).
func (a *Agent) Answer(id string, ans Answer) bool {
	defer a.out.flush()
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.asks, func(q *openAsk) bool { return q.ID == id })
	if i < 0 {
		return false
	}
	ask := a.asks[i]
	if ans.Allow && ans.Always {
		// decided again rather than remembered: the mode may have changed since
		if d := permission.Decide(a.mode, a.rules, ask.question); d.Rule != nil {
			rule := *d.Rule
			rule.Allow = true
			a.rules = append(a.rules, rule)
		}
	}
	a.closeAskLocked(ask, ans)
	a.allowOpenLocked(ans.By)
	return true
}

// allowOpenLocked answers the open questions that need no asking any more.
func (a *Agent) allowOpenLocked(by string) {
	for _, ask := range slices.Clone(a.asks) {
		if permission.Decide(a.mode, a.rules, ask.question).Verdict == permission.Allowed {
			a.closeAskLocked(ask, Answer{Allow: true, By: by})
		}
	}
}

func (a *Agent) closeAskLocked(ask *openAsk, ans Answer) {
	a.asks = slices.DeleteFunc(a.asks, func(q *openAsk) bool { return q == ask })
	ask.answer <- ans
	a.out.put(Event{Answered: &PermissionReply{ID: ask.ID, Answer: ans}})
	a.updateLocked(func(st *State) { st.Activity = a.busyWithToolsLocked() })
}

// withdraw takes a question back; false when it has been answered.
func (a *Agent) withdraw(ask *openAsk) bool {
	defer a.out.flush()
	a.mu.Lock()
	defer a.mu.Unlock()
	if !slices.Contains(a.asks, ask) {
		return false
	}
	a.asks = slices.DeleteFunc(a.asks, func(q *openAsk) bool { return q == ask })
	a.out.put(Event{Answered: &PermissionReply{ID: ask.ID, Withdrawn: true}})
	return true
}

// busyWithToolsLocked is the activity while tools are at work: an open question comes first.
func (a *Agent) busyWithToolsLocked() Activity {
	if len(a.asks) > 0 {
		return Waiting
	}
	return RunsTool
}

// Pending lists the open permission questions, oldest first.
func (a *Agent) Pending() []PermissionAsk {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := make([]PermissionAsk, len(a.asks))
	for i, q := range a.asks {
		list[i] = q.PermissionAsk
	}
	return list
}

// SetPermission changes the mode; open questions that it would allow are allowed.
func (a *Agent) SetPermission(m permission.Mode) error {
	if _, err := permission.ParseMode(string(m)); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.out.flush()
	defer a.mu.Unlock()
	a.mode = m
	a.updateLocked(func(st *State) { st.Permission = string(m) })
	a.allowOpenLocked("")
	return nil
}
