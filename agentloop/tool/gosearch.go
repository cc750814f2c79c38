package tool

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

// searchWindow is how much of a file is searched at a time; a longer line is searched in pieces.
const searchWindow = 1 << 20

// goSearch searches without another program.
func (s *search) goSearch(ctx context.Context, out *found) error {
	sc := s.scanner(out)
	if !s.isDir {
		return sc.file(ctx, s.root)
	}
	return walk(ctx, s.root, func(p string, e fs.DirEntry) error {
		if !e.Type().IsRegular() || !s.wants(p) {
			return nil
		}
		err := sc.file(ctx, p)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case out.full():
			return errEnough
		case err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist):
			return nil // one file that can't be read hides no other
		}
		return nil
	})
}

// scanner makes the scanner of a search. A line that matches is in a match of the text around it too,
// so that the text is searched at once, unless the expression has anchors or flags of its own about
// that.
func (s *search) scanner(out *found) *scanner {
	sc := &scanner{re: s.re, context: s.context, out: out, buf: make([]byte, searchWindow)}
	expr := s.re.String()
	sc.dollar = strings.Contains(expr, "$")
	if !strings.Contains(expr, `\A`) && !strings.Contains(expr, `\z`) && !strings.Contains(expr, "(?-") {
		sc.ahead = regexp.MustCompile("(?m:" + expr + ")")
	}
	return sc
}

// wants says whether a file below the root is to be searched.
func (s *search) wants(p string) bool {
	if s.private(p) {
		return false
	}
	if s.glob == nil {
		return true
	}
	rel, err := filepath.Rel(s.root, p)
	return err == nil && s.glob.matches(rel)
}

// scanner searches one file after the other in one buffer.
type scanner struct {
	re, ahead *regexp.Regexp
	dollar    bool // the expression may look at the end of a line
	context   int
	out       *found
	buf       []byte

	path  string
	line  int // number of the line at the scan's place
	shown int // number of the last line that was shown
	after int // lines of context that are still to be shown
}

func (sc *scanner) file(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return fileError(path, err)
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !fi.Mode().IsRegular() {
		return err
	}
	sc.path, sc.line, sc.shown, sc.after = path, 1, 0, 0
	kept, at := 0, 0 // bytes in the buffer, and where the scan is
	for first := true; ; first = false {
		n, err := io.ReadFull(f, sc.buf[kept:])
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return err
		}
		eof := err != nil
		kept += n
		if first && binary(sc.buf[:kept]) {
			return nil
		}
		end := kept
		if !eof {
			if i := bytes.LastIndexByte(sc.buf[at:kept], '\n'); i >= 0 {
				end = at + i + 1
			}
		}
		sc.window(sc.buf[:end], at)
		if eof || sc.out.full() || ctx.Err() != nil {
			return ctx.Err()
		}
		back := before(sc.buf[:end], end, sc.context)
		if kept-back > len(sc.buf)/2 {
			back = end
		}
		kept, at = copy(sc.buf, sc.buf[back:kept]), end-back
	}
}

// before is the start of the n-th line before the one that starts at pos.
func before(b []byte, pos, n int) int {
	for ; n > 0 && pos > 0; n-- {
		pos = bytes.LastIndexByte(b[:pos-1], '\n') + 1
	}
	return pos
}

// window searches the lines in b from at on. What comes before is there for context.
func (sc *scanner) window(b []byte, at int) {
	for at < len(b) {
		match, ok := sc.next(b, at)
		for p, n := at, sc.line; sc.after > 0 && p < match; n++ {
			end := lineEnd(b, p)
			sc.out.add(sc.path, n, b[p:end], false)
			sc.shown, p = n, end
			sc.after--
		}
		sc.line += bytes.Count(b[at:match], []byte("\n"))
		if !ok {
			return
		}
		from := before(b, match, sc.context)
		for n := sc.line - bytes.Count(b[from:match], []byte("\n")); from < match; n++ {
			end := lineEnd(b, from)
			if n > sc.shown {
				sc.out.add(sc.path, n, b[from:end], false)
			}
			from = end
		}
		at = lineEnd(b, match)
		if !sc.out.add(sc.path, sc.line, b[match:at], true) {
			return
		}
		sc.shown, sc.after = sc.line, sc.context
		sc.line += bytes.Count(b[match:at], []byte("\n"))
	}
}

// next finds the next line that matches, or the end of b.
func (sc *scanner) next(b []byte, at int) (start int, ok bool) {
	ahead := sc.ahead
	if sc.dollar && bytes.IndexByte(b[at:], '\r') >= 0 {
		ahead = nil // it does not see the end of a line before \r\n
	}
	for at < len(b) {
		if ahead != nil {
			loc := ahead.FindIndex(b[at:])
			if loc == nil {
				return len(b), false
			}
			at += bytes.LastIndexByte(b[at:at+loc[0]], '\n') + 1
		}
		if at == len(b) {
			break // an empty match behind the last line
		}
		end := lineEnd(b, at)
		if sc.re.Match(bytes.TrimRight(b[at:end], "\r\n")) {
			return at, true
		}
		at = end
	}
	return len(b), false
}

// lineEnd is the end of the line that starts at pos, its \n included.
func lineEnd(b []byte, pos int) int {
	if i := bytes.IndexByte(b[pos:], '\n'); i >= 0 {
		return pos + i + 1
	}
	return len(b)
}
