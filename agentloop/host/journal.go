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
// successor of a killed daemon can end what was left. A file names the process group and, to tell it
// from a later one of the same number, when its leader began and in which boot.
type Journal struct{ dir string }

// NewJournal is the journal of a home. Its Started is for tool.Options.Started.
func NewJournal(home string) *Journal { return &Journal{filepath.Join(home, "running")} }

// Started notes a process group, until ended is called. A journal that cannot be written is no
// reason not to run a command.
func (j *Journal) Started(group int) (ended func()) {
	began, ok := processStart(group)
	if !ok {
		return func() {}
	}
	path := filepath.Join(j.dir, strconv.Itoa(group))
	line := fmt.Sprintf("%d %s %s\n", group, began, bootID())
	if os.MkdirAll(j.dir, 0o700) != nil || os.WriteFile(path, []byte(line), 0o600) != nil {
		return func() {}
	}
	return func() { _ = os.Remove(path) }
}

// EndOrphans kills the process groups that are surely those of the journal, forgets all of it, and
// lists the groups. Only the holder of the daemon's lock may call it.
func (j *Journal) EndOrphans() []int {
	files, err := os.ReadDir(j.dir)
	if err != nil {
		return nil
	}
	var ended []int
	for _, f := range files {
		path := filepath.Join(j.dir, f.Name())
		b, err := os.ReadFile(path)
		if err == nil && j.endOrphan(string(b)) {
			group, _ := strconv.Atoi(strings.Fields(string(b))[0])
			ended = append(ended, group)
		}
		_ = os.Remove(path)
	}
	return ended
}

func (j *Journal) endOrphan(line string) bool {
	fields := strings.Fields(line)
	if len(fields) != 3 || fields[2] != bootID() {
		return false
	}
	group, err := strconv.Atoi(fields[0])
	if err != nil || group <= 1 {
		return false
	}
	if began, ok := processStart(group); !ok || began != fields[1] {
		return false
	}
	return syscall.Kill(-group, syscall.SIGKILL) == nil
}

// processStart is when a process began, in the kernel's ticks since boot.
func processStart(pid int) (string, bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", false
	}
	// the name, in parentheses, may hold anything; the start is the 20th field behind it
	_, rest, ok := strings.Cut(string(b[strings.LastIndexByte(string(b), ')')+1:]), " ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 20 {
		return "", false
	}
	return fields[19], true
}

func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "-"
	}
	return strings.TrimSpace(string(b))
}
