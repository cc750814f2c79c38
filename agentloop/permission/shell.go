package permission

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// unknown stands in a word's text for what only the shell knows when it runs.
const unknown = "\x00"

// maxDepth bounds shells in shells.
const maxDepth = 5

// script is what a shell line does, as far as reading it tells.
type script struct {
	commands []command // the line's own simple commands, when nothing is special
	found    []command // all simple commands anywhere in it, also in substitutions and `bash -c` texts
	targets  []string  // files of redirections
	special  string    // why the line is more than a plain list of simple commands; "" when it is not
	hides    string    // why a command in it cannot be told; "" when all can
}

// command is one simple command.
type command struct {
	words []word
	stdin []string // here-documents
}

type word struct {
	text  string // quotes removed, unknown parts marked
	plain bool   // the shell passes exactly text
}

func (c command) texts() []string {
	out := make([]string, len(c.words))
	for i, w := range c.words {
		out[i] = w.text
	}
	return out
}

func (c command) name() string {
	if len(c.words) == 0 {
		return ""
	}
	return path.Base(c.words[0].text)
}

// behind gives the commands that this one may run or be: its own with the folder taken off the
// name, and for a program that runs others each tail of its words.
func (c command) behind() [][]string {
	words := c.texts()
	if len(words) == 0 {
		return nil
	}
	out := [][]string{append([]string{c.name()}, words[1:]...)}
	if runsOthers[c.name()] || len(opensDoors[c.name()]) > 0 {
		for i := 1; i < len(words); i++ {
			out = append(out, append([]string{path.Base(words[i])}, words[i+1:]...))
		}
	}
	return out
}

func parseShell(line string) script {
	var s script
	s.parse(line, 0)
	return s
}

func (s *script) mark(special string) {
	if s.special == "" {
		s.special = special
	}
}

func (s *script) hide(why string) {
	s.mark(why)
	if s.hides == "" {
		s.hides = why
	}
}

func (s *script) parse(line string, depth int) {
	if strings.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) {
		s.hide("has control characters")
	}
	if depth > maxDepth {
		s.hide("nests shells too deeply")
		return
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil || f == nil {
		s.hide("is not a shell line that dugout can read")
		return
	}
	if depth == 0 {
		s.list(f.Stmts)
		if len(f.Stmts) == 0 {
			s.mark("runs nothing")
		}
	}
	s.collect(f, depth)
}

// list takes the statements of a plain list of simple commands, and marks what is none.
func (s *script) list(stmts []*syntax.Stmt) {
	for _, st := range stmts {
		s.statement(st)
	}
}

func (s *script) statement(st *syntax.Stmt) {
	if st.Background || st.Coprocess || st.Disown {
		s.mark("runs in the background")
	}
	for _, r := range st.Redirs {
		if !harmlessRedirect(r) {
			s.mark("has a redirection")
		}
	}
	switch c := st.Cmd.(type) {
	case nil:
		s.mark("has a redirection without a command")
	case *syntax.CallExpr:
		s.simple(c)
	case *syntax.BinaryCmd:
		s.statement(c.X)
		s.statement(c.Y)
	case *syntax.Subshell:
		s.list(c.Stmts)
	case *syntax.Block:
		s.list(c.Stmts)
	default:
		s.mark("is more than a list of simple commands")
	}
}

func (s *script) simple(c *syntax.CallExpr) {
	if len(c.Assigns) > 0 {
		s.mark("sets variables")
	}
	if len(c.Args) == 0 {
		return
	}
	cmd := readCommand(c)
	for _, w := range cmd.words {
		if !w.plain {
			s.mark("has words that only the shell knows (variables, substitutions, globs, escapes)")
		}
	}
	if lit := c.Args[0].Lit(); lit == "" || lit != cmd.words[0].text {
		s.mark("has a quoted command name")
	}
	name := cmd.name()
	if runsOthers[name] {
		s.mark(name + " runs another command")
	}
	for _, w := range cmd.words[1:] {
		for _, opt := range opensDoors[name] {
			if opens(w.text, opt) {
				s.mark(name + " " + opt + " does more than " + name)
			}
		}
	}
	s.commands = append(s.commands, cmd)
}

