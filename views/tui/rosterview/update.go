package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/views/sanitize"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/widget"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Update takes keys, the roster's changes, the clock, and the answers to its own commands.
func (s *Screen) Update(msg tea.Msg) (screen.Screen, screen.Step) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		step := s.key(msg)
		s.settle()
		return s, step
	case screen.SizeMsg:
		s.width, s.height = msg.Width, msg.Height
		s.arrange()
	case screen.TickMsg:
		s.tick(msg)
	case RosterChangedMsg:
		s.data, s.heard = msg, true
		s.arrange()
	case answerMsg:
		return s, screen.Step{Cmd: s.answer(msg)}
	case openMsg:
		return s, s.openRef(msg.ref)
	case confirmedMsg:
		return s, screen.Step{Cmd: msg.run}
	case doneMsg:
		s.say(msg.text, msg.bad)
	case startedMsg:
		s.started(msg)
		s.settle()
	}
	return s, screen.Step{}
}

func (s *Screen) tick(t screen.TickMsg) {
	s.now = t.Now
	s.frame++
	switch {
	case s.notice.text == "":
	case s.notice.until.IsZero():
		s.notice.until = t.Now.Add(noticeTime)
	case t.Now.After(s.notice.until):
		s.notice = notice{}
	}
}

func (s *Screen) say(text string, bad bool) {
	s.notice = notice{text: sanitize.Line(text, 0), bad: bad}
}

// key goes to the name being edited, to an action, to the list, or into the search line.
func (s *Screen) key(k tea.KeyMsg) screen.Step {
	if s.renaming != nil {
		return s.renameKey(k)
	}
	if k.Paste {
		s.keyMode = false
		s.search.Key(k)
		s.arrange()
		return screen.Step{}
	}
	key := k.String()
	if b, ok := keymap.Find(s.active(), key); ok && !s.editsInstead(b.Action, key) {
		return actions[b.Action](s)
	}
	if b, ok := keymap.Find(s.o.Keys.Apply(keymap.List()), key); ok {
		s.list.Action(b.Action)
		return screen.Step{}
	}
	if s.keyMode || s.search.Empty() && (key == "home" || key == "end") {
		s.keyModeMove(key)
		return screen.Step{}
	}
	before := s.search.Value()
	if s.search.Key(k) && s.search.Value() != before {
		s.arrange()
		s.preferLiteral()
	}
	return screen.Step{}
}

// preferLiteral moves the selection to the first title that holds what was typed, when the selected
// one matches by scattered letters alone: enter means what one reads.
func (s *Screen) preferLiteral() {
	if s.query.Empty() {
		return
	}
	literal := func(r roster.Row) bool {
		return r.Matched && len(s.query.Highlight(sanitize.Line(r.Record.Title(), 1000))) > 0
	}
	if row, ok := s.selected(); ok && literal(row) {
		return
	}
	for _, l := range s.lines {
		if l.kind == lineRow && literal(l.row) {
			s.list.Select(string(l.row.Record.Key))
			return
		}
	}
}

// editsInstead says that a key belongs to the search line now: right moves in it before it opens.
func (s *Screen) editsInstead(a keymap.Action, key string) bool {
	return a == Open && key == "right" && !s.keyMode && !s.search.AtEnd()
}

// keyModeMove is moving by what the search line has no use for: letters in key mode, home and end
// while it is empty.
func (s *Screen) keyModeMove(key string) {
	switch key {
	case "j":
		s.list.Move(1)
	case "k":
		s.list.Move(-1)
	case "home":
		s.list.First()
	case "end", "G":
		s.list.Last()
	}
}

// actions is what each action does. It is filled in by the methods below.
var actions = map[keymap.Action]func(*Screen) screen.Step{
	Open:       (*Screen).open,
	Peek:       (*Screen).peek,
	Answer:     (*Screen).peek,
	NewSession: (*Screen).newSession,
	NewWith:    (*Screen).newWithPrompt,
	Rename:     (*Screen).beginRename,
	Delete:     (*Screen).confirmDelete,
	Stop:       (*Screen).stop,
	Archive:    (*Screen).archive,
	Next:       (*Screen).next,
	Sort:       (*Screen).nextSort,
	Named:      (*Screen).toggleNamed,
	Paths:      (*Screen).togglePaths,
	Scope:      (*Screen).toggleScope,
	Children:   (*Screen).toggleChildren,
	KeyMode:    (*Screen).escape,
	Search:     (*Screen).toSearch,
	Quit:       func(*Screen) screen.Step { return screen.Step{Nav: screen.Nav{Quit: true}} },
	Help:       (*Screen).help,
}

