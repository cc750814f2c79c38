package daemonclient

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Starter makes an Options.Start that runs a daemon of home in the background: in a session of its
// own, so that closing the terminal does not reach it, with its output in the home's daemon.log.
// command is the program and its arguments; env its environment. Start fails as soon as the process
// ends with an error, quoting what it wrote.
func Starter(home string, command, env []string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		if err := os.MkdirAll(home, 0o700); err != nil {
			return err
		}
		log, err := os.OpenFile(LogPath(home), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return err
		}
		defer log.Close()
		from, err := log.Seek(0, io.SeekEnd)
		if err != nil {
			return err
		}
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env, cmd.Dir = env, filepath.Clean(home)
		cmd.Stdout, cmd.Stderr = log, log
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		select {
		case err := <-ended:
			if err != nil {
				return fmt.Errorf("%s ended with %w%s", command[0], err, lastWords(home, from))
			}
			return nil
		case <-ctx.Done(): // it goes on without us
			return nil
		}
	}
}

// tailOf reads the end of a file, from a place in it on, at most n bytes.
func tailOf(path string, from, n int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil || size <= from {
		return ""
	}
	b := make([]byte, min(size-from, n))
	got, _ := f.ReadAt(b, size-int64(len(b)))
	return string(b[:got])
}
