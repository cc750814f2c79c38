package main

import (
	"context"
	"dugout/cmd/internal/settings"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/roster/live"
	"dugout/views/tui/app"
	"dugout/views/tui/keymap"
	"dugout/views/tui/theme"
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
)

// tuiStart says where the terminal program begins.
type tuiStart struct {
	chat   *protocol.SessionRef // a session's chat; nil: the roster
	scoped bool                 // the roster with this folder's sessions alone
	banner string
}

func addRoster(root *cobra.Command, e *env) {
	var last bool
	var resume string
	root.Flags().BoolVarP(&last, "continue", "c", false, "open this folder's last session")
	root.Flags().StringVarP(&resume, "resume", "r", "", "open this session; without one, choose among this folder's")
	root.Flags().Lookup("resume").NoOptDefVal = " " // -r alone
	// "-r ID" and "-r" alone: the flag takes no word of its own, so the id comes as an argument.
	root.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 0 || len(args) == 1 && resume == " " {
			return nil
		}
		return unknownCommand(c, args[0])
	}
	root.RunE = func(c *cobra.Command, args []string) error {
		ctx := c.Context()
		if len(args) == 1 {
			resume = args[0]
		}
		if err := e.locate(); err != nil {
			return err
		}
		switch {
		case last:
			ref, err := e.lastHere(ctx)
			if err != nil {
				return err
			}
			return e.chat(ctx, ref)
		case resume == " ":
			return e.tui(ctx, tuiStart{scoped: true})
		case resume != "":
			ref, err := e.resolve(ctx, resume)
			if err != nil {
				return err
			}
			return e.chat(ctx, ref)
		}
		return e.tui(ctx, tuiStart{})
	}
}

func unknownCommand(c *cobra.Command, name string) error {
	near := c.SuggestionsFor(name)
	if len(near) == 0 {
		return fmt.Errorf("unknown command %q", name)
	}
	return fmt.Errorf("unknown command %q; did you mean %s?", name, strings.Join(near, " or "))
}

func (e *env) chat(ctx context.Context, ref protocol.SessionRef) error {
	return e.tui(ctx, tuiStart{chat: &ref})
}

// tui runs the terminal program until the person leaves.
func (e *env) tui(ctx context.Context, start tuiStart) error {
	if !tty(e.in) || !tty(e.out) {
		return usageError{fmt.Errorf("this needs a terminal; for scripts there are `dugout ls`, `run` and `show`")}
	}
	set, err := e.settings()
	if err != nil {
		return err
	}
	st, err := e.sessions()
	if err != nil {
		return err
	}
	keys, err := overrides(set)
	if err != nil {
		return err
	}
	colours, light, err := e.colours(set)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	feed := live.Start(ctx, live.Options{Store: st, Dial: func(ctx context.Context) (*daemonclient.Client, error) {
		return daemonclient.Dial(ctx, e.clientOptions("tui", e.starter("daemon", "run")))
	}})
	defer feed.Wait()
	defer cancel()
	user, _ := os.UserHomeDir() // only shortens what is shown
	o := app.Options{
		Feed: feed, Colours: colours, Light: light, Keys: keys, Folder: e.cwd, HomeDir: user, Banner: start.banner,
		Memory: set.Memory.Command, Start: app.Start{Open: start.chat, Scoped: start.scoped},
	}
	return app.Run(ctx, o)
}

// overrides checks the settings' keys against the actions that there are.
func overrides(set settings.Settings) (keymap.Overrides, error) {
	o := keymap.Overrides{}
	for action, k := range set.Keys {
		o[keymap.Action(action)] = k
	}
	if unknown := app.UnknownActions(o); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: no action is called %q; the help screen (?) lists them", set.At("keys", string(unknown[0])), unknown[0])
	}
	return o, nil
}

// colours decides without asking the terminal: by the settings, NO_COLOR and what TERM promises.
func (e *env) colours(set settings.Settings) (c theme.Colours, light bool, err error) {
	switch profile := colorprofile.Env(os.Environ()); {
	case profile <= colorprofile.Ascii:
		c = theme.Plain
	case profile == colorprofile.ANSI:
		c = theme.Sixteen
	case profile == colorprofile.ANSI256:
		c = theme.TwoFiftySix
	default:
		c = theme.True
	}
	switch set.Theme {
	case "", "auto":
		bg := e.getenv("COLORFGBG")
		light = strings.HasSuffix(bg, ";15") || strings.HasSuffix(bg, ";7")
	case "dark":
	case "light":
		light = true
	case "16":
		c = min(c, theme.Sixteen)
	case "none":
		c = theme.Plain
	default:
		return c, false, fmt.Errorf("%s: theme %q; one of auto, dark, light, 16, none", set.At("theme"), set.Theme)
	}
	return c, light, nil
}
