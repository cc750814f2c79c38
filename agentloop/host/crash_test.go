package host

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
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
	o.IdleExit = time.Minute // should a test not end it
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
		return ended(strings.TrimSpace(string(b)))
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
	shutDown(r, c)
}

// shutDown ends a daemon in a process of its own and sees the process go.
func shutDown(r *rig, c *client) {
	r.t.Helper()
	c.must(protocol.MethodDaemonShutdown, protocol.Shutdown{Force: true}, nil)
	<-c.Done()
	r.until("end of the daemon's process", func() bool { p := strconv.Itoa(c.Welcome().PID); return ended(p) })
}

// Programs that start at once end with one daemon, which serves them all.
func TestManyStartersOneDaemon(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const starters = 8
	var running atomic.Int32
	start := func(ctx context.Context) error {
		running.Add(1)
		defer running.Add(-1) // when the process has ended
		return daemonclient.Starter(home, []string{exe}, append(os.Environ(), daemonHomeVar+"="+home))(context.WithoutCancel(ctx))
	}
	pids := make(chan int, starters)
	for range starters {
		go func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			dc, err := daemonclient.Dial(ctx, daemonclient.Options{Home: home, Client: "test", Start: start})
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
	for range starters - 1 {
		if p := <-pids; p != first {
			t.Errorf("daemons %d and %d", first, p)
		}
	}
	c, r := dial(t, home)
	r.until("the end of the losers", func() bool { return running.Load() == 1 })
	shutDown(r, c)
	r.until("the end of the winner", func() bool { return running.Load() == 0 })
}
