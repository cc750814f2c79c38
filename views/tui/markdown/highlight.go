package markdown

import "strings"

// Highlighting is ours: keywords, strings, numbers and comments, by a few families of languages. A
// full highlighter costs every start of the program 10 ms, and shows little more in so few colours.

// family is how the languages of a kind write comments and strings.
type family struct {
	line     []string // comment to the end of the line
	block    [2]string
	strings  string // quotes
	keywords string // space before and after each
}

const (
	wordsC = " if else for while do switch case default break continue return goto sizeof typedef struct union enum static const extern void int char long short unsigned signed float double bool true false NULL nullptr class public private protected virtual template typename namespace using new delete this throw try catch auto inline operator override final import package interface extends implements super instanceof null var let function async await yield of in typeof export from fn mut pub impl trait match mod use crate self Self where dyn ref move loop as unsafe type val fun object when is by lazy string number boolean never any readonly abstract "
	wordsG = " break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota any error string int int64 byte rune bool float64 uint "
	wordsP = " and as assert async await break class continue def del elif else except finally for from global if import in is lambda None nonlocal not or pass raise return True False try while with yield self match case begin end do unless until then module require puts nil true false elsif "
	wordsS = " if then else elif fi for while until do done case esac in function return local export set unset echo cd exit source test "
	wordsQ = " select from where insert into values update set delete create table index drop alter join left right inner outer on group by order having limit and or not null primary key as distinct union SELECT FROM WHERE INSERT INTO VALUES UPDATE SET DELETE CREATE TABLE INDEX DROP ALTER JOIN LEFT RIGHT INNER OUTER ON GROUP BY ORDER HAVING LIMIT AND OR NOT NULL PRIMARY KEY AS DISTINCT UNION "
	wordsJ = " true false null yes no on off "
)

func familyOf(lang string) (family, bool) {
	switch strings.ToLower(lang) {
	case "go", "golang":
		return family{[]string{"//"}, [2]string{"/*", "*/"}, "\"'`", wordsG}, true
	case "c", "h", "cpp", "c++", "cc", "cs", "csharp", "java", "js", "javascript", "jsx", "ts", "typescript", "tsx", "rust", "rs", "kotlin", "kt", "swift", "php", "scala", "dart", "zig", "proto":
		return family{[]string{"//"}, [2]string{"/*", "*/"}, "\"'`", wordsC}, true
	case "py", "python", "rb", "ruby":
		return family{[]string{"#"}, [2]string{}, "\"'", wordsP}, true
	case "sh", "bash", "zsh", "shell", "console", "fish", "make", "makefile", "dockerfile":
		return family{[]string{"#"}, [2]string{}, "\"'", wordsS}, true
	case "sql":
		return family{[]string{"--"}, [2]string{"/*", "*/"}, "\"'", wordsQ}, true
	case "json", "json5", "yaml", "yml", "toml", "ini":
		return family{[]string{"#", "//"}, [2]string{}, "\"'", wordsJ}, true
	}
	return family{}, false
}

// highlight cuts code into lines of spans. An unknown language has one colour.
func highlight(src, lang string) [][]span {
	if strings.EqualFold(lang, "diff") || strings.EqualFold(lang, "patch") {
		return highlightDiff(src)
	}
	f, ok := familyOf(lang)
	if !ok {
		f = family{}
	}
	h := lexer{f: f, known: ok}
	for _, l := range strings.Split(src, "\n") {
		h.out = append(h.out, h.one(l))
	}
	return h.out
}

func highlightDiff(src string) [][]span {
	var out [][]span
	for _, l := range strings.Split(src, "\n") {
		a := attr{}
		switch {
		case strings.HasPrefix(l, "+"):
			a.ink = inkString
		case strings.HasPrefix(l, "-"):
			a.ink = inkNumber
		case strings.HasPrefix(l, "@@"):
			a.ink = inkType
		}
		out = append(out, []span{{l, a}})
	}
	return out
}

type lexer struct {
	f     family
	known bool
	until string // the end of a comment or string that goes on over lines
	ink   ink
	out   [][]span
}

// one cuts a line; the lexer remembers what is still open at its end.
func (x *lexer) one(line string) []span {
	if !x.known {
		return []span{{line, attr{}}}
	}
	var out []span
	put := func(s string, k ink) {
		if s != "" {
			out = append(out, span{s, attr{ink: k}})
		}
	}
	for line != "" {
		if x.until != "" {
			i := strings.Index(line, x.until)
			if i < 0 {
				put(line, x.ink)
				return out
			}
			put(line[:i+len(x.until)], x.ink)
			line, x.until = line[i+len(x.until):], ""
			continue
		}
		n, k := x.token(line)
		put(line[:n], k)
		line = line[n:]
	}
	return out
}

// token is the length and the ink of what a line begins with.
func (x *lexer) token(s string) (int, ink) {
	for _, c := range x.f.line {
		if strings.HasPrefix(s, c) {
			return len(s), inkComment
		}
	}
	if open := x.f.block[0]; open != "" && strings.HasPrefix(s, open) {
		x.until, x.ink = x.f.block[1], inkComment
		return len(open), inkComment
	}
	c := s[0]
	switch {
	case strings.IndexByte(x.f.strings, c) >= 0:
		return x.quoted(s), inkString
	case c >= '0' && c <= '9':
		n := 1
		for n < len(s) && (wordByte(s[n]) || s[n] == '.') {
			n++
		}
		return n, inkNumber
	case wordByte(c):
		n := 1
		for n < len(s) && wordByte(s[n]) {
			n++
		}
		if strings.Contains(x.f.keywords, " "+s[:n]+" ") {
			return n, inkKeyword
		}
		return n, inkBase
	}
	n := 1
	for n < len(s) && !wordByte(s[n]) && strings.IndexByte(x.f.strings+"/#-", s[n]) < 0 {
		n++
	}
	return n, inkBase
}

// quoted is the length of a string; a back-quoted one may go on over lines.
func (x *lexer) quoted(s string) int {
	q := s[0]
	for i := 1; i < len(s); i++ {
		if s[i] == '\\' && q != '`' {
			i++
			continue
		}
		if s[i] == q {
			return i + 1
		}
	}
	if q == '`' {
		x.until, x.ink = "`", inkString
		return len(s)
	}
	if q == '\'' {
		return 1 // an apostrophe, a lifetime
	}
	return len(s)
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
