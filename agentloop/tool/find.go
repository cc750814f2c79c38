package tool

import (
	"cmp"
	"context"
	"dugout/sessionio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const findLimit = 1000

//go:embed find.md
var findText string

type findTool struct{}

type findArgs struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Limit   number `json:"limit"`
}

func (findTool) Name() string        { return "find" }
func (findTool) Description() string { return strings.TrimSpace(findText) }

func (findTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"glob"},` +
		`"path":{"type":"string","description":"folder, default the working folder"},` +
		`"limit":{"type":"integer","description":"how many paths at most, default 1000"}},"required":["pattern"]}`)
}

func (t findTool) args(call Call) (args findArgs, g glob, root string, err error) {
	if args, err = decode[findArgs](t.Name(), call); err != nil {
		return args, g, "", err
	}
	if args.Pattern == "" {
		return args, g, "", missing(t.Name(), "pattern")
	}
	if g, err = newGlob(args.Pattern); err != nil {
		return args, g, "", err
	}
	root, err = call.resolve(cmp.Or(args.Path, "."))
	return args, g, root, err
}

func (t findTool) Effect(call Call) (Effect, error) {
	args, _, root, err := t.args(call)
	if err != nil {
		return Effect{}, err
	}
	title := "find " + oneLine(args.Pattern, 80)
	if args.Path != "" {
		title += " in " + call.short(root)
	}
	return Effect{Kind: Reads, Paths: []string{root}, Title: title}, nil
}

func (t findTool) Run(ctx context.Context, call Call) (Result, error) {
	args, g, root, err := t.args(call)
	if err != nil {
		return Result{}, err
	}
	fi, err := os.Stat(root)
	switch {
	case err != nil:
		return Result{}, fileError(root, err)
	case !fi.IsDir():
		return Result{}, fmt.Errorf("%s is not a folder: give the folder to look in", root)
	}
	limit := findLimit
	if n := args.Limit.int(20 * findLimit); n > 0 {
		limit = n
	}
	var found []string
	more := false
	show := newShower(call)
	err = walk(ctx, root, func(p string, e fs.DirEntry) error {
		rel, err := filepath.Rel(root, p)
		if err != nil || !g.matches(rel) {
			return nil
		}
		if more = len(found) == limit; more {
			return errEnough
		}
		name := lineSafe(show.path(p))
		if e.IsDir() {
			name += "/"
		}
		found = append(found, name)
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	return foundResult(found, more, limit), nil
}

func foundResult(found []string, more bool, limit int) Result {
	if len(found) == 0 {
		return Text("[nothing found]")
	}
	text, cut := head(strings.Join(found, "\n") + "\n")
	shown := strings.Count(text, "\n")
	res := Result{Content: []sessionio.Block{{Type: sessionio.BlockText, Text: strings.TrimSuffix(text, "\n")}}}
	if !more && !cut {
		return res
	}
	by := "lines"
	if cut {
		by = "bytes"
	}
	res.Content[0].Text += fmt.Sprintf("\n[only the first %d: there are more; give a narrower pattern or path, or a higher limit]", shown)
	res.Details = details(map[string]any{"truncation": truncation{
		Truncated: true, TruncatedBy: by, OutputLines: shown, OutputBytes: len(text), MaxLines: limit, MaxBytes: MaxBytes,
	}})
	return res
}

// shower names paths as the model should use them: relative to the session's folder when below it.
type shower struct{ cwd string }

func newShower(call Call) shower { return shower{realPath(call.CWD, 0)} }

func (s shower) path(abs string) string {
	if s.cwd == "/" {
		return abs
	}
	if rel, ok := strings.CutPrefix(abs, s.cwd+"/"); ok {
		return rel
	}
	return abs
}