func (s *Screen) open() screen.Step {
	row, ok := s.selected()
	if !ok {
		return screen.Step{}
	}
	return s.openRef(refOf(row.Record))
}

func (s *Screen) openRef(ref protocol.SessionRef) screen.Step {
	if s.o.Pick != nil {
		return screen.Step{Nav: screen.Nav{Pop: true, Tell: s.o.Pick(ref)}}
	}
	return screen.Step{Nav: screen.Nav{Push: s.o.Ports.OpenChat(ref)}}
}

func (s *Screen) peek() screen.Step {
	row, ok := s.selected()
	if !ok {
		return screen.Step{}
	}
	return screen.Step{Nav: screen.Nav{Push: newPeek(s, row)}}
}

func (s *Screen) newSession() screen.Step {
	return screen.Step{Nav: screen.Nav{Push: s.o.Ports.NewChat(s.fresh(""))}}
}

func (s *Screen) fresh(prompt string) protocol.NewSession {
	return protocol.NewSession{CWD: s.o.Folder, Model: s.o.Model, Permission: s.o.Mode, Prompt: prompt}
}

func (s *Screen) newWithPrompt() screen.Step {
	prompt := strings.TrimSpace(s.search.Value())
	if prompt == "" {
		return screen.Step{}
	}
	s.setQuery("")
	s.say("starting…", false)
	return screen.Step{Cmd: s.start(s.fresh(prompt))}
}

// next selects the next session that needs the person, going round by the strip's order. What hides
// it is put aside.
func (s *Screen) next() screen.Step {
	need := s.view.NeedsYou
	if len(need) == 0 {
		return screen.Step{}
	}
	at := slices.IndexFunc(need, func(r roster.Record) bool { return string(r.Key) == s.list.Selected() })
	key := need[(at+1)%len(need)].Key
	if !s.list.Select(string(key)) {
		s.named, s.scoped = false, false
		s.setQuery("")
		s.list.Select(string(key))
	}
	return screen.Step{}
}

func (s *Screen) nextSort() screen.Step {
	s.sort = s.sort.Next()
	s.arrange()
	s.say("sorted by "+string(s.sort), false)
	return screen.Step{}
}

func (s *Screen) toggleNamed() screen.Step {
	s.named = !s.named
	s.arrange()
	return screen.Step{}
}

func (s *Screen) togglePaths() screen.Step {
	s.paths = !s.paths
	return screen.Step{}
}

func (s *Screen) toggleScope() screen.Step {
	s.scoped = !s.scoped
	s.arrange()
	return screen.Step{}
}

func (s *Screen) toggleChildren() screen.Step {
	if row, ok := s.selected(); ok {
		s.unfolded[row.Record.Key] = !s.unfolded[row.Record.Key]
		s.arrange()
	}
	return screen.Step{}
}

// escape clears the line, else changes between typing and key mode; a picker it leaves.
func (s *Screen) escape() screen.Step {
	switch {
	case !s.search.Empty():
		s.setQuery("")
	case s.o.Pick != nil:
		return screen.Step{Nav: screen.Nav{Pop: true}}
	default:
		s.keyMode = !s.keyMode
	}
	return screen.Step{}
}

func (s *Screen) toSearch() screen.Step {
	s.keyMode = false
	return screen.Step{}
}

func (s *Screen) help() screen.Step {
	groups := []widget.HelpGroup{
		{Title: "Sessions", Keys: s.helpKeys()},
		{Title: "Moving", Keys: s.o.Keys.Apply(keymap.List())},
		{Title: "The search line", Keys: s.search.Keys()},
		{Title: "Everywhere", Keys: s.o.Keys.Apply(keymap.Global())},
	}
	for i := range groups[2].Keys {
		if groups[2].Keys[i].Off != "" {
			groups[2].Keys = slices.DeleteFunc(slices.Clone(groups[2].Keys), func(b keymap.Binding) bool { return b.Off != "" })
			break
		}
	}
	return screen.Step{Nav: screen.Nav{Push: widget.NewHelp(groups, s.th, s.o.Keys)}}
}
