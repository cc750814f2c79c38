package main

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/headless"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"
)

// reach resolves a selector and connects to the daemon, starting it where needed.
func (e *env) reach(ctx context.Context, selector string) (*daemonclient.Client, protocol.SessionRef, error) {
	ref, err := e.resolve(ctx, selector)
	if err != nil {
		return nil, ref, err
	}
	c, err := e.daemon(ctx)
	return c, ref, err
}

func newSend(e *env) *cobra.Command {
	var followUp, wait bool
	c := &cobra.Command{
		Use:   "send ID TEXT",
		Short: "Send a message to a session, resuming it when it is not live",
		Args:  cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			client, ref, err := e.reach(c.Context(), args[0])
			if err != nil {
				return err
			}
			if wait {
				return headless.Run(c.Context(), client, headless.RunOptions{
					Ref: ref, Prompt: args[1], Out: e.out, Errs: e.errs, Keep: true,
				})
			}
			var got protocol.Prompted
			err = client.Call(c.Context(), protocol.MethodSessionPrompt, protocol.Prompt{
				SessionRef: ref, Text: args[1], FollowUp: followUp, ClientID: uuid.NewString(),
			}, &got)
			if err == nil && got.Queued {
				fmt.Fprintln(e.errs, "queued: the session is busy")
			}
			return err
		},
	}
	c.Flags().BoolVar(&followUp, "follow-up", false, "when busy, deliver after all work and not in the middle of it")
	c.Flags().BoolVar(&wait, "wait", false, "wait for the answer and print it")
	return c
}

func newAnswer(e *env) *cobra.Command {
	var always bool
	var reason string
	c := &cobra.Command{
		Use:       "answer ID allow|deny",
		Short:     "Answer the oldest permission question of a session",
		Args:      cobra.ExactArgs(2),
		ValidArgs: []string{"allow", "deny"},
		RunE: func(c *cobra.Command, args []string) error {
			if args[1] != "allow" && args[1] != "deny" {
				return usageError{fmt.Errorf("answer is allow or deny, not %q", args[1])}
			}
			client, ref, err := e.reach(c.Context(), args[0])
			if err != nil {
				return err
			}
			return client.Call(c.Context(), protocol.MethodSessionAnswer, protocol.Answer{
				SessionRef: ref, Allow: args[1] == "allow", Always: always, Reason: reason,
			}, nil)
		},
	}
	c.Flags().BoolVar(&always, "always", false, "for the rest of the session")
	c.Flags().StringVar(&reason, "reason", "", "a word to the model")
	return c
}

// liveCall makes a command of one call that only means something for a live session: it starts no daemon.
func liveCall(e *env, use, short, method string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ref, err := e.resolve(c.Context(), args[0])
			if err != nil {
				return err
			}
			client, err := e.running(c.Context())
			if err != nil {
				return err
			}
			if client == nil {
				fmt.Fprintln(e.errs, "nothing to do: no daemon runs, so no session is live")
				return nil
			}
			return client.Call(c.Context(), method, ref, nil)
		},
	}
}

func newAbort(e *env) *cobra.Command {
	return liveCall(e, "abort ID", "Abort a session's running turn; what was said stays", protocol.MethodSessionAbort)
}

func newStop(e *env) *cobra.Command {
	return liveCall(e, "stop ID", "Stop a live session; its file stays", protocol.MethodSessionStop)
}

func newArchive(e *env) *cobra.Command {
	var undo bool
	c := &cobra.Command{
		Use:   "archive ID",
		Short: "Archive a session (a live one is stopped first)",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			client, ref, err := e.reach(c.Context(), args[0])
			if err != nil {
				return err
			}
			return client.Call(c.Context(), protocol.MethodSessionArchive, protocol.Archive{SessionRef: ref, On: !undo}, nil)
		},
	}
	c.Flags().BoolVar(&undo, "undo", false, "bring it back")
	return c
}

func newWait(e *env) *cobra.Command {
	var timeout time.Duration
	var until string
	c := &cobra.Command{
		Use:   "wait ID...",
		Short: "Wait until sessions are idle or need you (exit 0 idle, 7 needs you, 8 timed out)",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if until != "idle" && until != "attention" {
				return usageError{fmt.Errorf("--until is idle or attention, not %q", until)}
			}
			ctx := c.Context()
			if timeout > 0 {
				var cancel context.CancelFunc
				late := fmt.Errorf("not yet after %s: %w", timeout, context.DeadlineExceeded)
				ctx, cancel = context.WithTimeoutCause(ctx, timeout, late)
				defer cancel()
			}
			var refs []protocol.SessionRef
			for _, a := range args {
				ref, err := e.resolve(ctx, a)
				if err != nil {
					return err
				}
				refs = append(refs, ref)
			}
			client, err := e.running(ctx)
			if err != nil || client == nil {
				return err // no daemon: everything is idle
			}
			return waitFor(ctx, client, refs, until == "attention")
		},
	}
	c.Flags().DurationVar(&timeout, "timeout", 0, "give up after this long")
	c.Flags().StringVar(&until, "until", "idle", "idle or attention")
	return c
}

var errNeedsYou = errors.New("a session needs you")

// waitFor watches the roster until every session is idle or one needs the person.
func waitFor(ctx context.Context, client *daemonclient.Client, refs []protocol.SessionRef, attention bool) error {
	sub, err := client.SubscribeRoster(ctx)
	if err != nil {
		return err
	}
	live := map[string]protocol.Summary{}
	take := func(all []protocol.Summary) {
		for _, s := range all {
			live[s.Path] = s
		}
	}
	take(sub.Snapshot.Sessions)
	for {
		idle := true
		for _, ref := range refs {
			s, ok := live[ref.Path]
			if !ok {
				continue
			}
			if s.Attention != protocol.AttentionNone && s.Attention != protocol.AttentionFinished {
				return statusError{exitNeedsYou, fmt.Errorf("%w: %s (%s)", errNeedsYou, s.ID, s.Attention)}
			}
			idle = idle && !roster.Busy(&s)
		}
		if idle && !attention {
			return nil
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case ev, ok := <-sub.Events:
			if !ok {
				return daemonclient.ErrLost
			}
			if ev.Snapshot != nil {
				clear(live)
				take(ev.Snapshot.Sessions)
			}
			take(ev.Changed)
			for _, g := range ev.Gone {
				delete(live, g.Path)
				if attention && slices.ContainsFunc(refs, func(r protocol.SessionRef) bool { return r.Path == g.Path }) {
					return fmt.Errorf("session %s is no longer live: %s", g.ID, g.Reason)
				}
			}
		}
	}
}
