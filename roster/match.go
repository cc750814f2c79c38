package roster

import (
	"dugout/daemonclient/protocol"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sahilm/fuzzy"
)

// corpus is a record's text, folded once for all searches.
type corpus struct {
	title string   // for sorting by name, too
	short []string // the fields that a word is looked for in
	long  string   // all at hand at hand, for phrases and patterns
}

const maxCorpusText = 4096 // bytes of one field that a search looks at

func newCorpus(r *Record) corpus {
	clip := func(s string) string { return s[:min(len(s), maxCorpusText)] }
	c := corpus{title: fold(clip(r.Title()))}
	fields := []string{c.title, fold(clip(r.Recap())), fold(r.CWD()), fold(r.Branch()), fold(r.Model()), fold(string(r.ID()))}
	for _, f := range fields {
		if f != "" {
			c.short = append(c.short, f)
		}
	}
	if r.Live != nil { // the words that its row shows
		c.short = append(c.short, string(r.State))
		if r.Attention != protocol.AttentionNone {
			c.short = append(c.short, string(r.Attention))
		}
	}
	c.long = strings.Join([]string{
		strings.Join(c.short, "\n"), fold(clip(r.FirstMessage())), fold(r.Path()),
	}, "\n")
	return c
}

// Match says whether a record is what the query means.
func (q Query) Match(r *Record) bool {
	if q.never {
		return false
	}
	if q.re != nil && !q.re.MatchString(r.corpus.long) {
		return false
	}
	for _, p := range q.phrases {
		if !strings.Contains(r.corpus.long, p) {
			return false
		}
	}
	for _, f := range q.filters {
		if !f.match(r) {
			return false
		}
	}
	for _, w := range q.words {
		if !r.corpus.word(w) {
			return false
		}
	}
	return true
}

// word looks for a word as it stands, else for its letters in order and close together in one field:
// letters scattered over a long text mean nothing.
func (c corpus) word(w string) bool {
	if strings.Contains(c.long, w) {
		return true
	}
	for _, m := range fuzzy.FindNoSort(w, c.short) {
		hit := m.MatchedIndexes
		if span := hit[len(hit)-1] - hit[0] + 1; span <= 2*len(w)+1 {
			return true
		}
	}
	return false
}

func (f filter) match(r *Record) bool {
	switch f.key {
	case "is", "has":
		return f.facts(r)
	case "cwd":
		return cwdMatches(r.CWD(), f.value)
	case "model":
		return strings.Contains(fold(r.Model()), f.value)
	case "branch":
		return strings.Contains(fold(r.Branch()), f.value)
	case "named":
		name := fold(r.Name())
		return name != "" && strings.Contains(name, f.value)
	}
	return false
}

// fact answers one word of is: or has:.
func (r *Record) fact(key, word string) bool {
	switch key + ":" + word {
	case "is:running":
		return r.Section == Running
	case "is:idle":
		return r.Section == Idle
	case "is:inactive":
		return r.Section == Inactive
	case "is:live":
		return r.Live != nil
	case "is:archived":
		return r.State == protocol.StateArchived
	case "is:waiting":
		return r.Attention == protocol.AttentionPermission
	case "is:needing":
		return r.NeedsYou()
	case "is:asking":
		return r.Attention == protocol.AttentionQuestion
	case "is:failed":
		return r.Attention == protocol.AttentionFailed
	case "is:finished":
		return r.Attention == protocol.AttentionFinished
	case "has:error":
		return r.Errors() > 0
	case "has:queue":
		return r.Live != nil && r.Live.Queued > 0
	case "has:children":
		return r.Live != nil && r.Live.RunningChildren > 0
	case "has:name":
		return r.Name() != ""
	}
	return false
}

// facts is true when a true fact's word begins with what was typed; a whole word means itself alone.
func (f filter) facts(r *Record) bool {
	if slices.Contains(filterValues[f.key], f.value) {
		return r.fact(f.key, f.value)
	}
	for _, word := range filterValues[f.key] {
		if strings.HasPrefix(word, f.value) && r.fact(f.key, word) {
			return true
		}
	}
	return false
}

// cwdMatches takes an absolute folder as itself and what is below it, anything else as a part of the path.
func cwdMatches(cwd, want string) bool {
	if filepath.IsAbs(want) {
		want = filepath.Clean(want)
		return cwd == want || strings.HasPrefix(cwd, strings.TrimSuffix(want, "/")+"/")
	}
	return strings.Contains(strings.ToLower(cwd), strings.ToLower(want))
}

// Highlight finds the bytes of a text that the query's words and phrases name, for drawing: ordered,
// not overlapping, [from, to).
func (q Query) Highlight(text string) [][2]int {
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // case folding changed lengths: offsets would lie
		return nil
	}
	hit := make([]bool, len(text))
	for _, w := range append(append([]string{}, q.words...), q.phrases...) {
		for at := 0; w != ""; {
			i := strings.Index(lower[at:], w)
			if i < 0 {
				break
			}
			for j := range len(w) {
				hit[at+i+j] = true
			}
			at += i + len(w)
		}
	}
	if q.re != nil {
		for _, m := range q.re.FindAllStringIndex(text, -1) {
			for j := m[0]; j < m[1]; j++ {
				hit[j] = true
			}
		}
	}
	var out [][2]int
	for i := 0; i < len(hit); i++ {
		if !hit[i] {
			continue
		}
		from := i
		for i < len(hit) && hit[i] {
			i++
		}
		out = append(out, [2]int{from, i})
	}
	return out
}
