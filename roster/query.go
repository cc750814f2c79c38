package roster

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// Query is a parsed search line. Every part must match:
//
//	word            part of title, recap, folder, branch, model or id; else letters in order, close together
//	"exact phrase"  blanks folded, case ignored, also in what was first asked
//	re:pattern      the rest of the line, a case-insensitive regular expression (RE2)
//	is:running idle inactive archived live finished, needing (you): waiting asking failed
//	has:error queue children name
//	cwd:part model:part branch:part named:part (named: alone: any name)
type Query struct {
	words   []string
	phrases []string
	re      *regexp.Regexp
	filters []filter
	never   bool
}

type filter struct{ key, value string }

// Empty says that the query matches everything.
func (q Query) Empty() bool {
	return len(q.words) == 0 && len(q.phrases) == 0 && q.re == nil && len(q.filters) == 0 && !q.never
}

var filterValues = map[string][]string{
	"is":  {"running", "idle", "inactive", "archived", "needing", "waiting", "asking", "failed", "finished", "live"},
	"has": {"error", "queue", "children", "name"},
}

// ParseQuery reads a search line. What can't be read is an error for the person, and a query that
// matches nothing; a filter whose value is still being typed matches by its beginning.
func ParseQuery(s string) (Query, error) {
	s = strings.TrimSpace(s)
	if rest, ok := strings.CutPrefix(s, "re:"); ok {
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return Query{never: true}, fmt.Errorf("re: needs a pattern")
		}
		re, err := regexp.Compile("(?im)" + rest)
		if err != nil {
			return Query{never: true}, fmt.Errorf("re: %s", strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		}
		return Query{re: re}, nil
	}
	var q Query
	tokens, quoted := split(s)
	for i, t := range tokens {
		if quoted[i] {
			q.phrases = append(q.phrases, fold(t))
			continue
		}
		key, value, ok := strings.Cut(t, ":")
		if !ok {
			q.words = append(q.words, fold(t))
			continue
		}
		f, err := newFilter(strings.ToLower(key), value)
		if err != nil {
			return Query{never: true}, err
		}
		if f == nil { // a word that holds a colon
			q.words = append(q.words, fold(t))
			continue
		}
		q.filters = append(q.filters, *f)
	}
	return q, nil
}

func newFilter(key, value string) (*filter, error) {
	switch key {
	case "is", "has":
		v := strings.ToLower(value)
		for _, known := range filterValues[key] {
			if strings.HasPrefix(known, v) {
				return &filter{key, v}, nil
			}
		}
		return nil, fmt.Errorf("%s:%s is not known; one of %s", key, value, strings.Join(filterValues[key], " "))
	case "cwd":
		return &filter{key, filepath.ToSlash(value)}, nil
	case "model", "branch", "named":
		return &filter{key, fold(value)}, nil
	default:
		return nil, nil
	}
}

// split cuts a line at blanks; double quotes hold a phrase together, the last one as it is typed.
func split(s string) (tokens []string, quoted []bool) {
	for i, part := range strings.Split(s, `"`) {
		if i%2 == 1 {
			if strings.TrimSpace(part) != "" {
				tokens, quoted = append(tokens, part), append(quoted, true)
			}
			continue
		}
		for _, t := range strings.Fields(part) {
			tokens, quoted = append(tokens, t), append(quoted, false)
		}
	}
	return tokens, quoted
}

// fold makes text comparable: lower case, runs of blanks as one.
func fold(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
