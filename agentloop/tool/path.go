package tool

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLinks bounds a chain of symbolic links.
const maxLinks = 40

// resolve gives the absolute path, links resolved, that a path argument means. A leading @ and odd
// spaces are typing habits of models, unless a file is really called so.
func (c Call) resolve(p string) (string, error) {
	if err := c.checkCWD(); err != nil {
		return "", err
	}
	if strings.ContainsRune(p, 0) {
		return "", fmt.Errorf("the path %q has a NUL character in it", p)
	}
	abs := c.absolute(p)
	if _, err := os.Lstat(abs); errors.Is(err, fs.ErrNotExist) {
		habit := c.absolute(strings.Map(plainSpace, strings.TrimPrefix(p, "@")))
		if _, err := os.Lstat(habit); err == nil || strings.HasPrefix(p, "@") {
			abs = habit
		}
	}
	return realPath(abs, 0), nil
}

func (c Call) absolute(p string) string {
	if p == "~" || strings.HasPrefix(p, "~/") {
		if home := c.home(); home != "" {
			p = home + p[1:]
		}
	}
	if !filepath.IsAbs(p) {
		p = filepath.Join(c.CWD, p)
	}
	return filepath.Clean(p)
}

func (c Call) home() string {
	for i := len(c.Env) - 1; i >= 0; i-- {
		if home, ok := strings.CutPrefix(c.Env[i], "HOME="); ok {
			return home
		}
	}
	home, _ := os.UserHomeDir()
	return home
}

// checkCWD refuses to run in a folder that is gone: no tool may work in another one unnoticed.
func (c Call) checkCWD() error {
	if !filepath.IsAbs(c.CWD) {
		return fmt.Errorf("the session's folder %q is not an absolute path: nothing can run in it", c.CWD)
	}
	fi, err := os.Stat(c.CWD)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the session's folder %s does not exist any more: ask the user to restore it or to choose another", c.CWD)
	case err != nil:
		return fmt.Errorf("the session's folder cannot be used: %w", err)
	case !fi.IsDir():
		return fmt.Errorf("the session's folder %s is not a folder: ask the user to choose another", c.CWD)
	}
	return nil
}

// RealPath resolves the links of an absolute path as the paths of an Effect are, to compare with them.
func RealPath(p string) string { return realPath(filepath.Clean(p), 0) }

// realPath resolves the links of an absolute path as far as it exists, dangling ones too: what is
// written through them lands at their target.
func realPath(p string, depth int) string {
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	dir := filepath.Dir(p)
	if dir == p || depth > maxLinks {
		return p
	}
	dir = realPath(dir, depth+1)
	p = filepath.Join(dir, filepath.Base(p))
	target, err := os.Readlink(p)
	if err != nil {
		return p
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(dir, target)
	}
	return realPath(target, depth+1)
}

// short names a path for people: relative inside the session's folder.
func (c Call) short(abs string) string {
	rel, err := filepath.Rel(realPath(c.CWD, 0), abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		rel = abs
	}
	return oneLine(rel, 200)
}

func plainSpace(r rune) rune {
	if unicode.Is(unicode.Zs, r) {
		return ' '
	}
	return r
}

// oneLine makes a title: no control characters, at most limit bytes.
func oneLine(s string, limit int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.TrimSpace(s)
	if len(s) > limit {
		s = cutUTF8(s, limit) + "…"
	}
	return s
}

// cutUTF8 cuts valid text to at most n bytes, between characters.
func cutUTF8(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
