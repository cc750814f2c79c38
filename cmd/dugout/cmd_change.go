package main

import (
	"bufio"
	"context"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/sanitize"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func newRename(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "rename ID NAME",
		Short: "Name a session; an empty name clears it",
		Args:  cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			ref, err := e.resolve(c.Context(), args[0])
			if err != nil {
				return err
			}
			name := strings.TrimSpace(args[1])
			client, err := e.running(c.Context())
			if err != nil {
				return err
			}
			if client != nil {
				return client.Call(c.Context(), protocol.MethodSessionRename, protocol.Rename{SessionRef: ref, Name: name}, nil)
			}
			return e.appendTo(ref.Path, sessionio.Entry{Type: sessionio.TypeSessionInfo, Name: name})
		},
	}
}

// appendTo adds one entry to a saved session where no daemon runs.
func (e *env) appendTo(path string, entry sessionio.Entry) (err error) {
	s, err := e.store.OpenSession(path, false, "dugout")
	if err != nil {
		return err
	}
	defer func() {
		if cerr := s.Close(); err == nil {
			err = cerr
		}
	}()
	if _, err := s.Append(entry); err != nil {
		return err
	}
	return s.Sync()
}

func newRm(e *env) *cobra.Command {
	var yes bool
	c := &cobra.Command{
		Use:   "rm ID...",
		Short: "Delete sessions: to the trash, or for good where there is none",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var refs []protocol.SessionRef
			for _, a := range args { // all are known before one is touched
				ref, err := e.resolve(c.Context(), a)
				if err != nil {
					return err
				}
				refs = append(refs, ref)
			}
			if !yes {
				if err := e.confirmDelete(refs); err != nil {
					return err
				}
			}
			for _, ref := range refs {
				d, err := e.remove(c.Context(), ref)
				if err != nil {
					return fmt.Errorf("%s is still there: %w", ref.Path, err)
				}
				if d.Way == "" {
					fmt.Fprintln(e.out, "stopped", sanitize.Line(string(ref.ID), 0))
					continue
				}
				fmt.Fprintln(e.out, d.Way, sanitize.Line(d.Path, 0))
			}
			return nil
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func (e *env) confirmDelete(refs []protocol.SessionRef) error {
	if !tty(e.in) {
		return usageError{fmt.Errorf("rm asks before it deletes, and there is no terminal to ask on: give --yes")}
	}
	for _, r := range refs {
		fmt.Fprintln(e.errs, "  "+sanitize.Line(r.Path, 0))
	}
	fmt.Fprintf(e.errs, "Delete %d session(s), with their artifacts? [y/N] ", len(refs))
	line, err := bufio.NewReader(e.in).ReadString('\n')
	if err != nil || !strings.EqualFold(strings.TrimSpace(line), "y") {
		return statusError{exitFailed, fmt.Errorf("nothing deleted")}
	}
	return nil
}

func (e *env) remove(ctx context.Context, ref protocol.SessionRef) (protocol.Deleted, error) {
	client, err := e.running(ctx)
	if err != nil {
		return protocol.Deleted{}, err
	}
	if client != nil {
		var d protocol.Deleted
		err := client.Call(ctx, protocol.MethodSessionDelete, ref, &d)
		return d, err
	}
	d, err := e.store.Delete(ctx, ref.Path)
	return protocol.Deleted{Path: d.Path, Way: d.Way, Program: d.Program, Artifacts: d.Artifacts}, err
}

func newFork(e *env) *cobra.Command {
	var entry string
	c := &cobra.Command{
		Use:   "fork ID --at ENTRY",
		Short: "Make a new session from the path to an entry; prints its id",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			client, ref, err := e.reach(c.Context(), args[0])
			if err != nil {
				return err
			}
			var f protocol.Forked
			if err := client.Call(c.Context(), protocol.MethodSessionFork, protocol.Fork{SessionRef: ref, At: sessionio.EntryID(entry)}, &f); err != nil {
				return err
			}
			fmt.Fprintln(e.out, f.ID)
			return nil
		},
	}
	c.Flags().StringVar(&entry, "at", "", "a user message: the fork ends before it; any other entry: after it")
	_ = c.MarkFlagRequired("at") // fails only for a flag that does not exist
	return c
}

func newClone(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "clone ID",
		Short: "Copy a session's active branch into a new one; prints its id",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			client, ref, err := e.reach(c.Context(), args[0])
			if err != nil {
				return err
			}
			var f protocol.Forked
			if err := client.Call(c.Context(), protocol.MethodSessionClone, ref, &f); err != nil {
				return err
			}
			fmt.Fprintln(e.out, f.ID)
			return nil
		},
	}
}

func newGoto(e *env) *cobra.Command {
	var summary bool
	c := &cobra.Command{
		Use:   "goto ID ENTRY",
		Short: "Move a session's leaf in place, as /tree does",
		Args:  cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			client, ref, err := e.reach(c.Context(), args[0])
			if err != nil {
				return err
			}
			var n protocol.Navigated
			err = client.Call(c.Context(), protocol.MethodSessionNavigate, protocol.Navigate{
				SessionRef: ref, To: sessionio.EntryID(args[1]), Summarise: summary,
			}, &n)
			if err != nil {
				return err
			}
			fmt.Fprintln(e.out, n.Leaf)
			return nil
		},
	}
	c.Flags().BoolVar(&summary, "summary", false, "summarise the branch that is left")
	return c
}

func newLabel(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "label ID ENTRY TEXT",
		Short: "Label an entry; an empty text clears it",
		Args:  cobra.ExactArgs(3),
		RunE: func(c *cobra.Command, args []string) error {
			client, ref, err := e.reach(c.Context(), args[0])
			if err != nil {
				return err
			}
			return client.Call(c.Context(), protocol.MethodSessionLabel, protocol.Label{
				SessionRef: ref, Entry: sessionio.EntryID(args[1]), Label: args[2],
			}, nil)
		},
	}
}

func newCompact(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "compact ID [FOCUS]",
		Short: "Summarise a session's older context",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			client, ref, err := e.reach(c.Context(), args[0])
			if err != nil {
				return err
			}
			p := protocol.Compact{SessionRef: ref}
			if len(args) == 2 {
				p.Focus = args[1]
			}
			return client.Call(c.Context(), protocol.MethodSessionCompact, p, nil)
		},
	}
}
