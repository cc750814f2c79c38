package widget

import (
	"dugout/views/tui/keymap"
	"strings"
	"unicode"
	"unicode/utf8"
)

// editorActions is what each editing action does; false says that it could not.
var editorActions = map[keymap.Action]func(*Editor) bool{
	keymap.EditLeft:          func(e *Editor) bool { return e.move(e.at - 1) },
	keymap.EditRight:         func(e *Editor) bool { return e.move(e.at + 1) },
	keymap.EditWordLeft:      func(e *Editor) bool { return e.move(e.wordLeft(isWord)) },
	keymap.EditWordRight:     func(e *Editor) bool { return e.move(e.wordRight()) },
	keymap.EditLineStart:     func(e *Editor) bool { e.move(e.lineStart()); return true },
	keymap.EditLineEnd:       func(e *Editor) bool { e.move(e.lineEnd()); return true },
	keymap.EditStart:         func(e *Editor) bool { return e.move(0) },
	keymap.EditEnd:           func(e *Editor) bool { return e.move(len(e.text)) },
	keymap.EditUp:            func(e *Editor) bool { return e.vertical(-1) },
	keymap.EditDown:          func(e *Editor) bool { return e.vertical(1) },
	keymap.EditNewline:       func(e *Editor) bool { e.Insert("\n"); return true },
	keymap.EditBackspace:     func(e *Editor) bool { return e.remove(e.at-1, e.at, false) },
	keymap.EditDelete:        func(e *Editor) bool { return e.remove(e.at, e.at+1, false) },
	keymap.EditKillWordLeft:  func(e *Editor) bool { return e.remove(e.wordLeft(notBlank), e.at, true) },
	keymap.EditKillWordRight: func(e *Editor) bool { return e.remove(e.at, e.wordRight(), true) },
	keymap.EditKillToStart:   func(e *Editor) bool { return e.remove(e.killStart(), e.at, true) },
	keymap.EditKillToEnd:     func(e *Editor) bool { return e.remove(e.at, e.killEnd(), true) },
	keymap.EditYank:          func(e *Editor) bool { return e.yank() },
	keymap.EditUndo:          func(e *Editor) bool { return e.back() },
}

func (e *Editor) move(to int) bool {
	to = max(0, min(to, len(e.text)))
	if to == e.at {
		return false
	}
	e.at, e.typed, e.goal = to, false, -1
	return true
}

// remove takes text[from:to] away; kill keeps it for yank.
func (e *Editor) remove(from, to int, kill bool) bool {
	from, to = max(0, from), min(to, len(e.text))
	if from >= to {
		return false
	}
	e.remember(false)
	if kill {
		e.cut = append([]string(nil), e.text[from:to]...)
	}
	text := make([]string, 0, len(e.text))
	e.text = append(append(text, e.text[:from]...), e.text[to:]...)
	e.at, e.goal = from, -1
	return true
}

func (e *Editor) yank() bool {
	if len(e.cut) == 0 {
		return false
	}
	e.Insert(strings.Join(e.cut, ""))
	return true
}

// back undoes the last change.
func (e *Editor) back() bool {
	n := len(e.undo)
	if n == 0 {
		return false
	}
	s := e.undo[n-1]
	e.undo = e.undo[:n-1]
	e.text, e.at, e.typed, e.goal = s.text, min(s.at, len(s.text)), false, -1
	return true
}

func isWord(c string) bool {
	r, _ := utf8.DecodeRuneInString(c)
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
}

func notBlank(c string) bool {
	r, _ := utf8.DecodeRuneInString(c)
	return !unicode.IsSpace(r)
}

func (e *Editor) wordLeft(in func(string) bool) int {
	i := e.at
	for i > 0 && !in(e.text[i-1]) {
		i--
	}
	for i > 0 && in(e.text[i-1]) {
		i--
	}
	return i
}

func (e *Editor) wordRight() int {
	i := e.at
	for i < len(e.text) && !isWord(e.text[i]) {
		i++
	}
	for i < len(e.text) && isWord(e.text[i]) {
		i++
	}
	return i
}

func (e *Editor) lineStart() int {
	i := e.at
	for i > 0 && e.text[i-1] != "\n" {
		i--
	}
	return i
}

func (e *Editor) lineEnd() int {
	i := e.at
	for i < len(e.text) && e.text[i] != "\n" {
		i++
	}
	return i
}

// killStart and killEnd take the line's end too where the line has no more to give.
func (e *Editor) killStart() int {
	if i := e.lineStart(); i < e.at {
		return i
	}
	return e.at - 1
}

func (e *Editor) killEnd() int {
	if i := e.lineEnd(); i > e.at {
		return i
	}
	return e.at + 1
}

// vertical moves by rows as they are drawn; false at the first or last, where history begins.
func (e *Editor) vertical(by int) bool {
	rows := e.rows(e.Width)
	r := rowOf(rows, e.at)
	to := r + by
	if to < 0 || to >= len(rows) {
		return false
	}
	goal := e.goal
	if goal < 0 {
		goal = e.span(rows[r].from, e.at)
	}
	at, col := rows[to].from, 0
	for at < rows[to].last() {
		w := drawnWidth(e.text[at])
		if col+w > goal {
			break
		}
		col += w
		at++
	}
	e.at, e.typed, e.goal = at, false, goal
	return true
}

func (e *Editor) span(from, to int) int {
	n := 0
	for _, c := range e.text[from:to] {
		n += drawnWidth(c)
	}
	return n
}