// opens says whether a word is the option: also shortened, with a value, or in a cluster of letters.
func opens(w, opt string) bool {
	given, _, _ := strings.Cut(w, "=")
	switch {
	case given == opt:
		return true
	case strings.HasPrefix(opt, "--"):
		return len(given) >= len("--xx") && strings.HasPrefix(opt, given)
	case len(opt) == len("-x"):
		return strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, opt[1:])
	}
	return false
}

// harmlessRedirect allows 2>&1, >/dev/null and reading a named file.
func harmlessRedirect(r *syntax.Redirect) bool {
	w := readWord(r.Word)
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") || !w.plain {
		return false
	}
	switch r.Op {
	case syntax.DplOut, syntax.DplIn:
		return strings.Trim(w.text, "0123456789-") == ""
	case syntax.RdrIn:
		return !strings.HasPrefix(w.text, "/dev/") || w.text == "/dev/null"
	case syntax.RdrOut, syntax.AppOut, syntax.RdrAll, syntax.AppAll, syntax.RdrClob:
		return w.text == "/dev/null"
	}
	return false
}

// collect gathers every command and redirection below n, whatever surrounds it.
func (s *script) collect(n syntax.Node, depth int) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			s.redirects(n)
			if c, ok := n.Cmd.(*syntax.CallExpr); ok {
				s.call(c, heredocs(n), depth)
			}
		case *syntax.FuncDecl:
			s.hide("defines a function")
		case *syntax.Assign:
			if n.Value != nil {
				s.targets = append(s.targets, readWord(n.Value).text)
			}
		case *syntax.WordIter:
			for _, w := range n.Items {
				s.targets = append(s.targets, readWord(w).text)
			}
		}
		return true
	})
}

func (s *script) redirects(st *syntax.Stmt) {
	for _, r := range st.Redirs {
		if r.Hdoc == nil && r.Word != nil && r.Op != syntax.WordHdoc {
			s.targets = append(s.targets, readWord(r.Word).text)
		}
	}
}

func heredocs(st *syntax.Stmt) []string {
	var out []string
	for _, r := range st.Redirs {
		if r.Hdoc != nil {
			out = append(out, readWord(r.Hdoc).text)
		} else if r.Op == syntax.WordHdoc {
			out = append(out, readWord(r.Word).text)
		}
	}
	return out
}

func (s *script) call(c *syntax.CallExpr, stdin []string, depth int) {
	if len(c.Args) == 0 {
		return
	}
	cmd := readCommand(c)
	cmd.stdin = stdin
	s.found = append(s.found, cmd)
	if strings.Contains(cmd.words[0].text, unknown) {
		s.hide("has a command name that only the shell knows")
	}
	name := cmd.name()
	if !runsOthers[name] && !shells[name] {
		return
	}
	for _, w := range cmd.words[1:] {
		if strings.Contains(w.text, unknown) {
			s.hide(name + " runs something that only the shell knows")
		}
	}
	if name == "eval" {
		s.parse(strings.Join(cmd.texts()[1:], " "), depth+1)
		return
	}
	// The texts that it may run: `bash -c TEXT`, `su root -c TEXT`, `trap TEXT EXIT`, `watch "TEXT"`.
	next := name == "trap"
	for _, w := range cmd.words[1:] {
		switch {
		case strings.HasPrefix(w.text, "-") && !strings.ContainsAny(w.text, " \n\t"):
			next = next || !strings.HasPrefix(w.text, "--") && strings.Contains(w.text, "c")
		case next || strings.ContainsAny(w.text, " \n\t"):
			s.parse(w.text, depth+1)
			next = false
		}
	}
	if shells[name] {
		for _, doc := range stdin {
			s.parse(doc, depth+1)
		}
	}
}
