package main

import (
	"context"
	"dugout/roster"
	"dugout/views/headless"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

func newLs(e *env) *cobra.Command {
	var asJSON, summary, here bool
	var sections []string
	var query, sort string
	c := &cobra.Command{
		Use:   "ls",
		Short: "List every session as plain lines",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			q, err := roster.ParseQuery(query)
			if err != nil {
				return usageError{fmt.Errorf("--search: %w", err)}
			}
			o := roster.ViewOptions{Query: q, Sort: roster.SortMode(sort), Drafts: asJSON}
			if !slices.Contains(roster.SortModes(), o.Sort) {
				return usageError{fmt.Errorf("--sort %s: one of %v", sort, roster.SortModes())}
			}
			snap, err := e.snapshot(c.Context())
			if err != nil {
				return err
			}
			if here {
				o.Folder = e.cwd
			}
			v := roster.Arrange(snap, o)
			if err := keepSections(v, sections); err != nil {
				return err
			}
			switch {
			case summary:
				return headless.Summary(e.out, v)
			case asJSON:
				return headless.ListJSON(e.out, v)
			}
			user, _ := os.UserHomeDir() // only shortens what is shown
			if err := headless.List(e.out, v, time.Now(), user); err != nil {
				return err
			}
			if v.Hidden > 0 {
				fmt.Fprintf(e.errs, "%d without a question or a name are left out; --json has them\n", v.Hidden)
			}
			return nil
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "one JSON object a line")
	f.BoolVar(&summary, "summary", false, "one line of counts")
	f.BoolVar(&here, "here", false, "only sessions of this folder")
	f.Bool("all-stores", true, "every store that the settings name (always so)")
	f.StringSliceVar(&sections, "section", nil, "running, idle, inactive")
	f.StringVar(&query, "search", "", "as in the roster's search line")
	f.StringVar(&sort, "sort", string(roster.SortRecent), "recent, activity, name, cost, folder")
	return c
}

// keepSections empties the sections that were not asked for.
func keepSections(v roster.View, names []string) error {
	for _, n := range names {
		if !slices.Contains(roster.Sections(), roster.Section(n)) {
			return usageError{fmt.Errorf("--section %s: one of running, idle, inactive", n)}
		}
	}
	for _, sec := range roster.Sections() {
		if len(names) > 0 && !slices.Contains(names, string(sec)) {
			delete(v.Sections, sec)
		}
	}
	return nil
}

// snapshot is the roster as it stands: the stores, and the daemon where one runs.
func (e *env) snapshot(ctx context.Context) (roster.Snapshot, error) {
	s, err := e.sessions()
	if err != nil {
		return roster.Snapshot{}, err
	}
	saved, _, err := s.List(ctx, e.progress("reading sessions"))
	if err != nil {
		return roster.Snapshot{}, err
	}
	live, err := e.live(ctx)
	if err != nil {
		fmt.Fprintf(e.errs, "dugout: live sessions are missing below: %s\n", err)
	}
	state := roster.NewState()
	state.Apply(roster.Delta{AllLive: &live, AllSaved: &saved})
	return state.Snapshot(), nil
}

// progress shows on a terminal how far a long scan is; elsewhere nothing.
func (e *env) progress(what string) func(done, total int) {
	if !tty(e.errs) {
		return nil
	}
	began, shown := time.Now(), false
	var last time.Time
	return func(done, total int) {
		now := time.Now()
		if done >= total {
			if shown {
				fmt.Fprintf(e.errs, "\r%s\r", strings.Repeat(" ", len(what)+30))
			}
			return
		}
		if now.Sub(began) < 300*time.Millisecond || now.Sub(last) < 100*time.Millisecond {
			return
		}
		shown, last = true, now
		fmt.Fprintf(e.errs, "\r%s: %d of %d", what, done, total)
	}
}
