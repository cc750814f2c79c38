// Package permission decides whether a tool call may run: allowed, denied, or a question for the
// person. Pure: it reads no file and runs nothing.
//
// A call has subjects: the paths that it touches, or the simple commands of its shell line. For
// each subject the last rule that matches it decides, but a blanket allow ("*") never lifts a denial.
// One denied subject denies the call; only when every subject is allowed do rules allow it. What no
// rule decides, the mode does.
//
// A shell line is parsed. Only a plain list of simple commands with literal words can be allowed by
// a rule; whatever else a shell can do asks. Denials look further than that: into substitutions,
// behind sudo, env and xargs, and into the text of `bash -c`.
package permission

import (
	"fmt"
	"slices"
)

// Mode is a session's permission mode.
type Mode string

const (
	Ask   Mode = "ask"   // reading is free, edits and commands ask
	Edits Mode = "edits" // edits inside the project are free
	All   Mode = "all"   // everything is free but sensitive paths
)

// Kinds of a question.
const (
	kindRead  = "read"
	kindEdit  = "edit"
	kindExec  = "exec"
	kindSpawn = "spawn"
)

// Question is what a call would do.
type Question struct {
	Tool    string
	Kind    string   // read, edit, exec, spawn
	Paths   []string // absolute, links resolved
	Command string
	CWD     string // the project, links resolved
	Home    string // dugout's own home: always sensitive
}

// Verdict is Allowed, Denied or Asks.
type Verdict string

const (
	Allowed Verdict = "allow"
	Denied  Verdict = "deny"
	Asks    Verdict = "ask"
)

// Decision is a verdict with the reason, in words for a person.
type Decision struct {
	Verdict Verdict
	Reason  string
	Rule    *Rule // the rule that "always" would write, when one can be named
}

// Decide applies mode and rules; rules given later win over earlier ones, a deny over an allow.
func Decide(m Mode, rules []Rule, q Question) Decision {
	switch q.Kind {
	case kindRead, kindEdit:
		return decidePaths(m, rules, q)
	case kindExec:
		return decideCommand(m, rules, q)
	case kindSpawn:
		return decideSpawn(m, rules, q)
	}
	return Decision{Verdict: Asks, Reason: fmt.Sprintf("dugout does not know what %s does", q.Tool)}
}

// ParseMode reads ask, edits or all.
func ParseMode(s string) (Mode, error) {
	if m := Mode(s); slices.Contains([]Mode{Ask, Edits, All}, m) {
		return m, nil
	}
	return "", fmt.Errorf("permission mode %q: want ask, edits or all", s)
}

func decideSpawn(m Mode, rules []Rule, q Question) Decision {
	var last *Rule
	if i := decisive(rules, func(r Rule) bool { return r.about(q) && r.everything() }); i >= 0 {
		last = &rules[i]
	}
	switch {
	case last != nil && !last.Allow:
		return denied(*last)
	case last != nil:
		return allowedBy(*last)
	case m == All:
		return Decision{Verdict: Allowed, Reason: "mode all"}
	}
	return Decision{
		Verdict: Asks, Reason: "starts another session",
		Rule: &Rule{Tool: q.Tool, Pattern: "*", Allow: true},
	}
}

func denied(r Rule) Decision {
	return Decision{Verdict: Denied, Reason: "denied by the rule " + r.String()}
}

func allowedBy(r Rule) Decision {
	return Decision{Verdict: Allowed, Reason: "allowed by the rule " + r.String()}
}
