package headless

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/clienttest"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const session = sessionio.ID("s1")

func entry(m sessionio.Message) protocol.Event {
	return protocol.Event{Type: protocol.EventEntry, Entry: &sessionio.Entry{Type: sessionio.TypeMessage, ID: "e1", Message: &m}}
}

func asked() protocol.Event {
	return entry(sessionio.Message{Role: sessionio.RoleUser, Content: block("ask")})
}

func answered(text string) protocol.Event {
	return entry(sessionio.Message{Role: sessionio.RoleAssistant, Content: block(text), StopReason: sessionio.StopEnd})
}

func state(s protocol.State, queued int) protocol.Event {
	return protocol.Event{Type: protocol.EventSummary, Summary: &protocol.Summary{ID: session, State: s, Queued: queued}}
}

func idle() protocol.Event { return state(protocol.StateIdle, 0) }

// runOver runs a prompt against a daemon that answers it with events.
func runOver(t *testing.T, o RunOptions, events ...protocol.Event) (out, errs string, err error) {
	t.Helper()
	d, c := clienttest.New(t)
	d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: session, State: protocol.StateIdle}})
	prompted := make(chan struct{})
	d.Handle(protocol.MethodSessionPrompt, func(json.RawMessage) (any, error) {
		close(prompted)
		return protocol.Prompted{}, nil
	})
	emitted := make(chan struct{})
	go func() {
		defer close(emitted)
		<-prompted
		for _, e := range events {
			e.Session = session
			d.Emit(e)
		}
	}()
	var outs, errOut strings.Builder
	o.Ref, o.Prompt, o.Out, o.Errs = protocol.SessionRef{ID: session}, "ask", &outs, &errOut
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	err = Run(ctx, c, o)
	<-emitted
	return outs.String(), errOut.String(), err
}

func TestRun(t *testing.T) {
	t.Parallel()
	other := entry(sessionio.Message{Role: sessionio.RoleUser, Content: block("another question")})
	denied := entry(sessionio.Message{Role: sessionio.RoleToolResult, Details: json.RawMessage(`{"denied":"edits need a person"}`)})
	failed := protocol.Event{Type: protocol.EventError, Error: &sessionio.ErrorRecord{Line: "overloaded"}}
	aborted := entry(sessionio.Message{Role: sessionio.RoleAssistant, Content: block("half"), StopReason: sessionio.StopAborted})
	tool := protocol.Event{Type: protocol.EventToolStart, Tool: &protocol.ToolRun{Title: "read\x1b[2J x"}}
	retry := protocol.Event{Type: protocol.EventRetry, Retry: &protocol.Retry{Attempt: 2, Max: 3, Reason: "overloaded"}}
	snapshot := protocol.Event{Type: protocol.EventSnapshot, Snapshot: &protocol.Snapshot{
		Summary: protocol.Summary{ID: session, State: protocol.StateIdle}, Entries: []sessionio.Entry{*asked().Entry, *answered("from a snapshot").Entry},
	}}
	closed := protocol.Event{Type: protocol.EventClosed, Reason: "deleted"}
	for name, c := range map[string]struct {
		events []protocol.Event
		out    string
		errs   string
		err    error
	}{
		"an answer":             {[]protocol.Event{state(protocol.StateStreaming, 0), asked(), answered("well\n"), idle()}, "well\n", "", nil},
		"idle before the start": {[]protocol.Event{idle(), asked(), idle(), answered("late"), idle()}, "late\n", "", nil},
		"of an earlier turn":    {[]protocol.Event{answered("not ours"), state(protocol.StateIdle, 1), asked(), answered("ours"), idle()}, "ours\n", "", nil},
		"the last one":          {[]protocol.Event{asked(), answered("first"), answered("second"), idle()}, "second\n", "", nil},
		"what waited behind it": {[]protocol.Event{asked(), answered("first"), other, answered("second"), idle()}, "first\n", "", nil},
		"a queue that waits":    {[]protocol.Event{asked(), answered("first"), state(protocol.StateQueued, 1)}, "first\n", "", nil},
		"made safe":             {[]protocol.Event{asked(), answered("a\x1b]0;x\x07b"), idle()}, "ab\n", "", nil},
		"tools and retries":     {[]protocol.Event{asked(), tool, retry, answered("x"), idle()}, "x\n", "· read x\n· overloaded; try 2 of 3\n", nil},
		"a failure":             {[]protocol.Event{asked(), failed, idle()}, "", "", ErrTurnFailed},
		"a denial":              {[]protocol.Event{asked(), denied, answered("could not"), idle()}, "could not\n", "", ErrDenied},
		"an abort":              {[]protocol.Event{asked(), aborted, idle()}, "half\n", "", ErrAborted},
		"a snapshot":            {[]protocol.Event{snapshot}, "from a snapshot\n", "", nil},
		"the session's end":     {[]protocol.Event{asked(), closed}, "", "", ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, errs, err := runOver(t, RunOptions{}, c.events...)
			if out != c.out || errs != c.errs || !errors.Is(err, c.err) {
				t.Errorf("out %q, errs %q, err %v; want %q, %q, %v", out, errs, err, c.out, c.errs, c.err)
			}
		})
	}
}

