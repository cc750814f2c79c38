package main

import (
	"dugout/agentloop/permission"
	"dugout/daemonclient/protocol"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

func newNew(e *env) *cobra.Command {
	var detach bool
	var model, mode, cwd, name string
	c := &cobra.Command{
		Use:   "new [PROMPT]",
		Short: "Start a live session in this folder and open its chat",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if mode != "" {
				if _, err := permission.ParseMode(mode); err != nil {
					return usageError{err}
				}
			}
			if err := e.workIn(cwd); err != nil {
				return err
			}
			prompt := ""
			if len(args) == 1 {
				prompt = args[0]
			}
			client, err := e.daemon(c.Context())
			if err != nil {
				return err
			}
			var opened protocol.Opened
			err = client.Call(c.Context(), protocol.MethodSessionNew, protocol.NewSession{
				CWD: e.cwd, Model: model, Permission: mode, Name: name, Prompt: prompt,
			}, &opened)
			if err != nil {
				return err
			}
			if detach {
				fmt.Fprintln(e.out, opened.Summary.ID)
				return nil
			}
			return e.chat(c.Context(), protocol.SessionRef{ID: opened.Summary.ID, Path: opened.Summary.Path})
		},
	}
	f := c.Flags()
	f.BoolVar(&detach, "detach", false, "print the session's id instead of opening its chat")
	f.StringVar(&model, "model", "", "provider/model")
	f.StringVar(&mode, "permission", "", "ask, edits or all")
	f.StringVar(&cwd, "cwd", "", "work in this folder")
	f.StringVar(&name, "name", "", "the session's name")
	return c
}

func newAttach(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "attach ID",
		Short: "Open a session's chat, resuming it when it is not live",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			ref, err := e.resolve(c.Context(), args[0])
			if err != nil {
				return err
			}
			return e.chat(c.Context(), ref)
		},
	}
}

func isFolder(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return fmt.Errorf("%s is no folder", path)
	}
	return nil
}
