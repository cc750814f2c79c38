package tool

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// maxIgnoreFile bounds a .gitignore.
const maxIgnoreFile = 1 << 20

// ignores are the .gitignore files that hold in a folder: its own and, behind it, those above.
type ignores struct {
	above *ignores
	dir   string
	rules []ignoreRule
}

type ignoreRule struct {
	pattern  string
	negate   bool
	dirOnly  bool
	anchored bool // matches the path from the folder, not a name at any depth
	literal  bool
}

// ignoresAbove collects what holds in a folder from the root of its repository down to its parent.
func ignoresAbove(dir string) *ignores {
	var dirs []string
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			var ig *ignores
			ig = ig.with(d, filepath.Join(d, ".git", "info", "exclude"))
			if d == dir {
				return ig
			}
			ig = ig.with(d, filepath.Join(d, ".gitignore"))
			for i := len(dirs) - 1; i > 0; i-- {
				ig = ig.with(dirs[i], filepath.Join(dirs[i], ".gitignore"))
			}
			return ig
		}
		if d == filepath.Dir(d) {
			return nil
		}
		dirs = append(dirs, d)
	}
}

// with adds the rules of a file that hold below dir.
func (ig *ignores) with(dir, file string) *ignores {
	f, err := os.Open(file)
	if err != nil {
		return ig
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return ig
	}
	b, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return ig
	}
	if rules := parseIgnore(string(b)); len(rules) > 0 {
		return &ignores{above: ig, dir: dir, rules: rules}
	}
	return ig
}

func parseIgnore(text string) []ignoreRule {
	var rules []ignoreRule
	for line := range strings.Lines(strings.TrimPrefix(text, bom)) {
		line = strings.TrimRight(line, "\r\n")
		for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
			line = line[:len(line)-1]
		}
		if line == "" || line[0] == '#' {
			continue
		}
		var r ignoreRule
		line, r.negate = strings.CutPrefix(line, "!")
		line, r.dirOnly = strings.CutSuffix(line, "/")
		r.anchored = strings.Contains(line, "/")
		line = strings.TrimPrefix(line, "/")
		if rest, ok := strings.CutSuffix(line, "/**"); ok {
			line = rest + "/**/*"
		}
		// Braces mean nothing to git.
		r.pattern = strings.NewReplacer(`\{`, `\{`, `\}`, `\}`, "{", `\{`, "}", `\}`).Replace(line)
		r.literal = !strings.ContainsAny(r.pattern, `*?[\`)
		if line != "" && doublestar.ValidatePattern(r.pattern) {
			rules = append(rules, r)
		}
	}
	return rules
}

// ignored says whether git would pass over a path; the last rule of the deepest file decides.
func (ig *ignores) ignored(p string, isDir bool) bool {
	for ; ig != nil; ig = ig.above {
		rel := strings.TrimPrefix(strings.TrimPrefix(p, ig.dir), "/")
		for i := len(ig.rules) - 1; i >= 0; i-- {
			if ig.rules[i].matches(rel, isDir) {
				return !ig.rules[i].negate
			}
		}
	}
	return false
}

func (r ignoreRule) matches(rel string, isDir bool) bool {
	if r.dirOnly && !isDir {
		return false
	}
	if !r.anchored {
		rel = path.Base(rel)
	}
	if r.literal {
		return rel == r.pattern
	}
	ok, _ := doublestar.Match(r.pattern, rel)
	return ok
}
