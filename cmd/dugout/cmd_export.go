package main

import (
	"dugout/sessionio"
	"dugout/views/headless"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newExport(e *env) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "export ID [FILE]",
		Short: "Write a session's conversation as Markdown or JSON",
		Args:  cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if format == "" {
				format = "md"
				if len(args) == 2 && strings.EqualFold(filepath.Ext(args[1]), ".json") {
					format = "json"
				}
			}
			if format != "md" && format != "json" {
				return usageError{fmt.Errorf("--format %s: md or json", format)}
			}
			s, err := e.read(c.Context(), args[0])
			if err != nil {
				return err
			}
			defer s.Close()
			if len(args) == 1 {
				return export(e.out, s, format)
			}
			return exportFile(args[1], s, format)
		},
	}
	c.Flags().StringVar(&format, "format", "", "md or json (default by the file's name, else md)")
	return c
}

// exportFile never overwrites a file; a device such as /dev/null is no file.
func exportFile(path string, s *sessionio.Session, format string) (err error) {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if st, serr := os.Stat(path); serr == nil && !st.Mode().IsRegular() {
		flags = os.O_WRONLY
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s exists; choose another name", path)
	}
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	return export(f, s, format)
}

func export(w io.Writer, s *sessionio.Session, format string) error {
	c, err := s.Context()
	if err != nil {
		return err
	}
	if format == "md" {
		return headless.Markdown(w, s.Header(), s.Info().Title(), c)
	}
	trail, err := s.Errors()
	if err != nil {
		return err
	}
	doc := struct {
		Header   sessionio.Header        `json:"header"`
		Provider string                  `json:"provider,omitempty"`
		Model    string                  `json:"model,omitempty"`
		Messages []sessionio.Message     `json:"messages"`
		Errors   []sessionio.ErrorRecord `json:"errors"`
	}{Header: s.Header(), Messages: c.Messages, Errors: trail}
	if c.Model != nil {
		doc.Provider, doc.Model = c.Model.Provider, c.Model.Model
	}
	enc := headless.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}
