package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// sleeper runs a process group that only a signal ends; dead is closed when it has.
func sleeper(t *testing.T) (group int, dead chan struct{}) {
	t.Helper()
	cmd := exec.Command("sleep", "600")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dead = make(chan struct{})
	go func() { _ = cmd.Wait(); close(dead) }()
	t.Cleanup(func() { _ = cmd.Process.Kill(); <-dead })
	return cmd.Process.Pid, dead
}

func TestJournalEndsWhatAKilledDaemonLeft(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	group, dead := sleeper(t)
	j := NewJournal(home)
	j.Started(group)
	if got := NewJournal(home).EndOrphans(); len(got) != 0 {
		t.Fatalf("ended what a living process runs: %v", got)
	}
	j.owner.began = "1" // as if killed
	j.Started(group)
	if got := NewJournal(home).EndOrphans(); len(got) != 1 || got[0] != group {
		t.Fatalf("ended %v, want %d", got, group)
	}
	<-dead
	if got := NewJournal(home).EndOrphans(); len(got) != 0 {
		t.Errorf("again: %v", got)
	}
}

// An owner that was killed and that nobody has reaped is gone.
func TestJournalKnowsADeadOwner(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	began, _ := processStart(cmd.Process.Pid)
	p := process{strconv.Itoa(cmd.Process.Pid), began}
	if !p.runs() {
		t.Error("a process that runs passes for dead")
	}
	_ = cmd.Process.Kill()
	for limit := time.Now().Add(patience); p.runs(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatal("a killed process passes for one that runs")
		}
	}
	if !p.exists() {
		t.Error("reaped by somebody else")
	}
	_ = cmd.Wait()
	if p.exists() {
		t.Error("a reaped process exists")
	}
}

func TestJournalSparesWhatIsNotSurelyOurs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	group, dead := sleeper(t)
	j := NewJournal(home)
	j.Started(group)() // it ended as it should, says the tool
	began, _ := processStart(group)
	dir := filepath.Join(home, "running")
	const gone = " 1 1" // an owner that is no more
	for name, line := range map[string]string{
		"other start": strconv.Itoa(group) + " 1 " + bootID() + gone,
		"other boot":  strconv.Itoa(group) + " " + began + " not-this-boot" + gone,
		"torn":        strconv.Itoa(group),
		"empty":       "",
		"everybody":   "1 " + began + " " + bootID() + gone,
		"negative":    "-1 " + began + " " + bootID() + gone,
		"words":       "a b c",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := j.EndOrphans(); len(got) != 0 {
		t.Errorf("ended %v", got)
	}
	select {
	case <-dead:
		t.Error("a process that is not surely ours was killed")
	default:
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files left", len(left))
	}
}
