// Command dugout is a terminal coding agent whose main screen is a roster of all agent sessions.
package main

import (
	"context"
	"dugout/views/sanitize"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program but for the process: it returns the exit status.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	e := newEnv(in, out, errs)
	root := newRoot(e)
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	if err != nil && !e.parsed {
		err = usageError{err}
	}
	e.close()
	if err != nil {
		said := err.Error()
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			said = "interrupted"
		}
		// Not a line for the log: the sentence for the person, made safe.
		fmt.Fprintln(errs, "dugout: "+strings.TrimSpace(sanitize.Text(said)))
		if exitStatus(err) == exitUsage {
			fmt.Fprintln(errs, "dugout: `dugout help` lists the commands")
		}
	}
	return exitStatus(err)
}

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "dugout",
		Short: "A terminal coding agent with a roster of all agent sessions",
		Long: `dugout runs coding agents and shows every session on this machine in one roster:
running, idle and inactive. Without a command it opens the roster.

Exit status: 0 done, 1 failed, 2 usage, 3 no such session or ambiguous, 4 held by another writer,
5 the provider failed, 6 denied by permission, 7 needs you, 8 timed out, 130 interrupted.`,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,

		SuggestionsMinimumDistance: 2,
		PersistentPreRun: func(*cobra.Command, []string) {
			e.parsed = true // from here on an error is no usage error
		},
	}
	root.SetVersionTemplate("dugout {{.Version}}\n")
	root.CompletionOptions.HiddenDefaultCmd = true
	addRoster(root, e)
	root.AddCommand(
		newNew(e), newRun(e), newLs(e), newShow(e), newTree(e), newErrors(e),
		newAttach(e), newSend(e), newAnswer(e), newAbort(e), newStop(e), newArchive(e), newWait(e),
		newRename(e), newRm(e), newFork(e), newClone(e), newGoto(e), newLabel(e), newCompact(e),
		newSearch(e), newExport(e), newDoctor(e), newDaemon(e), newDemo(e),
	)
	return root
}
