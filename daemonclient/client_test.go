package daemonclient_test

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/clienttest"
	"dugout/daemonclient/protocol"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func TestCallsCrossFreely(t *testing.T) {
	t.Parallel()
	d, c := clienttest.New(t)
	d.Handle("echo", func(p json.RawMessage) (any, error) { return p, nil })
	d.Handle("refuse", func(json.RawMessage) (any, error) {
		return nil, &protocol.Error{Code: protocol.CodeBusy, Message: "a turn runs"}
	})
	ctx := within(t)
	var all sync.WaitGroup
	for n := range 50 {
		all.Add(1)
		go func() {
			defer all.Done()
			var got int
			if err := c.Call(ctx, "echo", n, &got); err != nil || got != n {
				t.Errorf("echo %d: %d, %v", n, got, err)
			}
		}()
	}
	all.Wait()
	err := c.Call(ctx, "refuse", nil, nil)
	if protocol.CodeOf(err) != protocol.CodeBusy || err.Error() != "a turn runs" {
		t.Errorf("refusal: %v", err)
	}
}

func TestLostConnectionEndsCallsAndStreams(t *testing.T) {
	t.Parallel()
	d, c := clienttest.New(t)
	d.HandleAttach(protocol.Snapshot{Summary: protocol.Summary{ID: "s"}})
	ctx := within(t)
	att, err := c.Attach(ctx, protocol.Attach{})
	if err != nil {
		t.Fatal(err)
	}
	d.Emit(protocol.Event{Session: "s", Type: protocol.EventClosed, Reason: "shutdown"})
	roster, err := c.SubscribeRoster(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d.Handle("die", func(json.RawMessage) (any, error) { d.HangUp(); return nil, nil })
	if err := c.Call(ctx, "die", nil, nil); !errors.Is(err, daemonclient.ErrLost) {
		t.Errorf("call in flight: %v, want ErrLost", err)
	}
	<-c.Done()
	if e := <-att.Events; e.Type != protocol.EventClosed || e.Reason != "shutdown" {
		t.Errorf("what came before the end is lost: %+v", e)
	}
	if _, open := <-att.Events; open {
		t.Error("session stream still open")
	}
	if _, open := <-roster.Events; open {
		t.Error("roster stream still open")
	}
	if err := c.Call(ctx, "late", nil, nil); !errors.Is(err, daemonclient.ErrLost) {
		t.Errorf("call after: %v", err)
	}
}

func TestCancelledCallLeavesTheConnectionUsable(t *testing.T) {
	t.Parallel()
	d, c := clienttest.New(t)
	slow := make(chan struct{})
	d.Handle("slow", func(json.RawMessage) (any, error) { <-slow; return "late", nil })
	ctx, cancel := context.WithCancel(within(t))
	go func() { d.WaitCall("slow", 1); cancel() }()
	var got string
	if err := c.Call(ctx, "slow", nil, &got); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	close(slow)
	if err := c.Call(within(t), "next", nil, nil); err != nil || got != "" {
		t.Errorf("next: %v; late result %q", err, got)
	}
}

func TestVersionsThatDiffer(t *testing.T) {
	t.Parallel()
	near, far := pipe()
	go func() {
		r := protocol.NewReader(far)
		line, _ := r.Read()
		f, _ := protocol.Decode(line)
		b, _ := protocol.EncodeResult(f.ID, protocol.Welcome{Version: 9, PID: 77, AppVersion: "9.1"})
		_, _ = far.Write(b)
	}()
	_, err := daemonclient.New(within(t), near, daemonclient.Options{AppVersion: "0.1"})
	if protocol.CodeOf(err) != protocol.CodeVersion {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"pid 77", "9.1", "0.1", "dugout daemon stop"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
}
