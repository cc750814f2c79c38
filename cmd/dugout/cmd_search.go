package main

import (
	"context"
	"dugout/sessionio"
	"dugout/sessionio/recall"
	"dugout/views/headless"
	"dugout/views/sanitize"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// hit is one line of `search --json`. The names are a contract.
type hit struct {
	Session sessionio.ID      `json:"session"`
	Entry   sessionio.EntryID `json:"entry"`
	Role    sessionio.Role    `json:"role"`
	Time    string            `json:"time"`
	Snippet string            `json:"snippet"`
	Answer  *hitAnswer        `json:"answer,omitempty"`
}

// hitAnswer is what the turn of a question ended on.
type hitAnswer struct {
	Entry   sessionio.EntryID `json:"entry"`
	Time    string            `json:"time"`
	Snippet string            `json:"snippet"`
}

type searchOptions struct {
	json, here bool
	limit      int
}

func newSearch(e *env) *cobra.Command {
	var o searchOptions
	c := &cobra.Command{
		Use:   "search WORDS",
		Short: "Look for words in what was said in every session",
		Long: `Prints the messages of users and assistants, and the summaries, that hold one of the words (case is
ignored): those with the most words first, then the newest. A question comes with the answer that its
turn ended on. Words of one or two letters are passed over beside longer ones.

'"an exact phrase"' must be there; 're:PATTERN' is a regular expression (RE2). Quote both for the shell.

Exit status 1 when nothing is found.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			q, err := recall.ParseQuery(strings.Join(args, " "))
			if err != nil {
				return usageError{fmt.Errorf("search: %w", err)}
			}
			if o.limit < 0 {
				return usageError{fmt.Errorf("search: --limit must not be negative")}
			}
			return e.search(c.Context(), q, o)
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "one hit a line")
	c.Flags().BoolVar(&o.here, "here", false, "only sessions of this folder's project (up to its .git)")
	c.Flags().IntVar(&o.limit, "limit", 50, "how many hits at most; 0: all")
	return c
}

func (e *env) search(ctx context.Context, q recall.Query, o searchOptions) error {
	st, err := e.sessions()
	if err != nil {
		return err
	}
	infos, _, err := st.List(ctx, e.progress("reading sessions"))
	if err != nil {
		return err
	}
	where := "any session"
	if o.here {
		root := recall.Project(e.cwd)
		infos, where = recall.Under(root, infos), "the sessions of "+root
	}
	found, err := recall.Search(ctx, infos, q, recall.Options{
		Limit: o.limit, Progress: e.progress("searching sessions"),
		Problem: func(path string, err error) {
			fmt.Fprintln(e.errs, "dugout: "+sanitize.Line(fmt.Sprintf("%s was not searched: %v", path, err), 0))
		},
	})
	if err != nil {
		return err
	}
	if len(found.Hits) == 0 {
		return statusError{exitFailed, fmt.Errorf("nothing said in %s holds %s", where, q)}
	}
	if err := e.printHits(found.Hits, o.json); err != nil {
		return err
	}
	if n := found.Found - len(found.Hits); n > 0 {
		fmt.Fprintf(e.errs, "dugout: %d more; --limit 0 prints them all\n", n)
	}
	return nil
}

func (e *env) printHits(hits []recall.Hit, asJSON bool) error {
	enc := headless.NewEncoder(e.out)
	for _, h := range hits {
		out := hit{Session: h.Session, Entry: h.Entry, Role: h.Role, Time: stamp(h.Time), Snippet: h.Snippet}
		if a := h.Answer; a != nil {
			out.Answer = &hitAnswer{Entry: a.Entry, Time: stamp(a.Time), Snippet: a.Snippet}
		}
		var err error
		if asJSON {
			err = enc.Encode(out)
		} else {
			err = e.printHit(out)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// printHit writes a line, and the answer to a question below it.
func (e *env) printHit(h hit) error {
	line := fmt.Sprintf("%s %s %s: %s", h.Session, h.Entry, h.Role, h.Snippet)
	if _, err := fmt.Fprintln(e.out, sanitize.Line(line, 0)); err != nil {
		return err
	}
	if h.Answer == nil {
		return nil
	}
	_, err := fmt.Fprintln(e.out, "  "+sanitize.Line(fmt.Sprintf("%s answer: %s", h.Answer.Entry, h.Answer.Snippet), 0))
	return err
}

// stamp is "" for no time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
