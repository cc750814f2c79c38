package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// demoHome waits for the world of a demo and returns its home.
func (r *rig) demoHome() string {
	r.t.Helper()
	var found []string
	await(r.t, "a demo's world", func() bool {
		found, _ = filepath.Glob(filepath.Join(r.work, "tmp", "dugout-demo-*", "home"))
		return len(found) == 1
	})
	return found[0]
}

func gone(path string) bool {
	_, err := os.Lstat(path)
	return os.IsNotExist(err)
}

// TestDemo opens the demo, looks, and leaves; soon after nothing of it is left.
func TestDemo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.console("demo", "--linger", "300ms")
	c.shows("demo: scripted agents, not an AI", "needs you", "make the tests pass")
	for _, section := range []string{"running", "idle", "inactive"} {
		want := regexp.MustCompile(`(?i)` + section + `\D*[1-9]`)
		c.screen.Wait(t, "sessions that are "+section, want.MatchString)
	}
	root := filepath.Dir(r.demoHome())
	c.types("\x03\x03")
	out := c.ends()
	if end := out[strings.LastIndex(out, "\x1b[?1049l")+1:]; !strings.Contains(end, "go on for 300ms") || !strings.Contains(end, root) {
		t.Errorf("it says %q when one leaves", end)
	}
	await(t, "the end of the demo's folder", func() bool { return gone(root) })
	if !gone(r.home() + "/sessions") {
		t.Error("the demo wrote to the person's own home")
	}
}

// TestDemoIsToldToEnd stops the daemon of a demo that would linger: the folder goes with it.
func TestDemoIsToldToEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.console("demo", "--linger", "10m")
	c.shows("which branch?")
	home := r.demoHome()
	c.types("\x03\x03")
	c.ends()
	stop := r.command("daemon", "stop", "--force")
	stop.Env = append(stop.Env, "DUGOUT_HOME="+home)
	if out, err := stop.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	await(t, "the end of the demo's folder", func() bool { return gone(filepath.Dir(home)) })
}

// TestDemoDaemonLeavesOtherFoldersAlone: it is told what to remove, and refuses what is no demo's.
func TestDemoDaemonLeavesOtherFoldersAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	err := r.command("demo", "daemon", r.src()).Run()
	var ended *exec.ExitError
	if !errors.As(err, &ended) || ended.ExitCode() != exitFailed {
		t.Errorf("it ends with %v", err)
	}
	if gone(r.src()) {
		t.Error("it removed a folder that is no demo's")
	}
}
