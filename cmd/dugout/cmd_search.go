package main

import (
	"context"
	"dugout/sessionio"
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
}

func newSearch(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "search WORDS",
		Short: "Look for words in what was said in every session",
		Long:  "Prints the messages that hold every one of the words (case is ignored). Exit status 1 when there is none.",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			words := strings.Fields(strings.ToLower(strings.Join(args, " ")))
			if len(words) == 0 {
				return usageError{fmt.Errorf("search needs a word")}
			}
			enc := headless.NewEncoder(e.out)
			found := 0
			err := e.search(c.Context(), words, func(h hit) error {
				found++
				if asJSON {
					return enc.Encode(h)
				}
				_, err := fmt.Fprintln(e.out, sanitize.Line(fmt.Sprintf("%s %s %s: %s", h.Session, h.Entry, h.Role, h.Snippet), 0))
				return err
			})
			if err == nil && found == 0 {
				return statusError{exitFailed, fmt.Errorf("nothing said holds %q", strings.Join(words, " "))}
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one hit a line")
	return c
}

// search reads every session's messages, one session in memory at a time.
func (e *env) search(ctx context.Context, words []string, each func(hit) error) error {
	st, err := e.sessions()
	if err != nil {
		return err
	}
	infos, _, err := st.List(ctx, e.progress("reading sessions"))
	if err != nil {
		return err
	}
	for _, info := range infos {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := st.OpenSession(info.Path, true, "")
		if err != nil {
			fmt.Fprintln(e.errs, "dugout: "+sanitize.Line(err.Error(), 0))
			continue
		}
		err = searchIn(s, words, each)
		_ = s.Close() // read-only
		if err != nil {
			return err
		}
	}
	return nil
}

func searchIn(s *sessionio.Session, words []string, each func(hit) error) error {
	for _, m := range s.Tree().All() {
		if m.Type != sessionio.TypeMessage || m.Role != sessionio.RoleUser && m.Role != sessionio.RoleAssistant {
			continue
		}
		entry, err := s.Entry(m.ID)
		if err != nil || entry.Message == nil {
			continue // what can't be read can't be searched; listings count it
		}
		text := said(entry.Message)
		snippet, ok := find(text, words)
		if !ok {
			continue
		}
		h := hit{Session: s.Header().ID, Entry: m.ID, Role: m.Role, Snippet: snippet}
		if !m.Time.IsZero() {
			h.Time = m.Time.UTC().Format(time.RFC3339)
		}
		if err := each(h); err != nil {
			return err
		}
	}
	return nil
}

func said(m *sessionio.Message) string {
	var parts []string
	for _, b := range m.Content {
		if b.Type == sessionio.BlockText {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// find says whether every word is in the text, and cuts out the place of the first.
func find(text string, words []string) (snippet string, ok bool) {
	lower := strings.ToLower(text)
	first := len(lower)
	for _, w := range words {
		i := strings.Index(lower, w)
		if i < 0 {
			return "", false
		}
		first = min(first, i)
	}
	if len(lower) != len(text) { // case folding moved the places
		first = 0
	}
	from, to := max(0, first-60), min(len(text), first+140)
	return strings.TrimSpace(strings.ToValidUTF8(text[from:to], "")), true
}
