package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Folder is a further store.
type Folder struct {
	Dir      string
	Source   string // dugout, prime, pi
	ReadOnly bool
}

// holds says whether a file lies in the folder, in one of pi's folders of a project too.
func (f Folder) holds(path string) bool {
	dir := filepath.Dir(path)
	return dir == f.Dir || f.nested(filepath.Base(dir)) && filepath.Dir(dir) == f.Dir
}

// nested says whether a sub-folder holds sessions: pi keeps one for each project, named --path--,
// and old stores of prime do.
func (f Folder) nested(name string) bool {
	return f.Source != "dugout" && len(name) > 4 && strings.HasPrefix(name, "--") && strings.HasSuffix(name, "--")
}

// dirs are the folder and its sub-folders that hold sessions.
func (f Folder) dirs() []string {
	dirs := []string{f.Dir}
	if f.Source == "dugout" {
		return dirs
	}
	entries, err := os.ReadDir(f.Dir)
	if err != nil {
		return dirs
	}
	for _, e := range entries {
		if e.IsDir() && f.nested(e.Name()) {
			dirs = append(dirs, filepath.Join(f.Dir, e.Name()))
		}
	}
	return dirs
}

// Dirs are the folders to watch. They need not exist.
func (s *Store) Dirs() []string {
	var dirs []string
	for _, f := range s.folders {
		dirs = append(dirs, f.dirs()...)
	}
	return dirs
}

// folderOf is the store that a file lies in; ok is false for a file from anywhere else.
func (s *Store) folderOf(path string) (f Folder, ok bool) {
	for _, f := range s.folders {
		if f.holds(path) {
			return f, true
		}
	}
	return Folder{Dir: filepath.Dir(path), Source: "dugout"}, false
}

// listed is a file that a folder lists.
type listed struct {
	path   string // canonical
	folder Folder
}

// names lists the session files of all folders, each once, the newest ids first.
func (s *Store) names() (files []listed, problems []Problem) {
	seen := map[string]bool{}
	for _, f := range s.folders {
		for _, dir := range f.dirs() {
			entries, err := os.ReadDir(dir)
			if err != nil {
				if !errors.Is(err, os.ErrNotExist) {
					problems = append(problems, Problem{Path: dir, Err: errors.New(bareError(err))})
				}
				continue
			}
			for _, e := range slices.Backward(entries) {
				path, err := sessionFile(dir, e)
				switch {
				case err != nil:
					problems = append(problems, Problem{Path: strings.ToValidUTF8(path, "\ufffd"), Err: err})
				case path != "" && !seen[path]:
					seen[path] = true
					files = append(files, listed{path, f})
				}
			}
		}
	}
	return files, problems
}

// sessionFile is the canonical path of what a folder lists under a session's name, "" for another
// name.
func sessionFile(dir string, e os.DirEntry) (string, error) {
	if !strings.HasSuffix(e.Name(), fileSuffix) || strings.HasPrefix(e.Name(), ".") {
		return "", nil
	}
	path := dir + string(filepath.Separator) + e.Name()
	if !utf8.ValidString(path) {
		return path, errors.New("its name is no UTF-8")
	}
	if e.Type()&os.ModeSymlink == 0 {
		return path, nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path, fmt.Errorf("a link to nowhere: %s", bareError(err))
	}
	return real, nil
}

// linksTo are the links in our own folders that lead to a file.
func (s *Store) linksTo(path string) (links []string) {
	for _, f := range s.folders {
		if f.ReadOnly {
			continue
		}
		for _, dir := range f.dirs() {
			entries, _ := os.ReadDir(dir) // what can't be read has no links of ours
			for _, e := range entries {
				if e.Type()&os.ModeSymlink == 0 {
					continue
				}
				if real, err := sessionFile(dir, e); err == nil && real == path {
					links = append(links, filepath.Join(dir, e.Name()))
				}
			}
		}
	}
	return links
}

// bareError is an error's reason without the path, which stands beside it.
func bareError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
