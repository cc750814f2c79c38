//go:build unix

package tool

import (
	"io/fs"
	"os"
	"syscall"
)

// keepsInode says that a file must be written in place: another name would go on with the old
// content, or the file would change its owner.
func keepsInode(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && (st.Nlink > 1 || int(st.Uid) != os.Geteuid())
}
