package prompt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

const (
	maxFile   = 32 << 10  // of one file
	maxAll    = 128 << 10 // of all; the nearest come first
	maxParent = 64        // folders above the working one
)

// names of instruction files; the first that a folder has counts.
var names = []string{"AGENTS.md", "CLAUDE.md"}

// instruction is one file's text, or why it is not there.
type instruction struct {
	path, text string
	cut        bool
	failed     bool
}

// instructions reads the global file, then those from the repository's root down to the working
// folder. Where there is no repository every folder above counts, but those that anybody may write to.
func instructions(o Options) []instruction {
	var found []instruction
	var seen []fs.FileInfo
	add := func(dir string) {
		in, fi, ok := readInstruction(dir)
		if !ok || slices.ContainsFunc(seen, func(s fs.FileInfo) bool { return os.SameFile(s, fi) }) {
			return
		}
		seen = append(seen, fi)
		found = append(found, in)
	}
	if o.Home != "" {
		add(o.Home)
	}
	for _, dir := range projectFolders(o.CWD) {
		add(dir)
	}
	left := maxAll
	for i := len(found) - 1; i >= 0; i-- {
		if n := len(found[i].text); n > left {
			found[i].text, found[i].cut = cut(found[i].text, left), true
		}
		left -= len(found[i].text)
	}
	return found
}

// projectFolders lists the folders whose instructions hold in cwd, the outermost first.
func projectFolders(cwd string) []string {
	if !filepath.IsAbs(cwd) {
		return nil
	}
	cwd = filepath.Clean(cwd)
	root := gitRoot(cwd)
	dirs := []string{cwd}
	for d := cwd; d != root && d != filepath.Dir(d) && len(dirs) <= maxParent; {
		d = filepath.Dir(d)
		if root != "" || !anybodyWrites(d) {
			dirs = append(dirs, d)
		}
	}
	slices.Reverse(dirs)
	return dirs
}

// gitRoot is the folder of the repository around dir, "" when there is none.
func gitRoot(dir string) string {
	if !filepath.IsAbs(dir) {
		return ""
	}
	d := filepath.Clean(dir)
	for range maxParent {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			break
		}
		d = filepath.Dir(d)
	}
	return ""
}

func anybodyWrites(dir string) bool {
	fi, err := os.Stat(dir)
	return err != nil || fi.Mode().Perm()&0o002 != 0
}

func readInstruction(dir string) (instruction, fs.FileInfo, bool) {
	for _, name := range names {
		path := filepath.Join(dir, name)
		fi, err := os.Stat(path)
		if err != nil || !fi.Mode().IsRegular() || !leadsToText(path) {
			continue
		}
		in := instruction{path: path}
		text, err := readBounded(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		in.failed = err != nil
		text = strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\uFFFD")
		in.text = strings.TrimSpace(cut(text, maxFile))
		in.cut = len(text) > maxFile
		if in.text == "" && !in.failed {
			continue
		}
		return in, fi, true
	}
	return instruction{}, nil, false
}

// leadsToText says that a link ends at a Markdown file: a repository of a stranger must not send the
// user's keys to the model.
func leadsToText(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	return err == nil && strings.EqualFold(filepath.Ext(real), ".md")
}

// readBounded reads a little more than maxFile at most, and waits for no pipe.
func readBounded(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+4))
	return string(b), err
}

// cut keeps whole lines of at most n bytes, or whole characters of a single long line.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = strings.ToValidUTF8(s[:n], "")
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		s = s[:i]
	}
	return s
}

func writeInstructions(b *strings.Builder, found []instruction) {
	if len(found) == 0 {
		return
	}
	b.WriteString("\nInstructions of the user and the project. The later ones are nearer to the working folder and win over the earlier.\n")
	for _, in := range found {
		path := oneLine(in.path)
		switch {
		case in.failed:
			fmt.Fprintf(b, "\n[%s could not be read]\n", path)
			continue
		case in.text != "":
			fmt.Fprintf(b, "\n<instructions from=%q>\n%s\n</instructions>\n", path, in.text)
		}
		if in.cut {
			fmt.Fprintf(b, "[%s is longer than this: read the rest from the file when it matters]\n", path)
		}
	}
}
