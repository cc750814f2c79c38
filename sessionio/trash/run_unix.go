package trash

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// run runs a program to its end, at most so long; then all that it started goes with it.
func run(ctx context.Context, exe string, args []string, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second // what left the group and keeps the pipe must not keep us
	var said firstWords
	cmd.Stderr = &said
	err := cmd.Run()
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("no end within %s", patience)
	case ctx.Err() != nil:
		return ctx.Err()
	case err == nil:
		return nil
	}
	if line, _, _ := strings.Cut(strings.TrimSpace(string(said)), "\n"); line != "" {
		return fmt.Errorf("%w: %s", err, line)
	}
	return err
}

// firstWords keeps the first 200 bytes of what a program says.
type firstWords []byte

func (w *firstWords) Write(p []byte) (int, error) {
	if room := 200 - len(*w); room > 0 {
		*w = append(*w, p[:min(room, len(p))]...)
	}
	return len(p), nil
}
