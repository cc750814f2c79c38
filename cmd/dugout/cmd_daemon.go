package main

import (
	"context"
	"dugout/agentloop/host"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/views/headless"
	"errors"
	"fmt"
	"log/slog"
	"syscall"
	"time"

	"github.com/spf13/cobra"
)

func newDaemon(e *env) *cobra.Command {
	c := &cobra.Command{Use: "daemon", Short: "The background process that holds the live sessions"}
	c.AddCommand(newDaemonRun(e), newDaemonStart(e), newDaemonStatus(e), newDaemonStop(e))
	return c
}

func newDaemonRun(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "Be the daemon, in the foreground",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := e.locate(); err != nil {
				return err
			}
			l, err := host.Listen(e.home, daemonclient.SocketPath(e.home))
			if err != nil {
				return err
			}
			defer l.Close()
			log := slog.New(slog.NewTextHandler(e.errs, nil))
			o, err := e.hostOptions(c.Context(), log)
			if err != nil {
				return err
			}
			h, err := host.New(o)
			if err != nil {
				return err
			}
			err = h.Serve(c.Context(), l)
			bye, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), 15*time.Second)
			defer cancel()
			if cerr := h.Close(bye); err == nil {
				err = cerr
			}
			return err
		},
	}
}

func newDaemonStart(e *env) *cobra.Command {
	return &cobra.Command{
		Use: "start", Short: "Start the daemon unless it runs", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := e.daemon(c.Context())
			if err != nil {
				return err
			}
			fmt.Fprintf(e.out, "daemon pid %d\n", client.Welcome().PID)
			return nil
		},
	}
}

func newDaemonStatus(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "status", Short: "What the daemon holds", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := e.running(c.Context())
			if err != nil {
				return err
			}
			if client == nil {
				return fmt.Errorf("no daemon runs for %s", e.home)
			}
			var s protocol.Status
			if err := client.Call(c.Context(), protocol.MethodDaemonStatus, nil, &s); err != nil {
				return err
			}
			if asJSON {
				return headless.NewEncoder(e.out).Encode(s)
			}
			fmt.Fprintf(e.out, "pid %d, version %s, up %s\nsocket %s\n%d live sessions, %d clients, %d MB resident\n",
				s.PID, s.Version, time.Duration(s.UptimeSeconds)*time.Second, s.Socket, s.Sessions, s.Clients, s.RSSBytes>>20)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return c
}

func newDaemonStop(e *env) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use: "stop", Short: "Stop the daemon; sessions stay in their files", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			client, err := e.running(c.Context())
			if err != nil {
				return err
			}
			if client == nil {
				fmt.Fprintln(e.errs, "no daemon runs")
				return nil
			}
			if err := client.Call(c.Context(), protocol.MethodDaemonShutdown, protocol.Shutdown{Force: force}, nil); err != nil {
				return err
			}
			select {
			case <-client.Done():
				return untilGone(c.Context(), client.Welcome().PID)
			case <-time.After(15 * time.Second):
				return fmt.Errorf("the daemon (pid %d) said that it leaves and has not left", client.Welcome().PID)
			case <-c.Context().Done():
				return c.Context().Err()
			}
		},
	}
	c.Flags().BoolVar(&force, "force", false, "also when sessions are busy: their turns are aborted")
	return c
}

// untilGone waits until a process that has hung up has ended, so that what it held is free.
func untilGone(ctx context.Context, pid int) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(10 * time.Second)
	for {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
			return nil
		}
		select {
		case <-tick.C:
		case <-limit:
			return fmt.Errorf("the daemon (pid %d) has hung up and still runs", pid)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
