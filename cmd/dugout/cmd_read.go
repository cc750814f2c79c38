package main

import (
	"dugout/views/headless"
	"dugout/views/sanitize"
	"fmt"
	"time"

	"github.com/spf13/cobra"
)

func newShow(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show ID",
		Short: "Print a session's conversation at its leaf",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := e.read(c.Context(), args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			context, err := s.Context()
			if err != nil {
				return err
			}
			if asJSON {
				return headless.ShowJSON(e.out, context)
			}
			return headless.Show(e.out, context)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the context's messages, one a line, as the model gets them")
	return c
}

func newTree(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "tree ID",
		Short: "Print a session's tree",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := e.read(c.Context(), args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			if asJSON {
				return headless.TreeJSON(e.out, s.Tree(), s.Leaf(), s.Labels())
			}
			return headless.Tree(e.out, s.Tree(), s.Leaf(), s.Labels())
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one node a line")
	return c
}

func newErrors(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "errors ID",
		Short: "Print a session's errors trail",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			s, err := e.read(c.Context(), args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			records, err := s.Errors()
			if err != nil {
				return err
			}
			enc := headless.NewEncoder(e.out)
			for _, r := range records {
				if asJSON {
					if err := enc.Encode(r); err != nil {
						return err
					}
					continue
				}
				line := fmt.Sprintf("%s  %s  turn %d  %s/%s  %s", r.Time.Local().Format(time.DateTime), r.Kind, r.Turn, r.Provider, r.Model, r.Line)
				fmt.Fprintln(e.out, sanitize.Line(line, 0))
				if r.Question != "" {
					fmt.Fprintln(e.out, sanitize.Line("    asked: "+r.Question, 0))
				}
				if r.Raw != "" && r.Raw != r.Line {
					fmt.Fprintln(e.out, sanitize.Line("    raw: "+r.Raw, 0))
				}
			}
			if len(records) == 0 && !asJSON {
				fmt.Fprintln(e.errs, "no errors")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one record a line")
	return c
}
