package daemonclient

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
)

// maxSocketPath keeps clear of the smallest limit of a socket address (104 bytes with its end).
const maxSocketPath = 100

// SocketPath is where the daemon of a home listens: in the home, or, where that is too long for a
// socket address, in a folder of the user's in /tmp under a name made from the home. It depends on
// the home alone, so that starters with different environments agree.
func SocketPath(home string) string {
	home = realPath(home)
	path := filepath.Join(home, "daemon.sock")
	if len(path) <= maxSocketPath {
		return path
	}
	sum := sha256.Sum256([]byte(home))
	return filepath.Join("/tmp", fmt.Sprintf("dugout-%d", os.Getuid()), hex.EncodeToString(sum[:8])+".sock")
}

// LogPath is where a daemon that was started in the background writes.
func LogPath(home string) string { return filepath.Join(home, "daemon.log") }

// realPath is an absolute path with links resolved, as far as it exists.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for at := abs; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return abs
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
