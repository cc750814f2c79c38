// Package recall finds what was said in sessions, by words: no index, no model. Every call reads the
// files, several at once; a line is decoded only when its raw bytes hold a word that is looked for.
//
// Searched are what users and assistants said, and the summaries that stand for what they said: not
// tool output, not the lines that the program itself put around a text. A question that matches
// comes with the answer that its turn ended on, for the question alone often says nothing.
package recall

import (
	"context"
	"dugout/sessionio"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// Hit is one message that matches. Its texts are raw.
type Hit struct {
	Session sessionio.ID
	Path    string
	Title   string // of the session
	Entry   sessionio.EntryID
	Role    sessionio.Role // user, assistant, compactionSummary or branchSummary
	Time    time.Time
	Matched int // different words of the query that it holds
	Snippet string
	Answer  *Answer // to a question, where there is one

	line int
	key  string // of its text: equal texts have equal keys
}

// Answer is what the turn of a question ended on.
type Answer struct {
	Entry   sessionio.EntryID
	Time    time.Time
	Snippet string

	key string
}

// Options of Search. The zero value finds all there is, each message by itself.
type Options struct {
	Limit int // of hits; 0 is all
	// Merge is for a reader who goes through the hits as a text: what was said twice in the same words
	// comes once (forks copy), and an answer that stands with its question not again by itself.
	Merge bool
	// Known says of a text that the asker has it already; it is left out.
	Known    func(text string) bool
	Workers  int                          // default one for each processor
	Progress func(done, total int)        // is told of files, from several goroutines, one at a time
	Snippet  int                          // longest snippet, in characters; default 320
	Problem  func(path string, err error) // is told of a file that can't be read, one at a time
}

// Result is what a search found.
type Result struct {
	Hits  []Hit // most words first, then the newest
	Found int   // messages that match, before Limit and Merge
}

const (
	defaultSnippet = 320
	mergeSlack     = 4 // of what Merge may throw away
)

// Search looks through the files of the infos. A file that can't be read is a Problem, not an error;
// the error is that of ctx.
func Search(ctx context.Context, infos []sessionio.Info, q Query, o Options) (Result, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Snippet <= 0 {
		o.Snippet = defaultSnippet
	}
	keep := o.Limit
	if o.Merge {
		keep *= mergeSlack
	}
	c := &collector{most: keep}
	if !q.Empty() {
		scanAll(ctx, infos, q, o, c)
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	hits := c.ranked()
	if o.Merge {
		hits = once(hits)
	}
	// Twice: what an answer takes the place of makes room for others, which have answers too.
	for range 2 {
		n := len(hits)
		if o.Limit > 0 {
			n = min(n, o.Limit)
		}
		if err := answers(ctx, hits[:n], q, o); err != nil {
			return Result{}, err
		}
		if o.Merge {
			hits = withoutAnswers(hits)
		}
	}
	if o.Limit > 0 && len(hits) > o.Limit {
		hits = hits[:o.Limit]
	}
	return Result{Hits: hits, Found: c.found}, nil
}

// scanAll scans the files, a few at a time.
func scanAll(ctx context.Context, infos []sessionio.Info, q Query, o Options, c *collector) {
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		next atomic.Int64
		done int
	)
	for range min(o.Workers, len(infos)) {
		wg.Go(func() {
			s := scanner{q: q, o: o, out: c, sieve: newSieve(q)}
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(infos) {
					return
				}
				err := s.file(ctx, infos[i])
				mu.Lock()
				if err != nil && ctx.Err() == nil && o.Problem != nil {
					o.Problem(infos[i].Path, err)
				}
				if done++; o.Progress != nil {
					o.Progress(done, len(infos))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
