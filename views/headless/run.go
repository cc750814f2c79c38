package headless

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/sanitize"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
)

// RunOptions of Run.
type RunOptions struct {
	Ref    protocol.SessionRef // of a live session
	Prompt string
	JSON   bool // print every event instead of the answer
	Quiet  bool // no word about tools on Errs
	Keep   bool // an interruption leaves the turn running
	Out    io.Writer
	Errs   io.Writer
}

// How a run ended other than well.
var (
	ErrTurnFailed = errors.New("the turn failed")
	ErrDenied     = errors.New("denied by permission")
	ErrAborted    = errors.New("the turn was aborted; what was said is kept")
	ErrClosed     = errors.New("the session was closed")
)

// Run sends one prompt, follows the turn to its end and prints the answer. A cancelled ctx aborts
// the turn.
func Run(ctx context.Context, c *daemonclient.Client, o RunOptions) error {
	at, err := c.Attach(ctx, protocol.Attach{SessionRef: o.Ref, Tail: 1})
	if err != nil {
		return err
	}
	// What leaves must be told in spite of a cancelled ctx, yet not wait for ever.
	defer func() {
		bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = c.Detach(bye, o.Ref) // the connection closes behind it anyway
	}()
	err = c.Call(ctx, protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: o.Ref, Text: o.Prompt, ClientID: uuid.NewString()}, nil)
	switch {
	case err != nil && ctx.Err() != nil: // it may have arrived all the same
		return interrupted(ctx, c, o)
	case err != nil:
		return err
	}
	f := follower{o: o}
	for {
		select {
		case <-ctx.Done():
			return interrupted(ctx, c, o)
		case ev, ok := <-at.Events:
			if !ok {
				return daemonclient.ErrLost
			}
			done, err := f.take(ev)
			if err != nil {
				return err
			}
			if done {
				return f.finish()
			}
		}
	}
}

// interrupted aborts the turn, unless it is to be kept.
func interrupted(ctx context.Context, c *daemonclient.Client, o RunOptions) error {
	if !o.Keep {
		bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		if err := c.Call(bye, protocol.MethodSessionAbort, o.Ref, nil); err != nil {
			return fmt.Errorf("interrupted, and the turn may still run: %w", err)
		}
	}
	return ctx.Err()
}

// follower reads a turn's events to its end.
type follower struct {
	o        RunOptions
	asked    bool // our question is in the file
	begun    bool // something came of it
	answered bool // to its end
	later    bool // what comes now answers another question
	answer   string
	failed   *sessionio.ErrorRecord
	denied   string
	aborted  bool
}

func (f *follower) take(ev protocol.Event) (done bool, err error) {
	if f.o.JSON {
		if err := NewEncoder(f.o.Out).Encode(ev); err != nil {
			return false, err
		}
	}
	switch ev.Type {
	case protocol.EventEntry:
		f.entry(ev.Entry)
	case protocol.EventToolStart:
		f.say("· " + ev.Tool.Title)
	case protocol.EventRetry:
		if ev.Retry != nil {
			f.say(fmt.Sprintf("· %s; try %d of %d", ev.Retry.Reason, ev.Retry.Attempt, ev.Retry.Max))
		}
	case protocol.EventError:
		f.failed, f.begun = ev.Error, true
	case protocol.EventSummary:
		return f.over(ev.Summary), nil
	case protocol.EventSnapshot:
		for i := range ev.Snapshot.Entries {
			f.entry(&ev.Snapshot.Entries[i])
		}
		return f.over(&ev.Snapshot.Summary), nil
	case protocol.EventClosed:
		return false, fmt.Errorf("%w: %s", ErrClosed, ev.Reason)
	case protocol.EventDelta, protocol.EventAnswerEnd, protocol.EventToolOutput, protocol.EventToolEnd,
		protocol.EventPermission, protocol.EventAnswered, protocol.EventQueue:
	}
	return false, nil
}

// over says that the turn has ended. A queue that it left waits for a person.
func (f *follower) over(s *protocol.Summary) bool {
	return f.begun && (s.State == protocol.StateIdle || s.State == protocol.StateQueued)
}

func (f *follower) entry(e *sessionio.Entry) {
	if e == nil || e.Message == nil {
		return
	}
	switch m := e.Message; m.Role {
	case sessionio.RoleUser:
		f.later = f.later || f.asked && f.answered // a message that waited behind ours
		f.asked = f.asked || text(m.Content) == f.o.Prompt
	case sessionio.RoleAssistant:
		if !f.asked || f.later {
			return // of another turn
		}
		f.answered = m.StopReason == sessionio.StopEnd || m.StopReason == sessionio.StopLength
		f.begun = true
		f.aborted = m.StopReason == sessionio.StopAborted
		f.answer = text(m.Content)
	case sessionio.RoleToolResult:
		if d := deniedBy(m); d != "" {
			f.denied = d
		}
	}
}

// deniedBy reads the mark that the agent leaves in a denied call's result.
func deniedBy(m *sessionio.Message) string {
	var d struct {
		Denied string `json:"denied"`
	}
	if len(m.Details) == 0 || json.Unmarshal(m.Details, &d) != nil {
		return ""
	}
	return d.Denied
}

func text(content []sessionio.Block) string {
	var parts []string
	for _, b := range content {
		if b.Type == sessionio.BlockText && b.Text != "" {
			parts = append(parts, b.Text)
		}
	}
	return strings.Join(parts, "\n")
}

func (f *follower) say(line string) {
	if !f.o.Quiet {
		fmt.Fprintln(f.o.Errs, sanitize.Line(line, 400))
	}
}

func (f *follower) finish() error {
	if !f.o.JSON && f.answer != "" {
		if _, err := fmt.Fprintln(f.o.Out, strings.TrimRight(sanitize.Text(f.answer), "\n")); err != nil {
			return err
		}
	}
	switch {
	case f.failed != nil:
		return fmt.Errorf("%w: %s", ErrTurnFailed, f.failed.Line)
	case f.aborted:
		return ErrAborted
	case f.denied != "":
		return fmt.Errorf("%w: %s", ErrDenied, f.denied)
	}
	return nil
}
