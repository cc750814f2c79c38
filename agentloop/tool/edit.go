package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// maxEdited is the largest file that edit takes.
const maxEdited = 8 << 20

const bom = "\ufeff"

//go:embed edit.md
var editText string

type editTool struct{ locks *Locks }

type editArgs struct {
	Path    string          `json:"path"`
	Edits   json.RawMessage `json:"edits"` // a list, or a string that holds one
	OldText *string         `json:"oldText"`
	NewText *string         `json:"newText"`
}

type replacement struct {
	OldText string `json:"oldText"`
	NewText string `json:"newText"`
}

func (editTool) Name() string        { return "edit" }
func (editTool) Description() string { return strings.TrimSpace(editText) }

func (editTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"path":{"type":"string","description":"file, relative to the working folder or absolute"},` +
		`"edits":{"type":"array","minItems":1,"items":{"type":"object","properties":{` +
		`"oldText":{"type":"string","description":"the passage as it stands in the file, found exactly once"},` +
		`"newText":{"type":"string","description":"what takes its place"}},"required":["oldText","newText"]}}},` +
		`"required":["path","edits"]}`)
}

func (t editTool) args(call Call) (path string, edits []replacement, err error) {
	args, err := decode[editArgs](t.Name(), call)
	switch {
	case err != nil:
		return "", nil, err
	case args.Path == "":
		return "", nil, missing(t.Name(), "path")
	}
	raw := args.Edits
	var text string
	if json.Unmarshal(raw, &text) == nil && text != "" {
		raw = json.RawMessage(text)
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &edits); err != nil {
			return "", nil, fmt.Errorf("%s: edits is not a list of {oldText, newText}: call again with one", t.Name())
		}
	}
	if args.OldText != nil && args.NewText != nil {
		edits = append(edits, replacement{*args.OldText, *args.NewText})
	}
	if len(edits) == 0 {
		return "", nil, missing(t.Name(), "edits")
	}
	path, err = call.resolve(args.Path)
	return path, edits, err
}

func (t editTool) Effect(call Call) (Effect, error) {
	path, edits, err := t.args(call)
	if err != nil {
		return Effect{}, err
	}
	before, after, err := edited(path, edits)
	if err != nil {
		return Effect{}, err
	}
	name := call.short(path)
	return Effect{
		Kind: Edits, Paths: []string{path}, Title: "edit " + name,
		Preview: preview(unified(name, before, after).Diff),
	}, nil
}

func (t editTool) Run(ctx context.Context, call Call) (Result, error) {
	path, edits, err := t.args(call)
	if err != nil {
		return Result{}, err
	}
	defer t.locks.lock(path)()
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	before, after, err := edited(path, edits)
	if err != nil {
		return Result{}, err
	}
	if err := replace(path, []byte(after)); err != nil {
		return Result{}, err
	}
	d := unified(call.short(path), before, after)
	res := Text(fmt.Sprintf("changed %d %s in %s, from line %d", len(edits), plural(len(edits), "passage"), valid(path), d.FirstChangedLine))
	res.Details = details(d)
	return res, nil
}

// edited reads the file and applies the edits to its text.
func edited(path string, edits []replacement) (before, after string, err error) {
	f, fi, err := openRegular(path)
	if err != nil {
		return "", "", err
	}
	defer f.Close()
	tooBig := fmt.Errorf("%s is too big for edit (%s, at most %s): change it with bash (sed, perl)", path, size(fi.Size()), size(maxEdited))
	if fi.Size() > maxEdited {
		return "", "", tooBig
	}
	b, err := io.ReadAll(io.LimitReader(f, maxEdited+1))
	switch {
	case err != nil:
		return "", "", fileError(path, err)
	case len(b) > maxEdited:
		return "", "", tooBig
	case binary(b):
		return "", "", fmt.Errorf("%s is a binary file: edit changes text only", path)
	}
	before = string(b)
	after, err = applyEdits(before, edits)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", path, err)
	}
	return before, after, nil
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
