package main

import (
	"context"
	"dugout/agentloop/host"
	"dugout/cmd/internal/demo"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"fmt"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/spf13/cobra"
)

func newDemo(e *env) *cobra.Command {
	var linger time.Duration
	c := &cobra.Command{
		Use:   "demo",
		Short: "A dozen scripted agents at work in a home of their own; no key, no network",
		Long: `Opens the roster on a made-up world in a temporary folder: small real projects, saved sessions of
several ages, and a dozen agents that follow scripts (they are no AI) and run real tools there.
When you leave, the agents go on for a while, so that you can come back; then all of it is removed.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return e.demo(c.Context(), linger) },
	}
	c.PersistentFlags().DurationVar(&linger, "linger", time.Minute, "how long the agents go on, and the files stay, when nobody watches any more")
	c.AddCommand(&cobra.Command{
		Use: "daemon ROOT", Hidden: true, Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return e.demoDaemon(c.Context(), args[0], linger) },
	})
	return c
}

func (e *env) demo(ctx context.Context, linger time.Duration) error {
	if !tty(e.in) || !tty(e.out) {
		return usageError{fmt.Errorf("the demo needs a terminal")}
	}
	w, err := demo.Build(ctx, "", time.Now())
	if err != nil {
		return err
	}
	e.home, e.cwd, e.set, e.store = w.Home, w.Projects, nil, nil
	client, err := daemonclient.Dial(ctx, e.clientOptions("demo", e.starter("demo", "daemon", "--linger", linger.String(), w.Root)))
	if err != nil {
		_ = w.Remove() // no daemon that would
		return err
	}
	e.client = client
	if err := w.Start(ctx, client); err != nil {
		return err
	}
	if err := e.tui(ctx, tuiStart{banner: "demo: scripted agents, not an AI, in a temporary home"}); err != nil {
		return err
	}
	fmt.Fprintf(e.out, "The demo's agents go on for %s; until then `DUGOUT_HOME=%s dugout` looks again. Then all of it is removed.\n",
		linger, w.Home)
	return nil
}

// demoDaemon is the demo's daemon: one that leaves soon after the last client has, and takes the
// whole world with it.
func (e *env) demoDaemon(ctx context.Context, root string, linger time.Duration) (err error) {
	w, err := demo.At(root)
	if err != nil {
		return err
	}
	defer func() {
		if rerr := w.Remove(); err == nil {
			err = rerr
		}
	}()
	e.home, e.cwd = w.Home, w.Projects
	ctx, leave := context.WithCancel(ctx)
	defer leave()
	l, err := host.Listen(e.home, daemonclient.SocketPath(e.home))
	if err != nil {
		return err
	}
	defer l.Close()
	o, err := e.hostOptions(ctx, slog.New(slog.NewTextHandler(e.errs, nil)))
	if err != nil {
		return err
	}
	o.IdleExit = -1
	h, err := host.New(o)
	if err != nil {
		return err
	}
	here, there := net.Pipe()
	go h.ServeConn(there)
	watcher, err := daemonclient.New(ctx, here, e.clientOptions("demo's end", nil))
	if err != nil {
		return err
	}
	go func() {
		defer leave()
		lonely(ctx, watcher, linger)
	}()
	err = h.Serve(ctx, l)
	bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	if cerr := h.Close(bye); err == nil {
		err = cerr
	}
	return err
}

// lonely returns when nobody but the asker has been there for a while.
func lonely(ctx context.Context, c *daemonclient.Client, linger time.Duration) {
	tick := time.NewTicker(max(min(time.Second, linger/4), time.Millisecond))
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			var s protocol.Status
			if err := c.Call(ctx, protocol.MethodDaemonStatus, nil, &s); err != nil {
				return
			}
			if s.Clients > 1 {
				last = now
			}
			if now.Sub(last) > linger {
				return
			}
		}
	}
}

// starter runs this program in the background with other arguments, for this home.
func (e *env) starter(args ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		exe, err := os.Executable()
		if err != nil {
			return err
		}
		env := append(os.Environ(), "DUGOUT_HOME="+e.home)
		return daemonclient.Starter(e.home, append([]string{exe}, args...), env)(ctx)
	}
}
