package main

import (
	"context"
	"dugout/agentloop/host"
	"dugout/agentloop/permission"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/headless"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

type runFlags struct {
	model, session, cwd, permission string
	last, json, noDaemon, noSession bool
}

func newRun(e *env) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [PROMPT]",
		Short: "Answer one prompt on standard output",
		Long: `One prompt (the argument, standard input, or both joined by an empty line), answered on standard
output. Nobody can be asked, so permission "ask" denies what would ask, says so, and exits with 6.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return e.run(c.Context(), f, args) },
	}
	fl := c.Flags()
	fl.StringVar(&f.model, "model", "", "provider/model")
	fl.StringVar(&f.session, "session", "", "go on with this session")
	fl.BoolVarP(&f.last, "continue", "c", false, "go on with this folder's last session")
	fl.StringVar(&f.cwd, "cwd", "", "work in this folder")
	fl.StringVar(&f.permission, "permission", "", "ask, edits or all")
	fl.BoolVar(&f.json, "json", false, "print every event, one a line")
	fl.BoolVar(&f.noDaemon, "no-daemon", false, "run in this process")
	fl.BoolVar(&f.noSession, "no-session", false, "write no session file")
	return c
}

// check refuses what can't be meant, before anything starts.
func (f *runFlags) check() error {
	if f.permission != "" {
		if _, err := permission.ParseMode(f.permission); err != nil {
			return usageError{err}
		}
	}
	switch {
	case f.session != "" && f.last:
		return usageError{errors.New("--session and --continue exclude each other")}
	case f.noSession && (f.session != "" || f.last):
		return usageError{errors.New("--no-session starts afresh: it goes with neither --session nor --continue")}
	}
	return nil
}

func (e *env) run(ctx context.Context, f runFlags, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	prompt, err := e.prompt(args)
	if err != nil {
		return err
	}
	if err := e.workIn(f.cwd); err != nil {
		return err
	}
	var client *daemonclient.Client
	if f.noDaemon {
		var stop func() error
		if client, stop, err = e.inProcess(ctx); err != nil {
			return err
		}
		defer func() {
			if serr := stop(); err == nil {
				err = serr
			}
		}()
	} else if client, err = e.daemon(ctx); err != nil {
		return err
	}
	ref, ours, err := e.openForRun(ctx, client, f)
	if err != nil {
		return err
	}
	err = headless.Run(ctx, client, headless.RunOptions{
		Ref: ref, Prompt: prompt, JSON: f.json, Out: e.out, Errs: e.errs, Quiet: !tty(e.errs),
	})
	if ours { // what this command made live goes back to rest
		bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if serr := client.Call(bye, protocol.MethodSessionStop, ref, nil); err == nil {
			err = serr
		}
	}
	return runStatus(err)
}

// runStatus gives a run's own failures their exit status.
func runStatus(err error) error {
	switch {
	case errors.Is(err, headless.ErrTurnFailed):
		return statusError{exitProvider, err}
	case errors.Is(err, headless.ErrDenied):
		return statusError{exitDenied, err}
	case errors.Is(err, headless.ErrAborted):
		return statusError{exitInterrupted, err}
	}
	return err
}

// prompt joins the argument and what is piped in.
func (e *env) prompt(args []string) (string, error) {
	var parts []string
	if !tty(e.in) {
		b, err := io.ReadAll(e.in)
		if err != nil {
			return "", fmt.Errorf("reading standard input: %w", err)
		}
		if s := strings.TrimRight(string(b), "\n"); strings.TrimSpace(s) != "" {
			parts = append(parts, s)
		}
	}
	parts = append(parts, args...)
	p := strings.Join(parts, "\n\n")
	if strings.TrimSpace(p) == "" {
		return "", usageError{errors.New("no prompt: give it as an argument or on standard input")}
	}
	return p, nil
}

// workIn makes a folder the working folder of what follows.
func (e *env) workIn(dir string) error {
	if err := e.locate(); err != nil {
		return err
	}
	if dir == "" {
		return nil
	}
	abs, err := filepath.Abs(expand(dir))
	if err != nil {
		return err
	}
	if err := isFolder(abs); err != nil {
		return usageError{fmt.Errorf("--cwd: %w", err)}
	}
	e.cwd, e.set, e.store = abs, nil, nil // settings may differ there
	return nil
}

// openForRun finds or makes the session; ours says that it was not live before.
func (e *env) openForRun(ctx context.Context, client *daemonclient.Client, f runFlags) (ref protocol.SessionRef, ours bool, err error) {
	var opened protocol.Opened
	if f.session == "" && !f.last {
		err = client.Call(ctx, protocol.MethodSessionNew, protocol.NewSession{
			CWD: e.cwd, Model: f.model, Permission: f.permission, Headless: true, NoSession: f.noSession,
		}, &opened)
		return protocol.SessionRef{ID: opened.Summary.ID, Path: opened.Summary.Path}, true, err
	}
	if f.session != "" {
		ref, err = e.resolve(ctx, f.session)
	} else {
		ref, err = e.lastHere(ctx)
	}
	if err != nil {
		return ref, false, err
	}
	live, err := e.live(ctx)
	if err != nil {
		return ref, false, err
	}
	ours = true
	for _, l := range live {
		if l.Path == ref.Path {
			ours = false
		}
	}
	err = client.Call(ctx, protocol.MethodSessionOpen, protocol.OpenSession{
		SessionRef: ref, Model: f.model, Permission: f.permission, CWD: f.cwd, Headless: ours,
	}, &opened)
	return ref, ours, err
}

// lastHere is this folder's session with the newest message.
func (e *env) lastHere(ctx context.Context) (protocol.SessionRef, error) {
	snap, err := e.snapshot(ctx)
	if err != nil {
		return protocol.SessionRef{}, err
	}
	var best *roster.Record
	for _, r := range snap.All() {
		if r.CWD() == e.cwd && !r.ReadOnly() && r.Asked() && (best == nil || r.Modified().After(best.Modified())) {
			best = &r
		}
	}
	if best == nil {
		return protocol.SessionRef{}, statusError{exitNotFound, fmt.Errorf("no session in %s to go on with", e.cwd)}
	}
	return protocol.SessionRef{ID: best.ID(), Path: best.Path()}, nil
}

// inProcess is a host in this process, spoken to over a pipe by the same protocol.
func (e *env) inProcess(ctx context.Context) (*daemonclient.Client, func() error, error) {
	o, err := e.hostOptions(ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, nil, err
	}
	o.IdleExit, o.SessionIdle = -1, -1
	h, err := host.New(o)
	if err != nil {
		return nil, nil, err
	}
	here, there := net.Pipe()
	go h.ServeConn(there)
	client, err := daemonclient.New(ctx, here, e.clientOptions("run", nil))
	if err != nil {
		return nil, nil, err
	}
	e.client = client
	return client, func() error {
		bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), 15*time.Second)
		defer cancel()
		return h.Close(bye)
	}, nil
}
