package permission

import (
	"fmt"
	"path"
	"strings"
)

func decideCommand(m Mode, rules []Rule, q Question) Decision {
	s := parseShell(q.Command)
	var own []Rule
	denies := false
	for _, r := range rules {
		if r.about(q) {
			own = append(own, r)
			denies = denies || !r.Allow
		}
	}
	if r := deniedBy(own, s); r != nil {
		return denied(*r)
	}
	if d := sensitiveCommand(own, s, q); d != nil {
		return *d
	}
	if len(own) > 0 {
		if r := &own[len(own)-1]; r.Allow && r.everything() {
			return allowedBy(*r)
		}
	}
	switch {
	case m == All && denies && s.hides != "":
		return Decision{Verdict: Asks, Reason: s.hides + ", so a denied command may be in it"}
	case m == All:
		return Decision{Verdict: Allowed, Reason: "mode all"}
	case s.special != "":
		return Decision{Verdict: Asks, Reason: s.special}
	}
	var by *Rule
	for _, c := range s.commands {
		if by = c.lastRule(own); by == nil {
			return Decision{Verdict: Asks, Reason: "runs " + strings.Join(c.texts(), " "), Rule: suggest(s, q.Tool)}
		}
	}
	return allowedBy(*by)
}

// lastRule finds the rule that decides a command.
func (c command) lastRule(rules []Rule) *Rule {
	words := c.texts()
	i := decisive(rules, func(r Rule) bool { return r.matchesWords(words) })
	if i < 0 {
		return nil
	}
	return &rules[i]
}

// deniedBy finds a denial of any command that the line runs, also behind another program. An allow
// that is given later and is more than a blanket lifts it.
func deniedBy(rules []Rule, s script) *Rule {
	for _, c := range s.found {
		words := c.texts()
		own := decisive(rules, func(r Rule) bool { return r.matchesWords(words) })
		if own >= 0 && !rules[own].Allow {
			return &rules[own]
		}
		if own >= 0 && rules[own].everything() {
			own = -1
		}
		for _, tail := range c.behind() {
			for i := len(rules) - 1; i > own; i-- {
				if !rules[i].Allow && rules[i].matchesWords(tail) {
					return &rules[i]
				}
			}
		}
	}
	return nil
}

// sensitiveCommand asks when a word of the line names a sensitive path, unless a rule that names it
// too allows the command.
func sensitiveCommand(rules []Rule, s script, q Question) *Decision {
	ask := func(what, why string) *Decision {
		return &Decision{Verdict: Asks, Reason: fmt.Sprintf("%s is sensitive: %s", what, why)}
	}
	for _, p := range q.Paths {
		if why := Sensitive(p, q.Home); why != "" && !inside(p, q.CWD) {
			return ask(p, why)
		}
	}
	for _, c := range s.found {
		what, why := c.sensitive(q)
		if why == "" {
			continue
		}
		if r := c.lastRule(rules); s.special == "" && r != nil && r.Allow && namesWord(*r, q) {
			continue
		}
		return ask(what, why)
	}
	for _, t := range s.targets {
		if why := sensitiveWord(kindExec, t, q); why != "" {
			return ask(t, why)
		}
	}
	return nil
}

// namesWord says whether one of the rule's words is itself sensitive.
func namesWord(r Rule, q Question) bool {
	for _, w := range strings.Fields(r.Pattern) {
		if sensitiveWord(kindExec, w, q) != "" {
			return true
		}
	}
	return false
}

func (c command) sensitive(q Question) (what, why string) {
	code := runsCode[c.name()]
	kind := kindExec
	if onlyReads[c.name()] {
		kind = kindRead
	}
	for _, w := range c.words {
		// A word with blanks is prose (a commit message) unless a program reads it as code.
		if strings.ContainsAny(w.text, " \n\t") && !code {
			continue
		}
		if why := sensitiveWord(kind, w.text, q); why != "" {
			return strings.ReplaceAll(w.text, unknown, "…"), why
		}
	}
	if code {
		for _, doc := range c.stdin {
			if why := sensitiveWord(kind, doc, q); why != "" {
				return "the text given to " + c.name(), why
			}
		}
	}
	return "", ""
}

// sensitiveWord looks for a sensitive path anywhere in a word: --file=.env, @.env, HEAD:.env.
func sensitiveWord(kind, w string, q Question) string {
	tokens := strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune(" \t\r\n=@:,;'\"`()<>|&{}[]", r) })
	for _, t := range tokens {
		if t == "" || t == "." || strings.HasPrefix(t, "-") {
			continue
		}
		if !path.IsAbs(t) {
			t = path.Join("/"+strings.TrimPrefix(q.CWD, "/"), t)
		}
		if why := sensitiveFor(kind, t, q.Home); why != "" {
			return why
		}
	}
	return ""
}

// suggest names the rule that "always" would write: the leading words of a single simple command,
// none where those would allow far more than what was asked.
func suggest(s script, tool string) *Rule {
	if len(s.commands) != 1 {
		return nil
	}
	words := s.commands[0].texts()
	name := s.commands[0].name()
	rule := func(words ...string) *Rule {
		for _, w := range words {
			if w == "" || strings.ContainsAny(w, "* \t\n") {
				return nil
			}
		}
		return &Rule{Tool: tool, Pattern: strings.Join(words, " "), Allow: true}
	}
	switch {
	case destroys[name]:
		return nil
	case len(words) == 1:
		if runsCode[name] {
			return nil
		}
		return rule(words[0])
	case !strings.HasPrefix(words[1], "-"):
		return rule(words[0], words[1])
	case runsCode[name] || hasSubcommands[name]:
		return nil
	}
	return rule(words[0])
}
