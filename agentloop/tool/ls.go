package tool

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

const (
	lsLimit = 500
	// mostListed bounds how many names of a folder are held for sorting.
	mostListed = 200_000
)

//go:embed ls.md
var lsText string

type lsTool struct{}

type lsArgs struct {
	Path  string `json:"path"`
	Limit number `json:"limit"`
}

func (lsTool) Name() string        { return "ls" }
func (lsTool) Description() string { return strings.TrimSpace(lsText) }

func (lsTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"path":{"type":"string","description":"folder, default the working folder"},` +
		`"limit":{"type":"integer","description":"how many names at most, default 500"}}}`)
}

func (t lsTool) args(call Call) (args lsArgs, path string, err error) {
	if args, err = decode[lsArgs](t.Name(), call); err != nil {
		return args, "", err
	}
	path, err = call.resolve(cmp.Or(args.Path, "."))
	return args, path, err
}

func (t lsTool) Effect(call Call) (Effect, error) {
	_, path, err := t.args(call)
	if err != nil {
		return Effect{}, err
	}
	return Effect{Kind: Reads, Paths: []string{path}, Title: "ls " + call.short(path)}, nil
}

func (t lsTool) Run(ctx context.Context, call Call) (Result, error) {
	args, path, err := t.args(call)
	if err != nil {
		return Result{}, err
	}
	fi, err := os.Stat(path)
	switch {
	case err != nil:
		return Result{}, fileError(path, err)
	case !fi.IsDir():
		return Result{}, fmt.Errorf("%s is not a folder: read it with read", path)
	}
	names, err := listFolder(ctx, path)
	if err != nil {
		return Result{}, err
	}
	limit := lsLimit
	if n := args.Limit.int(mostListed); n > 0 {
		limit = n
	}
	return listing(names, limit, "names", "list a folder below it, or use find with a pattern"), nil
}

func listFolder(ctx context.Context, path string) ([]string, error) {
	dir, err := os.Open(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	defer dir.Close()
	var names []string
	for len(names) < mostListed && ctx.Err() == nil {
		entries, err := dir.ReadDir(1000)
		for _, e := range entries {
			names = append(names, nameOf(path, e))
		}
		if err != nil || len(entries) == 0 {
			break
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	})
	return names, ctx.Err()
}

// nameOf marks folders, also those behind a link.
func nameOf(dir string, e os.DirEntry) string {
	isDir := e.IsDir()
	if e.Type()&os.ModeSymlink != 0 {
		fi, err := os.Stat(dir + "/" + e.Name())
		isDir = err == nil && fi.IsDir()
	}
	name := lineSafe(e.Name())
	if isDir {
		name += "/"
	}
	return name
}

// lineSafe keeps a name on one line of a listing.
func lineSafe(name string) string {
	if strings.ContainsAny(name, "\n\r") {
		return fmt.Sprintf("%q", name)
	}
	return valid(name)
}

// listing is a result of one line a name, cut at limit and MaxBytes.
func listing(names []string, limit int, what, instead string) Result {
	if len(names) == 0 {
		return Text("[no " + what + "]")
	}
	total := len(names)
	names = names[:min(limit, total)]
	text, cut := head(strings.Join(names, "\n") + "\n")
	shown := strings.Count(text, "\n")
	res := Text(strings.TrimSuffix(text, "\n"))
	if shown == total {
		return res
	}
	by := "lines"
	if cut {
		by = "bytes"
	}
	res.Content[0].Text += fmt.Sprintf("\n[the first %d of %d %s: for the others %s]", shown, total, what, instead)
	res.Details = details(map[string]any{"truncation": truncation{
		Truncated: true, TruncatedBy: by, TotalLines: total, OutputLines: shown, OutputBytes: len(text),
		MaxLines: limit, MaxBytes: MaxBytes,
	}})
	return res
}
