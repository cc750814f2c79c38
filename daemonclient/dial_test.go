package daemonclient_test

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"errors"
	"net"
	"os"
	"strings"
	"testing"
)

// answerHello is the least daemon there is.
func answerHello(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			r := protocol.NewReader(conn)
			for {
				line, err := r.Read()
				if err != nil {
					return
				}
				f, _ := protocol.Decode(line)
				b, _ := protocol.EncodeResult(f.ID, protocol.Welcome{Version: protocol.Version, PID: 5})
				if _, err := conn.Write(b); err != nil {
					return
				}
			}
		}()
	}
}

func shortHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("/tmp", "dugout-dial")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	return home
}

func TestDialStartsADaemonWhenNoneAnswers(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	if _, err := daemonclient.Dial(within(t), daemonclient.Options{Home: home}); !errors.Is(err, daemonclient.ErrNoDaemon) {
		t.Fatalf("without Start: %v", err)
	}
	starts := 0
	start := func(context.Context) error {
		starts++
		l, err := net.Listen("unix", daemonclient.SocketPath(home))
		if err != nil {
			return err
		}
		t.Cleanup(func() { l.Close() })
		go answerHello(l)
		return nil
	}
	for range 2 {
		c, err := daemonclient.Dial(within(t), daemonclient.Options{Home: home, Start: start})
		if err != nil {
			t.Fatal(err)
		}
		if c.Welcome().PID != 5 {
			t.Errorf("welcome %+v", c.Welcome())
		}
		c.Close()
	}
	if starts != 1 {
		t.Errorf("started %d times", starts)
	}
}

func TestDialTellsWhyAStartFailed(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	if err := os.WriteFile(daemonclient.LogPath(home), []byte("words of an earlier run\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := daemonclient.Starter(home, []string{"/bin/sh", "-c", "echo the disk is on fire >&2; exit 3"}, nil)
	_, err := daemonclient.Dial(within(t), daemonclient.Options{Home: home, Start: start})
	if err == nil || !strings.Contains(err.Error(), "the disk is on fire") || strings.Contains(err.Error(), "earlier run") {
		t.Errorf("got %v", err)
	}
}

// A daemon that holds its socket and says nothing is named, not waited for and not replaced.
func TestDialNamesADeafDaemon(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	l, err := net.Listen("unix", daemonclient.SocketPath(home))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.WriteFile(protocol.LockPath(home), []byte("4711\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := func(context.Context) error { t.Error("started a second one"); return nil }
	_, err = daemonclient.Dial(within(t), daemonclient.Options{Home: home, Start: start})
	if err == nil || !strings.Contains(err.Error(), "pid 4711") || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("got %v", err)
	}
}
