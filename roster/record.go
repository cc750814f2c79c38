// Package roster is what is true of every session: live summaries from the daemon and saved info
// from the files, merged into records, classified, sorted, searched. Pure: no files, no network, no
// goroutine, no clock.
package roster

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"path/filepath"
	"strings"
	"time"
)

// Section is where a record stands on the screen.
type Section string

const (
	Running  Section = "running"  // busy in any way
	Idle     Section = "idle"     // live, not busy
	Inactive Section = "inactive" // no live part
)

// Sections lists the sections in the order of the screen.
func Sections() []Section { return []Section{Running, Idle, Inactive} }

// Record is one session: a live summary, saved info, or both. Values; never mutated in place.
type Record struct {
	Key     Key
	Aliases []Key // all keys that this record has been known by, Key among them
	Live    *protocol.Summary
	Saved   *sessionio.Info

	Section   Section
	Attention protocol.Attention
	State     protocol.State
	SectionAt time.Time // entered the section; for an inactive record its last activity
	Depth     int       // 0 for a root session, 1 for its child, as recorded

	corpus corpus
}

// ID is the session's id.
func (r Record) ID() sessionio.ID {
	if r.Live != nil {
		return r.Live.ID
	}
	return r.Saved.ID
}

// Path is the session file, which need not exist yet.
func (r Record) Path() string {
	if r.Live != nil && r.Live.Path != "" {
		return r.Live.Path
	}
	if r.Saved != nil {
		return r.Saved.Path
	}
	return ""
}

// CWD is the session's working folder, "" when unknown.
func (r Record) CWD() string {
	return r.pick(func(l *protocol.Summary) string { return l.CWD }, func(s *sessionio.Info) string { return s.CWD })
}

// Name is the name a person gave, "" without one. The live side knows the last one.
func (r Record) Name() string {
	if r.Live != nil {
		return r.Live.Name
	}
	return r.Saved.Name
}

// FirstMessage is the first question.
func (r Record) FirstMessage() string {
	return r.pick(func(l *protocol.Summary) string { return l.FirstMessage }, func(s *sessionio.Info) string { return s.FirstMessage })
}

// Title is the name, else the first question, else the folder's last part, else the id. Raw.
func (r Record) Title() string {
	for _, t := range []string{r.Name(), r.FirstMessage()} {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	if cwd := r.CWD(); cwd != "" {
		return filepath.Base(cwd)
	}
	return string(r.ID())
}

// Recap is the agent's last recap.
func (r Record) Recap() string {
	return r.pick(func(l *protocol.Summary) string { return l.Recap }, func(s *sessionio.Info) string {
		if s.Status == nil {
			return ""
		}
		return s.Status.Summary
	})
}

// Verdict is what became of the last settled turn. A saved one that is older than the file's last
// message is no verdict any more.
func (r Record) Verdict() sessionio.Verdict {
	if r.Live != nil {
		return r.Live.Verdict
	}
	if s := r.Saved.Status; s != nil && s.BasedOnMessageCount >= r.Saved.MessageCount {
		return s.TaskState
	}
	return ""
}

// Model is provider/model.
func (r Record) Model() string {
	return r.pick(func(l *protocol.Summary) string { return l.Model }, func(s *sessionio.Info) string { return s.Model })
}

// Branch is the git branch.
func (r Record) Branch() string {
	return r.pick(func(l *protocol.Summary) string { return l.GitBranch }, func(s *sessionio.Info) string { return s.GitBranch })
}

// Errors is the number of records in the errors trail.
func (r Record) Errors() int {
	return number(r, func(l *protocol.Summary) int { return l.Errors }, func(s *sessionio.Info) int { return s.Errors })
}

// MessageCount counts the messages of all roles.
func (r Record) MessageCount() int {
	return number(r, func(l *protocol.Summary) int { return l.MessageCount }, func(s *sessionio.Info) int { return s.MessageCount })
}

// UserMessages counts the questions.
func (r Record) UserMessages() int {
	return number(r, func(l *protocol.Summary) int { return l.UserMessages }, func(s *sessionio.Info) int { return s.UserMessages })
}

// Tokens is the total of all model calls.
func (r Record) Tokens() int {
	return number(r, func(l *protocol.Summary) int { return l.Tokens }, func(s *sessionio.Info) int { return s.Tokens })
}

// CostUSD is what the model calls cost.
func (r Record) CostUSD() float64 {
	return number(r, func(l *protocol.Summary) float64 { return l.CostUSD }, func(s *sessionio.Info) float64 { return s.CostUSD })
}

// Modified is the last message's time.
func (r Record) Modified() time.Time {
	if r.Live != nil && !r.Live.Modified.IsZero() {
		return r.Live.Modified
	}
	if r.Saved != nil {
		return r.Saved.Modified
	}
	return r.Created()
}

// Created is the session's begin.
func (r Record) Created() time.Time {
	if r.Live != nil && !r.Live.Created.IsZero() {
		return r.Live.Created
	}
	if r.Saved != nil {
		return r.Saved.Created
	}
	return time.Time{}
}

// ReadOnly says that the session lies in a store that is not ours to write.
func (r Record) ReadOnly() bool { return r.Saved != nil && r.Saved.ReadOnly }

// Interrupted says that the saved session ends in the middle of a turn and nothing runs.
func (r Record) Interrupted() bool { return r.Live == nil && r.Saved.Interrupted }

// Asked says that the session holds something a person would look for: a question or a name.
func (r Record) Asked() bool {
	return r.Live != nil || r.Saved.UserMessages > 0 || strings.TrimSpace(r.Saved.Name) != ""
}

// pick takes the live side's text, or the saved one's where the live side has none.
func (r Record) pick(live func(*protocol.Summary) string, saved func(*sessionio.Info) string) string {
	if r.Live != nil {
		if s := live(r.Live); s != "" {
			return s
		}
	}
	if r.Saved != nil {
		return saved(r.Saved)
	}
	return ""
}

// number takes the live side's figure, or the saved one's where that is larger: a daemon that has
// just opened a session may not have counted yet.
func number[T int | float64](r Record, live func(*protocol.Summary) T, saved func(*sessionio.Info) T) T {
	var n T
	if r.Live != nil {
		n = live(r.Live)
	}
	if r.Saved != nil {
		n = max(n, saved(r.Saved))
	}
	return n
}
