package host

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// daemonHomeVar makes the test binary a daemon of that home.
const daemonHomeVar = "DUGOUT_TEST_DAEMON_HOME"

func runTestDaemon(home string) {
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	l, err := Listen(home, daemonclient.SocketPath(home))
	if err != nil {
		fail(err)
	}
	o, err := testOptions(home)
	if err != nil {
		fail(err)
	}
	h, err := New(o)
	if err != nil {
		fail(err)
	}
	if err := h.Serve(context.Background(), l); err != nil {
		fail(err)
	}
}

// dial reaches a daemon in a process of its own, started if there is none.
func dial(t *testing.T, home string) (*client, *rig) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, home: home, cwd: t.TempDir()}
	dc, err := daemonclient.Dial(r.ctx(), daemonclient.Options{
		Home: home, Client: "test",
		Start: daemonclient.Starter(home, []string{exe}, append(os.Environ(), daemonHomeVar+"="+home)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dc.Close() })
	return &client{dc, r}, r
}

func kill(t *testing.T, c *client) {
	t.Helper()
	p, err := os.FindProcess(c.Welcome().PID)
	if err != nil || p.Kill() != nil {
		t.Fatal("cannot kill the daemon")
	}
	<-c.Done()
}

func TestDaemonKilledInTheMiddleOfTurns(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	c, r := dial(t, home)
	cwd := r.cwd
	streams := c.start("say: a\nrun: echo kept\nsay: streaming now\nwait: 10m")
	s := c.attach(protocol.Attach{SessionRef: byID(streams.ID)})
	s.until("a stream", func() bool { return s.heard("streaming now") })
	pidFile := filepath.Join(cwd, "pid")
	runs := c.start("run: echo $$ > pid; exec sleep 600")
	k := c.attach(protocol.Attach{SessionRef: byID(runs.ID)})
	k.until("a running tool", func() bool { return len(k.tools) == 1 })
	r.until("its pid", func() bool { b, _ := os.ReadFile(pidFile); return strings.HasSuffix(string(b), "\n") })
	acknowledged := []protocol.Summary{streams, runs}
	for n := range 10 {
		acknowledged = append(acknowledged, c.start(fmt.Sprintf("say: number %d\nwait: 10m", n)))
	}
	kill(t, c)

	c, r = dial(t, home)
	r.cwd = cwd
	b, err := os.ReadFile(pidFile)
	if err != nil {
		t.Fatal(err)
	}
	r.until("the end of the orphan", func() bool {
		_, alive := processStart(atoi(t, strings.TrimSpace(string(b))))
		return !alive
	})
	if n := len(c.live()); n != 0 {
		t.Errorf("%d sessions resumed by themselves", n)
	}
	for _, was := range acknowledged {
		if was.Path == "" {
			t.Fatalf("no path: %+v", was)
		}
		a := c.attach(protocol.Attach{SessionRef: protocol.SessionRef{Path: was.Path}})
		if got := a.texts(sessionio.RoleUser); len(got) != 1 {
			t.Errorf("%s lost its question: %q", was.ID, got)
		}
		if a.sum.State != protocol.StateIdle {
			t.Errorf("%s is %s", was.ID, a.sum.State)
		}
		c.prompt(was.ID, "say: going on")
		a.until("the next answer", func() bool { return a.heard("going on") && a.sum.State == protocol.StateIdle })
	}
	c.must(protocol.MethodDaemonShutdown, protocol.Shutdown{}, nil)
	<-c.Done()
}

func atoi(t *testing.T, s string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(s, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Twenty programs that start at once end with one daemon, which serves them all.
func TestManyStartersOneDaemon(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	pids := make(chan int, 8)
	for range cap(pids) {
		go func() {
			exe, _ := os.Executable()
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			dc, err := daemonclient.Dial(ctx, daemonclient.Options{
				Home: home, Client: "test",
				Start: daemonclient.Starter(home, []string{exe}, append(os.Environ(), daemonHomeVar+"="+home)),
			})
			if err != nil {
				t.Error(err)
				pids <- 0
				return
			}
			defer dc.Close()
			pids <- dc.Welcome().PID
		}()
	}
	first := <-pids
	for range cap(pids) - 1 {
		if p := <-pids; p != first {
			t.Errorf("daemons %d and %d", first, p)
		}
	}
	c, _ := dial(t, home)
	c.must(protocol.MethodDaemonShutdown, protocol.Shutdown{Force: true}, nil)
	<-c.Done()
}
