package permission

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Rule allows or denies calls of a tool. Tool is a tool's name, a kind (read, edit, exec, spawn:
// all tools of that kind), or "*".
//
// Pattern is a glob over the path: absolute, or relative to the project; "**/x" is x anywhere. For
// commands it is a command's leading words ("git status", "go test *"). "", "*" and "**" match
// everything.
type Rule struct {
	Tool    string `json:"tool"`
	Pattern string `json:"pattern"`
	Allow   bool   `json:"allow"`
}

// String says the rule in words.
func (r Rule) String() string {
	verb := "deny"
	if r.Allow {
		verb = "allow"
	}
	tool, pattern := r.Tool, r.Pattern
	if tool == "" {
		tool = "*"
	}
	if pattern == "" {
		pattern = "*"
	}
	return fmt.Sprintf("%q", verb+" "+tool+": "+pattern)
}

// Check says what is wrong with a rule; Decide lets a faulty allow match nothing, and a faulty deny
// everything of its tool.
func (r Rule) Check() error {
	if !doublestar.ValidatePattern(r.Pattern) {
		return fmt.Errorf("rule for %s: the pattern %q is not a valid glob", r.Tool, r.Pattern)
	}
	return nil
}

func (r Rule) about(q Question) bool {
	return r.Tool == "" || r.Tool == "*" || r.Tool == q.Tool || r.Tool == q.Kind
}

func (r Rule) everything() bool {
	return r.Pattern == "" || r.Pattern == "*" || r.Pattern == "**" || !r.Allow && r.Check() != nil
}

// decisive finds the rule that decides among those that match: the last, but a blanket allow does
// not lift a denial. It returns -1 when none matches.
func decisive(rules []Rule, match func(Rule) bool) int {
	last := -1
	for i, r := range rules {
		if match(r) && (last < 0 || rules[last].Allow || !r.Allow || !r.everything()) {
			last = i
		}
	}
	return last
}

// matchesPath says whether the rule's glob covers an absolute path.
func (r Rule) matchesPath(p, cwd string) bool {
	if r.everything() {
		return true
	}
	pattern := r.Pattern
	if !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "**/") {
		pattern = escapeGlob(path.Clean(cwd)) + "/" + strings.TrimPrefix(pattern, "./")
	}
	if strings.HasPrefix(pattern, "**/") {
		pattern = "/" + pattern
	}
	ok, err := doublestar.Match(pattern, path.Clean(p))
	return err == nil && ok
}

// matchesWords says whether the rule's words lead the command's.
func (r Rule) matchesWords(words []string) bool {
	if r.everything() {
		return true
	}
	want := strings.Fields(r.Pattern)
	if len(want) > 1 && want[len(want)-1] == "*" {
		want = want[:len(want)-1]
	}
	if len(words) < len(want) {
		return false
	}
	for i, w := range want {
		if !wildcard(w, words[i]) {
			return false
		}
	}
	return true
}

// wildcard matches with * for any run of characters.
func wildcard(pattern, s string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == s
	}
	s, ok := strings.CutPrefix(s, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return strings.HasSuffix(s, parts[len(parts)-1])
}

func escapeGlob(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`*?[]{}\!^`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
