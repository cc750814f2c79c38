package chatview

import (
	"dugout/views/tui/keymap"
	"slices"
)

// Actions of the chat.
const (
	Send     keymap.Action = "chat.send"
	FollowUp keymap.Action = "chat.followUp"
	Newline  keymap.Action = "chat.newline"
	Back     keymap.Action = "chat.back"
	BackLeft keymap.Action = "chat.backLeft"
	Escape   keymap.Action = "chat.escape"
	Older    keymap.Action = "chat.older"
	Newer    keymap.Action = "chat.newer"
	Expand   keymap.Action = "chat.expand"
	TakeBack keymap.Action = "chat.takeBack"
	Model    keymap.Action = "chat.model"
	PageUp   keymap.Action = "chat.pageUp"
	PageDown keymap.Action = "chat.pageDown"
	LineUp   keymap.Action = "chat.lineUp"
	LineDown keymap.Action = "chat.lineDown"
	Top      keymap.Action = "chat.top"
	End      keymap.Action = "chat.end"
	Focus    keymap.Action = "chat.focus"
	Help     keymap.Action = "chat.help"
)

// Actions of a permission question.
const (
	Allow    keymap.Action = "permission.allow"
	Always   keymap.Action = "permission.always"
	Deny     keymap.Action = "permission.deny"
	DenyWord keymap.Action = "permission.denyWithWord"
)

func bindings() []keymap.Binding {
	return []keymap.Binding{
		{Action: Escape, Keys: []string{"esc"}, Help: "stop"},
		{Action: Send, Keys: []string{"enter"}, Help: "send"},
		{Action: FollowUp, Keys: []string{"alt+enter"}, Help: "after the work"},
		{Action: Newline, Keys: []string{"ctrl+j", "shift+enter"}, Help: "new line"},
		{Action: Older, Keys: []string{"up"}, Help: "an earlier question"},
		{Action: Newer, Keys: []string{"down"}, Help: "a later question"},
		{Action: TakeBack, Keys: []string{"alt+up"}, Help: "take the last queued back"},
		{Action: Focus, Keys: []string{"tab"}, Help: "answer"},
		{Action: Expand, Keys: []string{"ctrl+o"}, Help: "all of it"},
		{Action: Model, Keys: []string{"ctrl+l"}, Help: "model"},
		{Action: PageUp, Keys: []string{"pgup"}, Help: "a page up"},
		{Action: PageDown, Keys: []string{"pgdown"}, Help: "a page down"},
		{Action: LineUp, Keys: []string{"shift+up"}, Help: "a line up"},
		{Action: LineDown, Keys: []string{"shift+down"}, Help: "a line down"},
		{Action: Top, Keys: []string{"alt+<", "ctrl+home"}, Help: "the beginning"},
		{Action: End, Keys: []string{"alt+>", "ctrl+end"}, Help: "the end"},
		{Action: Help, Keys: []string{"?"}, Help: "keys"},
		{Action: BackLeft, Keys: []string{"left"}, Help: "roster, at an empty line"},
		{Action: Back, Keys: []string{"ctrl+q"}, Help: "roster (it goes on)"},
	}
}

func askBindings() []keymap.Binding {
	return []keymap.Binding{
		{Action: Allow, Keys: []string{"y"}, Help: "allow", Footer: true},
		{Action: Always, Keys: []string{"a"}, Help: "always", Footer: true},
		{Action: Deny, Keys: []string{"n"}, Help: "deny", Footer: true},
		{Action: DenyWord, Keys: []string{"r"}, Help: "deny, with a word", Footer: true},
	}
}

// active is the bindings as they work now.
func (s *Screen) active() []keymap.Binding {
	out := slices.Clone(s.keys)
	for i := range out {
		b := &out[i]
		b.Off = s.off(b.Action)
		switch b.Action {
		case Send:
			b.Footer = !s.ed.Empty()
			if s.tr.Busy() {
				b.Help = "steer"
			}
		case FollowUp:
			b.Footer = s.tr.Busy() && !s.ed.Empty()
		case Escape:
			b.Footer = true
			b.Help = s.escapeWord()
		case TakeBack, Focus, Back, Expand:
			b.Footer = true
		case Help:
			b.Footer = s.ed.Empty()
		}
		if b.Action == Expand && s.expand {
			b.Help = "less"
		}
	}
	return out
}

func (s *Screen) off(a keymap.Action) string {
	switch a {
	case Help, BackLeft:
		if !s.ed.Empty() {
			return "the line is not empty"
		}
	case TakeBack:
		if len(s.tr.Queue) == 0 {
			return "nothing is queued"
		}
	case Focus:
		if len(s.tr.Permissions) == 0 || s.asking() {
			return "nothing is asked"
		}
	case Escape:
		if s.escapeWord() == "" {
			return "nothing to stop"
		}
	}
	return ""
}

// escapeWord says what esc does now; "" when it does nothing.
func (s *Screen) escapeWord() string {
	switch {
	case s.tr.Busy():
		return "stop"
	case !s.ed.Empty():
		return "clear"
	case s.o.Ports.Screens.Tree == nil:
		return ""
	case s.escArmed:
		return "tree"
	}
	return "twice: tree"
}
