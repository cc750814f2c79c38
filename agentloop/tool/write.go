package tool

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

//go:embed write.md
var writeText string

type writeTool struct{ locks *Locks }

type writeArgs struct {
	Path    string  `json:"path"`
	Content *string `json:"content"`
}

func (writeTool) Name() string        { return "write" }
func (writeTool) Description() string { return strings.TrimSpace(writeText) }

func (writeTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"path":{"type":"string","description":"file, relative to the working folder or absolute"},` +
		`"content":{"type":"string","description":"the whole new content"}},"required":["path","content"]}`)
}

func (t writeTool) args(call Call) (path, content string, err error) {
	args, err := decode[writeArgs](t.Name(), call)
	switch {
	case err != nil:
		return "", "", err
	case args.Path == "":
		return "", "", missing(t.Name(), "path")
	case args.Content == nil:
		return "", "", fmt.Errorf("%s: the argument content is missing: call again with the whole content, which may be empty", t.Name())
	}
	path, err = call.resolve(args.Path)
	return path, *args.Content, err
}

func (t writeTool) Effect(call Call) (Effect, error) {
	path, content, err := t.args(call)
	if err != nil {
		return Effect{}, err
	}
	e := Effect{Kind: Edits, Paths: []string{path}, Title: "write " + call.short(path), Preview: preview(content)}
	before, exists, err := present(path)
	if err != nil {
		return Effect{}, err
	}
	if exists && before != nil {
		if d := unified(call.short(path), string(before), content); d.Diff != "" {
			e.Preview = preview(d.Diff)
		}
	}
	return e, nil
}

func (t writeTool) Run(ctx context.Context, call Call) (Result, error) {
	path, content, err := t.args(call)
	if err != nil {
		return Result{}, err
	}
	defer t.locks.lock(path)()
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	before, exists, err := present(path)
	if err != nil {
		return Result{}, err
	}
	if err := replace(path, []byte(content)); err != nil {
		return Result{}, err
	}
	what := fmt.Sprintf("wrote %s, %d lines, to %s", size(int64(len(content))), countLines(content), valid(path))
	if !exists {
		res := Text(what + " (new file)")
		res.Details = details(diff{Created: true})
		return res, nil
	}
	res := Text(what)
	if before != nil {
		res.Details = details(unified(call.short(path), string(before), content))
	}
	return res, nil
}

// present reads what a write would replace, for its diff: nil when that is binary, unreadable or
// too big to show.
func present(path string) (content []byte, exists bool, err error) {
	fi, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, nil
	case err != nil:
		return nil, false, fileError(path, err)
	}
	if err := notAFile(path, fi); err != nil {
		return nil, true, err
	}
	f, fi, err := openRegular(path)
	if err != nil || fi.Size() > maxEdited {
		if err == nil {
			f.Close()
		}
		return nil, true, nil
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxEdited))
	if err != nil || binary(b) {
		return nil, true, nil
	}
	if b == nil {
		b = []byte{}
	}
	return b, true, nil
}
