package agentloop

import (
	"context"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strings"
)

// mostParallel bounds the reads that run side by side.
const mostParallel = 8

// interrupted is what the model reads of a call that did not come to its end.
const interrupted = "interrupted: the turn was stopped before this call was done"

// toolRun is one tool call on its way to a result.
type toolRun struct {
	call   sessionio.Block
	tool   tool.Tool
	effect tool.Effect
	res    tool.Result
	ran    bool
	crash  error         // a panic in the tool
	done   chan struct{} // closed when res is there
}

// runCalls runs the calls of an answer and appends a result for each, in their order: consecutive
// reads side by side, everything else one by one. After an abort or a crash the calls that are left
// get a result that says so. The error is a crash or a failed append.
func (a *Agent) runCalls(ctx context.Context, t *turn, calls []sessionio.Block) error {
	var crash error
	var carried *toolRun
	for i := 0; i < len(calls); {
		if ctx.Err() != nil || crash != nil {
			if err := a.keepResult(&toolRun{call: calls[i], res: errorResult(interrupted)}); err != nil {
				return err
			}
			i++
			continue
		}
		var group []*toolRun
		group, carried = a.group(t, calls[i:], carried)
		if err := a.runGroup(ctx, group); err != nil {
			return err
		}
		for _, r := range group {
			t.commands = t.commands || r.ran && r.effect.Kind == tool.Execs
			if r.crash != nil && crash == nil {
				crash = r.crash
			}
		}
		i += len(group)
	}
	return crash
}

// group takes the calls that may run side by side from the front of calls: all reads, or one that is
// none. The effect of a call is asked for when those before it are done; only over reads, which
// change nothing, is it asked ahead, and then carried to the next group.
func (a *Agent) group(t *turn, calls []sessionio.Block, carried *toolRun) (group []*toolRun, next *toolRun) {
	for _, c := range calls {
		r := carried
		carried = nil
		if r == nil {
			r = a.prepare(t, c)
		}
		free := r.res.Content != nil || r.effect.Kind == tool.Reads
		if !free && len(group) > 0 {
			return group, r
		}
		group = append(group, r)
		if !free {
			return group, nil
		}
	}
	return group, nil
}

// prepare finds the tool and what the call would do; a call that can't run has its result at once.
func (a *Agent) prepare(t *turn, c sessionio.Block) *toolRun {
	r := &toolRun{call: c, done: make(chan struct{})}
	if raw, bad := t.badArgs[c.ID]; bad {
		r.res = errorResult("the arguments are no JSON object: " + cutRunes(raw, 2000))
		return r
	}
	tl, ok := a.tools[c.Name]
	if !ok {
		names := make([]string, 0, len(a.tools))
		for n := range a.tools {
			names = append(names, n)
		}
		sort.Strings(names)
		r.res = errorResult(fmt.Sprintf("no tool is named %q; there are: %s", c.Name, strings.Join(names, ", ")))
		return r
	}
	r.tool = tl
	if st, err := os.Stat(a.o.CWD); err != nil || !st.IsDir() { // never in some other folder
		r.res = deniedResult("the session's folder " + a.o.CWD + " is gone; go on with the session in another one")
		return r
	}
	err := guard("the tool "+c.Name, func() (err error) {
		r.effect, err = tl.Effect(a.toolCall(c))
		return err
	})
	if err != nil {
		r.res = errorResult(err.Error())
		r.crash = asPanic(err)
	}
	return r
}

func (a *Agent) toolCall(c sessionio.Block) tool.Call {
	return tool.Call{
		ID: c.ID, Args: c.Arguments, CWD: a.o.CWD, ArtifactDir: a.o.ArtifactDir, Env: a.o.Env,
		Context: func() ([]sessionio.Message, error) {
			seen, err := a.ledger.context(a.sess)
			return seen.Messages, err
		},
	}
}

// runGroup runs a group and appends each result as soon as those before it are in. It returns when
// all of them have ended, whatever happens.
func (a *Agent) runGroup(ctx context.Context, group []*toolRun) error {
	slots := make(chan struct{}, mostParallel)
	for _, r := range group {
		go func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			defer close(r.done)
			if r.res.Content != nil {
				return
			}
			if err := guard("the tool "+r.call.Name, func() error { a.runOne(ctx, r); return nil }); err != nil {
				r.res, r.crash = errorResult(err.Error()), err
			}
		}()
	}
	var failed error
	for _, r := range group {
		<-r.done
		if failed == nil {
			failed = a.keepResult(r)
		}
	}
	return failed
}

// runOne asks for permission and runs the call.
func (a *Agent) runOne(ctx context.Context, r *toolRun) {
	denial, err := a.permit(ctx, r)
	switch {
	case err != nil:
		r.res = errorResult(interrupted)
		return
	case denial != "":
		r.res = deniedResult(denial)
		return
	}
	r.ran = true
	call := a.toolCall(r.call)
	call.Progress = func(chunk string) {
		a.out.put(Event{ToolOutput: &ToolOutput{CallID: r.call.ID, Chunk: chunk}})
		a.out.flush()
	}
	a.out.put(Event{ToolStart: &ToolStart{
		CallID: r.call.ID, Tool: r.call.Name, Args: string(call.Args), Effect: r.effect,
	}})
	a.update(func(st *State) { st.Activity, st.Tool = a.busyWithToolsLocked(), r.call.Name })
	res, err := r.tool.Run(ctx, call)
	switch {
	case err == nil && (ctx.Err() == nil || !res.IsError):
		r.res = res // what is done is done, also when the abort came meanwhile
	case ctx.Err() != nil:
		res.Content, res.IsError = append(res.Content, textBlock(interrupted)), true
		r.res = res
	default:
		res.Content, res.IsError = append(res.Content, textBlock(err.Error())), true
		r.res = res
	}
	if r.res.Content == nil {
		r.res.Content = []sessionio.Block{textBlock("")}
	}
}

// keepResult appends a call's result and closes the call.
func (a *Agent) keepResult(r *toolRun) error {
	_, err := a.append(a.message(sessionio.Message{
		Role: sessionio.RoleToolResult, ToolCallID: r.call.ID, ToolName: r.call.Name,
		Content: r.res.Content, Details: r.res.Details, IsError: r.res.IsError,
	}))
	if err != nil {
		return err
	}
	if r.ran {
		a.out.put(Event{ToolEnd: &ToolEnd{CallID: r.call.ID, IsError: r.res.IsError}})
		a.out.flush()
	}
	return nil
}

func textBlock(s string) sessionio.Block { return sessionio.Block{Type: sessionio.BlockText, Text: s} }

func errorResult(text string) tool.Result {
	res := tool.Text(text)
	res.IsError = true
	return res
}

// deniedResult is the result of a call that was not allowed; Details lets a front end tell it from a
// call that ran and failed.
func deniedResult(why string) tool.Result {
	res := errorResult("not run: " + why)
	res.Details, _ = json.Marshal(map[string]string{"denied": why})
	return res
}

func asPanic(err error) error {
	var p *panicError
	if errors.As(err, &p) {
		return p
	}
	return nil
}
