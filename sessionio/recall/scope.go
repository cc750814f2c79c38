package recall

import (
	"dugout/sessionio"
	"os"
	"path/filepath"
	"strings"
)

// Project is the folder that a folder's work belongs to: the nearest at or above it that holds a
// .git, else the folder itself. Links are resolved as far as the folder exists.
func Project(cwd string) string {
	cwd = resolved(cwd)
	for dir := cwd; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return cwd
		}
	}
}

// Under keeps the sessions that work at or below a folder.
func Under(root string, infos []sessionio.Info) []sessionio.Info {
	root = resolved(root)
	known := map[string]bool{}
	var out []sessionio.Info
	for _, i := range infos {
		in, ok := known[i.CWD]
		if !ok {
			in = i.CWD != "" && within(root, resolved(i.CWD))
			known[i.CWD] = in
		}
		if in {
			out = append(out, i)
		}
	}
	return out
}

func within(root, path string) bool {
	return path == root || strings.HasPrefix(path, strings.TrimSuffix(root, string(filepath.Separator))+string(filepath.Separator))
}

// resolved is a path with its links resolved, also where its last folders are gone.
func resolved(path string) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(resolved(dir), filepath.Base(path))
	}
	return path
}
