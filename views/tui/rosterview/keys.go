package rosterview

import (
	"dugout/roster"
	"dugout/views/tui/keymap"
	"slices"
	"unicode/utf8"
)

// Actions of the roster.
const (
	Open       keymap.Action = "roster.open"
	Peek       keymap.Action = "roster.peek"
	Answer     keymap.Action = "roster.answer"
	NewSession keymap.Action = "roster.new"
	NewWith    keymap.Action = "roster.newWithPrompt"
	Rename     keymap.Action = "roster.rename"
	Delete     keymap.Action = "roster.delete"
	Stop       keymap.Action = "roster.stop"
	Archive    keymap.Action = "roster.archive"
	Next       keymap.Action = "roster.nextNeedsYou"
	Sort       keymap.Action = "roster.sort"
	Named      keymap.Action = "roster.namedOnly"
	Paths      keymap.Action = "roster.paths"
	Scope      keymap.Action = "roster.scope"
	Children   keymap.Action = "roster.children"
	KeyMode    keymap.Action = "roster.keyMode"
	Search     keymap.Action = "roster.search"
	Quit       keymap.Action = "roster.quit"
	Help       keymap.Action = "roster.help"
)

// bindings is every key of the screen. A key that is one character acts in key mode alone, for
// typing always filters; space and ? act at an empty line as well.
func bindings() []keymap.Binding {
	return []keymap.Binding{
		{Action: Answer, Keys: []string{"y"}, Help: "answer"},
		{Action: Open, Keys: []string{"enter", "right"}, Help: "open"},
		{Action: Peek, Keys: []string{" "}, Help: "peek"},
		{Action: NewSession, Keys: []string{"ctrl+o", "n"}, Help: "new"},
		{Action: NewWith, Keys: []string{"alt+enter"}, Help: "new with this prompt"},
		{Action: Next, Keys: []string{"alt+n", "]"}, Help: "next"},
		{Action: Rename, Keys: []string{"ctrl+r", "r"}, Help: "rename"},
		{Action: Delete, Keys: []string{"ctrl+d", "d"}, Help: "delete"},
		{Action: Stop, Keys: []string{"ctrl+x", "x"}, Help: "stop"},
		{Action: Archive, Keys: []string{"alt+a", "a"}, Help: "archive"},
		{Action: Sort, Keys: []string{"ctrl+s", "s"}, Help: "sort"},
		{Action: Scope, Keys: []string{"ctrl+g", "g"}, Help: "this folder or all"},
		{Action: Named, Keys: []string{"ctrl+n", "m"}, Help: "named only"},
		{Action: Paths, Keys: []string{"ctrl+p", "p"}, Help: "paths"},
		{Action: Children, Keys: []string{"alt+c", "c"}, Help: "children"},
		{Action: Search, Keys: []string{"/", "i"}, Help: "search"},
		{Action: KeyMode, Keys: []string{"esc"}, Help: "keys"},
		{Action: Quit, Keys: []string{"q"}, Help: "leave"},
		{Action: Help, Keys: []string{"?"}, Help: "help"},
	}
}

// Bindings are all actions of the roster and its peek, for checking a person's keys.
func Bindings() []keymap.Binding { return append(bindings(), peekBindings()...) }

func isLetter(key string) bool { return utf8.RuneCountInString(key) == 1 }

// active is the bindings as they work in the present mode: keys that don't act now are taken out,
// and what can't be done now says why.
func (s *Screen) active() []keymap.Binding {
	out := slices.Clone(s.keys)
	row, ok := s.selected()
	for i := range out {
		b := &out[i]
		b.Keys = slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool {
			return isLetter(k) && !s.keyMode && (!s.search.Empty() || k != " " && k != "?")
		})
		if s.keyMode { // letters first: they are what the footer shows
			slices.SortStableFunc(b.Keys, func(x, y string) int {
				return boolInt(isLetter(y)) - boolInt(isLetter(x))
			})
		}
		b.Off = s.off(b.Action, row, ok)
		b.Footer = s.inFooter(b.Action, row, ok)
		s.wording(b, row, ok)
	}
	return out
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// off says why an action can't be done now.
func (s *Screen) off(a keymap.Action, row roster.Row, ok bool) string {
	picker := s.o.Pick != nil
	switch a {
	case Open, Peek, Rename, Delete, Stop, Archive, Children, Answer:
		if !ok {
			return "no session is selected"
		}
	}
	switch a {
	case Rename, Delete, Archive:
		if row.Record.ReadOnly() {
			return "its store is not dugout's to write"
		}
	case Stop:
		if row.Record.Live == nil {
			return "it is not live"
		}
	case Answer:
		if !asks(row.Record) {
			return "it asks nothing"
		}
	case Children:
		if row.Children == 0 {
			return "it has no children"
		}
	case Next:
		if len(s.view.NeedsYou) == 0 {
			return "nobody needs you"
		}
	case NewWith:
		if s.search.Empty() {
			return "the line is empty"
		}
	case Search:
		if !s.keyMode {
			return "typing searches already"
		}
	case Sort:
		if s.view.Total == 0 {
			return "there is nothing to sort"
		}
	case Scope:
		if s.o.Folder == "" {
			return "no folder is known"
		}
	}
	if picker && (a == NewSession || a == NewWith || a == Stop || a == Archive || a == Next || a == Answer) {
		return "choosing a session"
	}
	return ""
}

// inFooter says what the footer shows, besides what is off.
func (s *Screen) inFooter(a keymap.Action, row roster.Row, ok bool) bool {
	switch a {
	case Open, NewSession, Rename, Delete, Next, Help, Sort, Scope, KeyMode:
		return true
	case Peek:
		return ok && asks(row.Record) && s.search.Empty()
	case Stop:
		return ok && row.Section != roster.Inactive
	case NewWith:
		return !s.search.Empty()
	case Quit, Search, Archive, Answer:
		return s.keyMode
	}
	return false
}

// wording makes a binding say what it does to the selected row.
func (s *Screen) wording(b *keymap.Binding, row roster.Row, ok bool) {
	switch {
	case b.Action == KeyMode && !s.search.Empty():
		b.Help = "clear"
	case b.Action == KeyMode && s.o.Pick != nil:
		b.Help = "back"
	case b.Action == KeyMode && s.keyMode:
		b.Help = "search"
	case b.Action == Open && s.o.Pick != nil:
		b.Help = "choose"
	case b.Action == Peek && ok && asks(row.Record):
		b.Help = "answer"
	case b.Action == Archive && ok && archived(row.Record):
		b.Help = "unarchive"
	case b.Action == Scope && s.scoped:
		b.Help = "all folders"
	case b.Action == Scope:
		b.Help = "this folder"
	}
}

// helpKeys are the keys of the screen for a help page, whatever the mode.
func (s *Screen) helpKeys() []keymap.Binding {
	out := slices.Clone(s.keys)
	row, ok := s.selected()
	for i := range out {
		switch out[i].Action {
		case Search, Quit, NewWith, KeyMode:
			continue
		case Next:
			out[i].Help = "next that needs you"
		}
		out[i].Off = s.off(out[i].Action, row, ok)
	}
	return out
}
