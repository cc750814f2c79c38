// Package permission decides whether a tool call may run: allowed, denied, or a question for the
// person. Pure: it reads no file and runs nothing.
package permission

// Mode is a session's permission mode.
type Mode string

const (
	Ask   Mode = "ask"   // reading is free, edits and commands ask
	Edits Mode = "edits" // edits inside the project are free
	All   Mode = "all"   // everything is free but sensitive paths
)

// Rule allows or denies calls of a tool. Pattern is a glob over the path, or a command's leading
// words ("git status", "go test *").
type Rule struct {
	Tool    string `json:"tool"`
	Pattern string `json:"pattern"`
	Allow   bool   `json:"allow"`
}

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
func Decide(m Mode, rules []Rule, q Question) Decision { panic("contract") }

// ParseMode reads ask, edits or all.
func ParseMode(s string) (Mode, error) { panic("contract") }
