package widget

import (
	"dugout/views/tui/keymap"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Editor is a text field with the shell's editing keys: one line (a search) or several (a message).
// It moves by what a person sees as one character, and measures by cells. Use NewEditor.
type Editor struct {
	Placeholder string
	Width       int // of the text, for moving up and down; see also View

	multi bool
	keys  []keymap.Binding
	text  []string // one string a character
	at    int      // the cursor stands before text[at]
	cut   []string // what was killed last
	undo  []editorState
	typed bool // the last change was typing: it joins the next in one undo
	goal  int  // column wanted while moving up and down, -1 when none
}

type editorState struct {
	text []string
	at   int
}

const maxUndo = 100

// NewEditor makes an empty editor; multi takes several lines.
func NewEditor(multi bool, o keymap.Overrides) Editor {
	keys := o.Apply(keymap.Edit())
	if !multi {
		for i, b := range keys {
			if b.Action == keymap.EditNewline || b.Action == keymap.EditUp || b.Action == keymap.EditDown {
				keys[i].Off = "one line"
			}
		}
	}
	return Editor{multi: multi, keys: keys, goal: -1}
}

// Keys are the editing keys, for help.
func (e *Editor) Keys() []keymap.Binding { return e.keys }

// Value is the text.
func (e *Editor) Value() string { return strings.Join(e.text, "") }

// Empty says that there is no text.
func (e *Editor) Empty() bool { return len(e.text) == 0 }

// AtEnd says that the cursor stands behind the text.
func (e *Editor) AtEnd() bool { return e.at == len(e.text) }

// Cursor is the cursor's place in Value, in bytes.
func (e *Editor) Cursor() int {
	n := 0
	for _, c := range e.text[:e.at] {
		n += len(c)
	}
	return n
}

// Set replaces the text and puts the cursor behind it. It can be undone.
func (e *Editor) Set(s string) {
	e.remember(false)
	e.text = characters(e.clean(s))
	e.at = len(e.text)
	e.goal = -1
}

// Replace puts s in place of the bytes from..to of Value, with the cursor behind it: a completion.
func (e *Editor) Replace(from, to int, s string) {
	e.remember(false)
	v := e.Value()
	from = max(0, min(from, len(v)))
	to = max(from, min(to, len(v)))
	head := v[:from] + e.clean(s)
	e.text = characters(head + v[to:])
	e.at = min(len(characters(head)), len(e.text))
	e.goal = -1
}

// Insert puts s at the cursor, as a paste does: one undo takes it away.
func (e *Editor) Insert(s string) {
	e.remember(false)
	e.insert(s)
}

func (e *Editor) insert(s string) {
	s = e.clean(s)
	// A character may join with its neighbours (an accent, a flag's other half).
	from, to := max(0, e.at-1), min(len(e.text), e.at+1)
	head := strings.Join(e.text[from:e.at], "") + s
	tail := strings.Join(e.text[e.at:to], "")
	mid := characters(head + tail)
	n := len(characters(head))
	text := make([]string, 0, len(e.text)+len(mid))
	text = append(append(append(text, e.text[:from]...), mid...), e.text[to:]...)
	e.text = text
	e.at = min(from+n, len(e.text))
	e.goal = -1
}

// clean makes line ends LF (or blanks, in one line) and drops NUL, which no terminal sends in text.
func (e *Editor) clean(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if !strings.ContainsAny(s, "\r\n\x00") {
		return s
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(s)
	if !e.multi {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	return s
}

// characters cuts text into what a person sees as one character.
func characters(s string) []string {
	out := make([]string, 0, len(s))
	for len(s) > 0 {
		n := 1
		if s[0] >= 0x80 || len(s) > 1 && s[1] >= 0x80 {
			c, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
			n = max(1, len(c))
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// remember keeps the state for undo, once for a run of typing.
func (e *Editor) remember(typing bool) {
	if typing && e.typed {
		return
	}
	e.typed = typing
	if len(e.undo) == maxUndo {
		e.undo = append(e.undo[:0], e.undo[1:]...)
	}
	e.undo = append(e.undo, editorState{e.text, e.at})
}

// Key handles a key; false says that the editor has no use for it.
func (e *Editor) Key(k tea.KeyMsg) bool {
	if k.Paste {
		e.Insert(string(k.Runes))
		return true
	}
	if b, ok := keymap.Find(e.keys, k.String()); ok {
		return editorActions[b.Action](e)
	}
	if (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt {
		blank := string(k.Runes) == " "
		e.remember(!blank)
		if blank {
			e.typed = true // a word is an undo
		}
		e.insert(string(k.Runes))
		return true
	}
	return false
}
