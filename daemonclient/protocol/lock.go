package protocol

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// LockPath is the file that a home's daemon holds a lock on while it lives. It holds the daemon's
// process id, for people and for errors; the lock alone says whether one lives.
func LockPath(home string) string { return filepath.Join(home, "daemon.lock") }

// LockHolder is the process id in the lock file, 0 without one.
func LockHolder(home string) int {
	b, err := os.ReadFile(LockPath(home))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0
	}
	return pid
}
