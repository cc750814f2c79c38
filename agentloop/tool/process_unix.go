//go:build unix

package tool

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	// afterExit is how long the pipe of a command that has ended is waited for: a child in the
	// background may hold it for ever.
	afterExit = 100 * time.Millisecond
	// grace is what a group gets between SIGTERM and SIGKILL. With afterExit and settle it leaves an
	// abort well within a second.
	grace  = 400 * time.Millisecond
	settle = 300 * time.Millisecond
	// pipeHolds is more than a pipe can hold when its last writer is gone.
	pipeHolds = 1 << 20
)

// process is one command line in a process group of its own.
type process struct {
	shell, command, dir string
	env                 []string
	timeout             time.Duration // 0: none
	started             func(group int) (ended func())
}

// ending is how a command ended.
type ending struct {
	status            int
	signal            string
	signo             int
	aborted, timedOut bool
	background        bool // some of its group runs on
}

func (e ending) exitCode() int {
	if e.signo != 0 {
		return 128 + e.signo
	}
	return e.status
}

// run starts the command, copies what it prints and waits. When ctx ends or the time is out, the
// whole group is ended first.
func (p process) run(ctx context.Context, out io.Writer) (ending, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return ending{}, fmt.Errorf("cannot start the command: %w", err)
	}
	cmd := exec.Command(p.shell, "-c", p.command)
	cmd.Dir, cmd.Env = p.dir, p.env
	cmd.Stdout, cmd.Stderr = w, w
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	err = cmd.Start()
	w.Close()
	if err != nil {
		r.Close()
		return ending{}, fmt.Errorf("cannot start %s: %w", p.shell, err)
	}
	g := &group{id: cmd.Process.Pid, ended: func() {}}
	if p.started != nil {
		g.ended = p.started(g.id)
	}
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its error says what ProcessState says
		close(exited)
	}()
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(out, r) // ends by the deadline or at the pipe's end
	}()

	end := p.wait(ctx, g, exited)
	_ = r.SetReadDeadline(time.Now().Add(afterExit))
	<-copied
	drain(r, out)
	select {
	case <-exited:
		end.read(cmd.ProcessState)
	default: // it cannot even be killed: a disk or network file that does not answer
	}
	if !g.alive() {
		g.ended()
		r.Close()
		return end, nil
	}
	end.background = !end.aborted && !end.timedOut
	go g.follow(ctx, r)
	return end, nil
}

// wait returns when the command has ended, by itself or not.
func (p process) wait(ctx context.Context, g *group, exited <-chan struct{}) (end ending) {
	var out <-chan time.Time
	if p.timeout > 0 {
		timer := time.NewTimer(p.timeout)
		defer timer.Stop()
		out = timer.C
	}
	select {
	case <-exited:
		return end
	case <-ctx.Done():
		end.aborted = true
	case <-out:
		end.timedOut = true
	}
	g.end()
	select {
	case <-exited:
	case <-time.After(settle):
	}
	return end
}

// drain takes what is still in the pipe after its deadline, and waits for nothing.
func drain(r *os.File, out io.Writer) {
	buf := make([]byte, 64*1024)
	for taken := 0; taken < pipeHolds; {
		_ = r.SetReadDeadline(time.Now().Add(time.Millisecond))
		n, err := r.Read(buf)
		_, _ = out.Write(buf[:n])
		if taken += n; err != nil {
			return
		}
	}
}

func (e *ending) read(st *os.ProcessState) {
	ws, ok := st.Sys().(syscall.WaitStatus)
	if ok && ws.Signaled() {
		e.signo, e.signal = int(ws.Signal()), ws.Signal().String()
		return
	}
	e.status = st.ExitCode()
}

// group is a process group.
type group struct {
	id    int
	ended func()
}

func (g *group) alive() bool { return !errors.Is(syscall.Kill(-g.id, 0), syscall.ESRCH) }

// end asks the group to end, and kills what does not.
func (g *group) end() {
	_ = syscall.Kill(-g.id, syscall.SIGTERM)
	for deadline := time.Now().Add(grace); g.alive() && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	_ = syscall.Kill(-g.id, syscall.SIGKILL)
}

// follow keeps background children from blocking on their pipe, until the last has ended or the turn
// has: then none is left.
func (g *group) follow(ctx context.Context, r *os.File) {
	defer g.ended()
	defer r.Close()
	_ = r.SetReadDeadline(time.Time{})
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, r) // ends with the last writer, or when r is closed
	}()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for g.alive() {
		select {
		case <-ctx.Done():
			g.end()
			_ = r.SetReadDeadline(time.Now())
			<-drained
			return
		case <-tick.C:
		}
	}
	_ = r.SetReadDeadline(time.Now())
	<-drained
}
