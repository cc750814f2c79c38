package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Journal is a folder with one small file for each command that a daemon's tools run, so that the
// successor of a killed daemon can end what was left. A file names the process group and the process
// that runs it and, to tell each from a later one of the same number, when it began and in which boot.
type Journal struct {
	dir   string
	owner process
}

// process names a process for good: its id, and when it began, in the kernel's ticks since boot.
type process struct{ id, began string }

func (p process) exists() bool {
	id, err := strconv.Atoi(p.id)
	if err != nil || id <= 1 {
		return false
	}
	began, _ := processStart(id)
	return began == p.began
}

// runs is exists for a process that has not ended: a killed one may be there until it is reaped.
func (p process) runs() bool { return p.exists() && !ended(p.id) }

// NewJournal is the journal of a home. Its Started is for tool.Options.Started.
func NewJournal(home string) *Journal {
	began, _ := processStart(pid())
	return &Journal{filepath.Join(home, "running"), process{strconv.Itoa(pid()), began}}
}

// Started notes a process group, until ended is called. A journal that cannot be written is no
// reason not to run a command.
func (j *Journal) Started(group int) (ended func()) {
	began, ok := processStart(group)
	if !ok {
		return func() {}
	}
	path := filepath.Join(j.dir, strconv.Itoa(group))
	line := fmt.Sprintf("%d %s %s %s %s\n", group, began, bootID(), j.owner.id, j.owner.began)
	if os.MkdirAll(j.dir, 0o700) != nil || os.WriteFile(path, []byte(line), 0o600) != nil {
		return func() {}
	}
	return func() { _ = os.Remove(path) }
}

// EndOrphans kills the process groups that are surely those of the journal and whose owner is gone,
// forgets them and what is no more, and lists them. What a living process runs is left alone: beside
// the daemon there may be a host in a program of its own.
func (j *Journal) EndOrphans() []int {
	files, err := os.ReadDir(j.dir)
	if err != nil {
		return nil
	}
	var ended []int
	for _, f := range files {
		path := filepath.Join(j.dir, f.Name())
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		group, boot, owner := parseNote(string(b))
		if boot == bootID() && owner.runs() {
			continue
		}
		if id, err := strconv.Atoi(group.id); err == nil && boot == bootID() && group.exists() && syscall.Kill(-id, syscall.SIGKILL) == nil {
			ended = append(ended, id)
		}
		_ = os.Remove(path)
	}
	return ended
}

// parseNote reads a file of the journal; a torn one names nothing.
func parseNote(line string) (group process, boot string, owner process) {
	f := strings.Fields(line)
	if len(f) != 5 {
		return group, boot, owner
	}
	return process{f[0], f[1]}, f[2], process{f[3], f[4]}
}

// processStart is when a process began, in the kernel's ticks since boot.
func processStart(pid int) (string, bool) {
	fields := processStat(strconv.Itoa(pid))
	if len(fields) < 20 {
		return "", false
	}
	return fields[19], true
}

// ended says of a process that exists whether it only waits to be reaped.
func ended(pid string) bool {
	fields := processStat(pid)
	return len(fields) == 0 || fields[0] == "Z" || fields[0] == "X"
}

// processStat is what the kernel says of a process, from its state on.
func processStat(pid string) []string {
	b, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return nil
	}
	return strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:])) // the name before it may hold anything
}

func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "-"
	}
	return strings.TrimSpace(string(b))
}
