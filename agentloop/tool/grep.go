package tool

import (
	"cmp"
	"context"
	"dugout/sessionio"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	grepLimit   = 100
	maxGrepLine = 500 // characters
	maxContext  = 50
)

//go:embed grep.md
var grepText string

type grepTool struct {
	rg      string
	private func(path string) bool
}

type grepArgs struct {
	Pattern    string `json:"pattern"`
	Path       string `json:"path"`
	Glob       string `json:"glob"`
	IgnoreCase bool   `json:"ignoreCase"`
	Literal    bool   `json:"literal"`
	Context    number `json:"context"`
	Limit      number `json:"limit"`
}

// search is what one call looks for.
type search struct {
	re      *regexp.Regexp
	args    grepArgs
	glob    *glob
	root    string
	isDir   bool
	context int
	private func(path string) bool
}

func (grepTool) Name() string        { return "grep" }
func (grepTool) Description() string { return strings.TrimSpace(grepText) }

func (grepTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"pattern":{"type":"string","description":"regular expression, or text with literal"},` +
		`"path":{"type":"string","description":"file or folder, default the working folder"},` +
		`"glob":{"type":"string","description":"which files, such as *.go"},` +
		`"ignoreCase":{"type":"boolean"},"literal":{"type":"boolean"},` +
		`"context":{"type":"integer","description":"lines to show before and after, default 0"},` +
		`"limit":{"type":"integer","description":"how many matches at most, default 100"}},"required":["pattern"]}`)
}

func (t grepTool) search(call Call) (*search, error) {
	args, err := decode[grepArgs](t.Name(), call)
	switch {
	case err != nil:
		return nil, err
	case args.Pattern == "":
		return nil, missing(t.Name(), "pattern")
	case args.Literal && strings.ContainsAny(args.Pattern, "\n\r"):
		return nil, fmt.Errorf("%s: the pattern has several lines, and lines are searched one by one: search for one of them", t.Name())
	}
	s := &search{args: args, context: args.Context.int(maxContext), private: t.private}
	expr := args.Pattern
	if args.Literal {
		expr = regexp.QuoteMeta(expr)
	}
	if args.IgnoreCase {
		expr = "(?i:" + expr + ")"
	}
	if s.re, err = regexp.Compile(expr); err != nil {
		return nil, fmt.Errorf("%s: the pattern is not valid: %w; mend it, or set literal for plain text", t.Name(), err)
	}
	if args.Glob != "" {
		g, err := newGlob(args.Glob)
		if err != nil {
			return nil, err
		}
		s.glob = &g
	}
	s.root, err = call.resolve(cmp.Or(args.Path, "."))
	return s, err
}

func (t grepTool) Effect(call Call) (Effect, error) {
	s, err := t.search(call)
	if err != nil {
		return Effect{}, err
	}
	title := "grep " + oneLine(s.args.Pattern, 80)
	if s.args.Path != "" {
		title += " in " + call.short(s.root)
	}
	return Effect{Kind: Reads, Paths: []string{s.root}, Title: title}, nil
}

func (t grepTool) Run(ctx context.Context, call Call) (Result, error) {
	s, err := t.search(call)
	if err != nil {
		return Result{}, err
	}
	fi, err := os.Stat(s.root)
	if err != nil {
		return Result{}, fileError(s.root, err)
	}
	if s.isDir = fi.IsDir(); !s.isDir {
		if err := notAFile(s.root, fi); err != nil {
			return Result{}, err
		}
	}
	limit := grepLimit
	if n := s.args.Limit.int(20 * grepLimit); n > 0 {
		limit = n
	}
	out := &found{limit: limit, show: newShower(call), gaps: s.context > 0}
	if t.rg != "" {
		err = s.ripgrep(ctx, t.rg, call, out)
	} else {
		err = s.goSearch(ctx, out)
	}
	if err != nil {
		return Result{}, err
	}
	return out.result(), nil
}

// found collects the lines of a search up to its limits.
type found struct {
	limit int
	show  shower
	gaps  bool // mark where lines are left out

	text      strings.Builder
	matches   int
	more, cut bool
	cutLines  bool
	lastPath  string
	lastLine  int
}

// add takes a line; false when there is no room for more.
func (f *found) add(path string, line int, text []byte, match bool) bool {
	if match && f.matches == f.limit {
		f.more = true
		return false
	}
	var b strings.Builder
	if f.gaps && f.text.Len() > 0 && (path != f.lastPath || line != f.lastLine+1) {
		b.WriteString("--\n")
	}
	mark := "-"
	if match {
		mark = ":"
	}
	fmt.Fprintf(&b, "%s%s%d%s %s\n", lineSafe(f.show.path(path)), mark, line, mark, f.shorten(text))
	if f.text.Len()+b.Len() > MaxBytes {
		f.cut = true
		return false
	}
	f.text.WriteString(b.String())
	f.lastPath, f.lastLine = path, line
	if match {
		f.matches++
	}
	return true
}

// full says that no further match can be taken.
func (f *found) full() bool { return f.more || f.cut }

func (f *found) shorten(line []byte) string {
	if len(line) > maxGrepLine*utf8.UTFMax {
		line = line[:maxGrepLine*utf8.UTFMax+1]
	}
	s := valid(strings.TrimRight(string(line), "\r\n"))
	if utf8.RuneCountInString(s) <= maxGrepLine {
		return s
	}
	f.cutLines = true
	return string([]rune(s)[:maxGrepLine]) + "…"
}

func (f *found) result() Result {
	if f.matches == 0 && !f.cut {
		return Text("[no matches]")
	}
	text := strings.TrimSuffix(f.text.String(), "\n")
	d := map[string]any{"matches": f.matches}
	switch {
	case f.more:
		text += fmt.Sprintf("\n[only the first %d matches: give a narrower pattern, path or glob, or a higher limit]", f.matches)
	case f.cut:
		text += fmt.Sprintf("\n[only the first %s: give a narrower pattern, path or glob]", size(MaxBytes))
	}
	if f.cutLines {
		text += fmt.Sprintf("\n[lines are cut at %d characters: read shows them whole]", maxGrepLine)
	}
	if f.more || f.cut {
		by := "lines"
		if f.cut {
			by = "bytes"
		}
		d["truncation"] = truncation{
			Truncated: true, TruncatedBy: by, OutputLines: countLines(f.text.String()), OutputBytes: f.text.Len(),
			MaxLines: f.limit, MaxBytes: MaxBytes,
		}
	}
	return Result{Content: []sessionio.Block{{Type: sessionio.BlockText, Text: text}}, Details: details(d)}
}