func TestRunQuiet(t *testing.T) {
	t.Parallel()
	tool := protocol.Event{Type: protocol.EventToolStart, Tool: &protocol.ToolRun{Title: "read x"}}
	if _, errs, err := runOver(t, RunOptions{Quiet: true}, asked(), tool, answered("x"), idle()); errs != "" || err != nil {
		t.Errorf("%q, %v", errs, err)
	}
}

func TestRunPrintsEvents(t *testing.T) {
	t.Parallel()
	out, _, err := runOver(t, RunOptions{JSON: true}, asked(), answered("a\u009bb"), idle())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines: %q", len(lines), out)
	}
	for _, l := range lines {
		harmless(t, l)
		if !json.Valid([]byte(l)) {
			t.Errorf("no JSON: %s", l)
		}
	}
}

// interrupt begins a run, cancels it in the middle of its turn, and returns the daemon.
func interrupt(t *testing.T, o RunOptions) *clienttest.Daemon {
	t.Helper()
	d, c := clienttest.New(t)
	d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: session}})
	o.Ref, o.Out, o.Errs = protocol.SessionRef{ID: session}, &strings.Builder{}, &strings.Builder{}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- Run(ctx, c, o) }()
	d.WaitCall(protocol.MethodSessionPrompt, 1)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ends with %v", err)
	}
	return d
}

// An interrupted run aborts its turn, unless it is to be kept; it detaches in any case.
func TestRunInterrupted(t *testing.T) {
	t.Parallel()
	d := interrupt(t, RunOptions{})
	d.WaitCall(protocol.MethodSessionAbort, 1)
	d.WaitCall(protocol.MethodSessionDetach, 1)
	d = interrupt(t, RunOptions{Keep: true})
	d.WaitCall(protocol.MethodSessionDetach, 1)
	if n := len(d.Calls(protocol.MethodSessionAbort)); n != 0 {
		t.Errorf("%d aborts of a turn that is kept", n)
	}
}

func TestRunLosesTheDaemon(t *testing.T) {
	t.Parallel()
	d, c := clienttest.New(t)
	d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: session}})
	d.Handle(protocol.MethodSessionPrompt, func(json.RawMessage) (any, error) {
		go d.HangUp()
		return protocol.Prompted{}, nil
	})
	err := Run(context.Background(), c, RunOptions{Ref: protocol.SessionRef{ID: session}, Out: &strings.Builder{}, Errs: &strings.Builder{}})
	if !errors.Is(err, daemonclient.ErrLost) {
		t.Errorf("it ends with %v", err)
	}
}
