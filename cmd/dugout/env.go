package main

import (
	"context"
	"dugout/cmd/internal/settings"
	"dugout/daemonclient"
	"dugout/sessionio/store"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/charmbracelet/x/term"
)

// env is what the commands share: where things are, and what is opened on first use.
type env struct {
	in        io.Reader
	out, errs io.Writer
	getenv    func(string) string
	parsed    bool // the command line was understood

	home   string // DUGOUT_HOME
	cwd    string
	set    *settings.Settings
	store  *store.Store
	client *daemonclient.Client
}

func newEnv(in io.Reader, out, errs io.Writer) *env {
	return &env{in: in, out: out, errs: errs, getenv: os.Getenv}
}

// locate finds the home and the working folder.
func (e *env) locate() error {
	if e.home != "" {
		return nil
	}
	home := e.getenv("DUGOUT_HOME")
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return fmt.Errorf("no home folder: %w; set DUGOUT_HOME", err)
		}
		home = filepath.Join(user, ".dugout")
	}
	home, err := filepath.Abs(home)
	if err != nil {
		return fmt.Errorf("DUGOUT_HOME: %w", err)
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return fmt.Errorf("dugout's home can't be made: %w; set DUGOUT_HOME to a folder that you may write", err)
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	if e.cwd == "" {
		if e.cwd, err = os.Getwd(); err != nil {
			return fmt.Errorf("the working folder is gone: %w", err)
		}
	}
	e.home = home
	return nil
}

// settings are read once.
func (e *env) settings() (settings.Settings, error) {
	if e.set != nil {
		return *e.set, nil
	}
	if err := e.locate(); err != nil {
		return settings.Settings{}, err
	}
	s, err := settings.Load(e.home, e.cwd)
	if err != nil {
		return settings.Settings{}, err
	}
	e.set = &s
	return s, nil
}

// sessions opens the stores.
func (e *env) sessions() (*store.Store, error) {
	if e.store != nil {
		return e.store, nil
	}
	s, err := e.settings()
	if err != nil {
		return nil, err
	}
	e.store, err = store.Open(storeOptions(e.home, s))
	return e.store, err
}

func storeOptions(home string, s settings.Settings) store.Options {
	o := store.Options{Home: home, Dir: s.Sessions.Dir, NoTrash: s.Sessions.NoTrash}
	if o.Dir != "" { // sessions of other projects are still listed
		o.Also = append(o.Also, store.Folder{Dir: filepath.Join(home, "sessions"), Source: "dugout"})
	}
	for _, f := range s.Sessions.Also {
		o.Also = append(o.Also, store.Folder{Dir: expand(f.Dir), Source: f.Source, ReadOnly: true})
	}
	return o
}

// expand turns a leading ~ into the user's home folder.
func expand(path string) string {
	user, err := os.UserHomeDir()
	if err != nil || path != "~" && !hasPrefix(path, "~/") {
		return path
	}
	return filepath.Join(user, path[1:])
}

func hasPrefix(s, p string) bool { return len(s) >= len(p) && s[:len(p)] == p }

// running is the daemon that answers now; nil when there is none.
func (e *env) running(ctx context.Context) (*daemonclient.Client, error) {
	return e.dial(ctx, nil)
}

// daemon is the running daemon, started where none answers.
func (e *env) daemon(ctx context.Context) (*daemonclient.Client, error) {
	return e.dial(ctx, e.starter("daemon", "run"))
}

func (e *env) dial(ctx context.Context, start func(context.Context) error) (*daemonclient.Client, error) {
	if e.client != nil {
		return e.client, nil
	}
	if err := e.locate(); err != nil {
		return nil, err
	}
	c, err := daemonclient.Dial(ctx, e.clientOptions("cli", start))
	if start == nil && errors.Is(err, daemonclient.ErrNoDaemon) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e.client = c
	return c, nil
}

func (e *env) clientOptions(word string, start func(context.Context) error) daemonclient.Options {
	return daemonclient.Options{
		Home: e.home, AppVersion: version, Start: start,
		Client: fmt.Sprintf("%s pid %d", word, os.Getpid()),
	}
}

func (e *env) close() {
	if e.client != nil {
		_ = e.client.Close() // hanging up can't fail in a way that matters
	}
}

// tty says whether a stream is a terminal.
func tty(v any) bool {
	f, ok := v.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}
