package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endOf stops the daemons of all homes directly below a folder and of its demos, and waits until no process that has
// $WORK set to that folder is left. Those that stay are killed and told.
func endOf(work string, vars []string) error {
	logs, err := filepath.Glob(filepath.Join(work, "*", "daemon.log"))
	if err != nil {
		return err
	}
	demos, err := filepath.Glob(filepath.Join(work, "tmp", "dugout-demo-*", "home", "daemon.log"))
	if err != nil {
		return err
	}
	logs = append(logs, demos...)
	for _, l := range logs {
		stop := exec.Command("dugout", "daemon", "stop", "--force")
		stop.Env = append(vars, "DUGOUT_HOME="+filepath.Dir(l))
		if out, err := stop.CombinedOutput(); err != nil {
			return fmt.Errorf("stopping the daemon: %w: %s", err, out)
		}
	}
	var left []int
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if left = processesOf(work); len(left) == 0 {
			return nil
		}
	}
	var told []string
	for _, pid := range left {
		cmdline, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		told = append(told, fmt.Sprintf("%d %s", pid, bytes.ReplaceAll(cmdline, []byte{0}, []byte{' '})))
		_ = syscall.Kill(pid, syscall.SIGKILL) // it may be gone by now
	}
	return fmt.Errorf("processes are left behind:\n%s", strings.Join(told, "\n"))
}

// processesOf are those with $WORK set to a folder, zombies excepted; none where there is no /proc.
func processesOf(work string) []int {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	var pids []int
	for _, f := range all {
		b, err := os.ReadFile(f) // empty for a zombie; fails for those of other users
		if err != nil || !bytes.Contains(append(b, 0), []byte("WORK="+work+"\x00")) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// rig runs dugout for a test that is no script, in a home and a folder of its own.
type rig struct {
	t    *testing.T
	work string
	env  []string
}

func newRig(t *testing.T) *rig {
	t.Helper()
	work, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, work: work}
	for _, dir := range []string{r.home(), r.src(), filepath.Join(work, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	r.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(work, "user"), "TMPDIR=" + filepath.Join(work, "tmp"),
		"DUGOUT_HOME=" + r.home(), "WORK=" + work, "TERM=xterm-256color",
	}
	t.Cleanup(func() {
		if err := endOf(work, r.env); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *rig) home() string { return filepath.Join(r.work, "home") }
func (r *rig) src() string  { return filepath.Join(r.work, "src") }

func (r *rig) command(args ...string) *exec.Cmd {
	cmd := exec.Command("dugout", args...)
	cmd.Dir, cmd.Env = r.src(), r.env
	return cmd
}

// dugout runs a command that must succeed, and returns its output.
func (r *rig) dugout(args ...string) string {
	r.t.Helper()
	var out, errs bytes.Buffer
	cmd := r.command(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		r.t.Fatalf("dugout %v: %v\n%s%s", args, err, errs.Bytes(), out.Bytes())
	}
	return out.String()
}

// await waits for a condition.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// eachLine reads a stream to its end.
func eachLine(in io.Reader, f func(line []byte)) {
	for r := bufio.NewReader(in); ; {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		f(line)
	}
}
