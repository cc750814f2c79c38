package tool

import (
	"context"
	"dugout/sessionio"
	_ "embed"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// maxTimeout is the longest timeout, in seconds, that is told from none.
const maxTimeout = 30 * 24 * 3600

//go:embed bash.md
var bashText string

type bashTool struct {
	shell   string
	started func(group int) (ended func())
}

type bashArgs struct {
	Command string `json:"command"`
	Timeout number `json:"timeout"`
}

func newBash(o Options) Tool {
	shell := o.Shell
	for _, name := range []string{"/bin/bash", "bash"} {
		if path, err := exec.LookPath(name); err == nil && shell == "" {
			shell = path
		}
	}
	if shell == "" {
		shell = "sh"
	}
	return bashTool{shell: shell, started: o.Started}
}

func (bashTool) Name() string        { return "bash" }
func (bashTool) Description() string { return strings.TrimSpace(bashText) }

func (bashTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"command":{"type":"string","description":"the command line"},` +
		`"timeout":{"type":"number","description":"seconds after which it is ended, default none"}},"required":["command"]}`)
}

func (t bashTool) args(call Call) (bashArgs, error) {
	args, err := decode[bashArgs](t.Name(), call)
	switch {
	case err != nil:
		return args, err
	case strings.TrimSpace(args.Command) == "":
		return args, missing(t.Name(), "command")
	case strings.ContainsRune(args.Command, 0):
		return args, fmt.Errorf("%s: the command has a NUL character in it: call again without", t.Name())
	}
	return args, call.checkCWD()
}

func (t bashTool) Effect(call Call) (Effect, error) {
	args, err := t.args(call)
	if err != nil {
		return Effect{}, err
	}
	return Effect{Kind: Execs, Command: args.Command, Title: oneLine(args.Command, 120), Preview: preview(args.Command)}, nil
}

func (t bashTool) Run(ctx context.Context, call Call) (Result, error) {
	args, err := t.args(call)
	if err != nil {
		return Result{}, err
	}
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	p := process{
		shell: t.shell, command: args.Command, dir: call.CWD, env: call.Env, started: t.started,
		timeout: time.Duration(min(max(float64(args.Timeout), 0), maxTimeout) * float64(time.Second)),
	}
	out := newOutput(call)
	end, err := p.run(ctx, out)
	out.close()
	if err != nil {
		return Result{}, err
	}
	return bashResult(out, end, p.timeout), nil
}

func bashResult(out *output, end ending, timeout time.Duration) Result {
	text, cut := out.text()
	d := map[string]any{"exitCode": end.exitCode()}
	var notes []string
	if cut != nil {
		d["truncation"] = cut
		notes = append(notes, out.cutNote(cut))
	}
	if out.path != "" {
		d["fullOutputPath"] = out.path
	}
	switch {
	case end.aborted:
		d["aborted"] = true
		notes = append(notes, "[aborted]")
	case end.timedOut:
		d["timedOut"] = true
		notes = append(notes, fmt.Sprintf("[ended after the timeout of %s: give a longer one, or run less]", timeout))
	case end.signal != "":
		notes = append(notes, fmt.Sprintf("[ended by the signal %s, exit status %d]", end.signal, end.exitCode()))
	case end.status != 0:
		notes = append(notes, fmt.Sprintf("[exit status %d]", end.status))
	}
	if end.background {
		notes = append(notes, "[processes left in the background run on, until the turn ends; their output is not kept]")
	}
	if text == "" {
		text = "[no output]"
	}
	if len(notes) > 0 {
		text = strings.TrimSuffix(text, "\n") + "\n" + strings.Join(notes, "\n")
	}
	return Result{
		Content: []sessionio.Block{{Type: sessionio.BlockText, Text: text}}, Details: details(d),
		IsError: end.exitCode() != 0 || end.aborted || end.timedOut,
	}
}
