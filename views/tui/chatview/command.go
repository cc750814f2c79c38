package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/views/tui/screen"
	"dugout/views/tui/widget"
	"regexp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/sahilm/fuzzy"
)

// slash is one command of the editor.
type slash struct {
	name, arg, help string
	run             func(*Screen, string) screen.Step
}

// slashes are the commands that work, in the order of the popup.
func (s *Screen) slashes() []slash {
	sc := s.o.Ports.Screens
	var out []slash
	add := func(on bool, c slash) {
		if on {
			out = append(out, c)
		}
	}
	add(sc.Tree != nil, slash{"tree", "", "the session's tree: go back, branch", (*Screen).openTree})
	add(sc.NewChat != nil, slash{"new", "[PROMPT]", "a new session; this one goes on", (*Screen).newSession})
	add(sc.Resume != nil, slash{"resume", "", "choose another session", (*Screen).resume})
	add(true, slash{"name", "[NAME]", "name this session, or see its name", (*Screen).name})
	add(true, slash{"compact", "[FOCUS]", "make room: a summary takes the place of what is old", (*Screen).compact})
	add(true, slash{"model", "[PROVIDER/MODEL]", "who answers from now on", (*Screen).model})
	add(s.o.Ports.Memory != nil, slash{"memory", "WORDS", "what was said in this project's sessions", (*Screen).memory})
	add(true, slash{"permissions", "[ask|edits|all]", "what is asked before it is done", (*Screen).permissions})
	add(true, slash{"help", "", "the keys", (*Screen).help})
	add(true, slash{"quit", "", "leave for the shell; agents go on", func(*Screen, string) screen.Step {
		return screen.Step{Nav: screen.Nav{Quit: true}}
	}})
	return out
}

var commandLine = regexp.MustCompile(`^/([a-z]*)(?:[ \t]+(.*))?$`)

// parseCommand tells a command from a message: one line, a slash and one word of letters, so that a
// path stays a message.
func parseCommand(text string) (name, arg string, ok bool) {
	m := commandLine.FindStringSubmatch(strings.TrimRight(text, " \t\n"))
	if m == nil {
		return "", "", false
	}
	return m[1], strings.TrimSpace(m[2]), true
}

func (s *Screen) command(name, arg string) screen.Step {
	all := s.slashes()
	for _, c := range all {
		if c.name == name {
			if arg != "" && c.arg == "" {
				s.warn("/" + name + " takes nothing after it")
				return screen.Step{}
			}
			s.clearEditor()
			return c.run(s, arg)
		}
	}
	s.warn("there is no /" + name + "; " + nearest(name, all) + ". A message that begins with a slash: put a blank before it")
	return screen.Step{}
}

// nearest names the commands that a word may have meant.
func nearest(name string, all []slash) string {
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	found := fuzzy.Find(name, names)
	if name == "" || len(found) == 0 {
		return "there are /" + strings.Join(names, " /")
	}
	var out []string
	for _, f := range found[:min(3, len(found))] {
		out = append(out, "/"+f.Str)
	}
	return "did you mean " + strings.Join(out, " or ") + "?"
}

func (s *Screen) openTree(string) screen.Step {
	if s.o.Ports.Screens.Tree == nil {
		return screen.Step{}
	}
	if s.link.state != attached {
		s.warn("not connected")
		return screen.Step{}
	}
	req := TreeRequest{Ref: s.ref(), Busy: s.tr.Busy()}
	return screen.Step{Nav: screen.Nav{Push: s.o.Ports.Screens.Tree(req)}}
}

func (s *Screen) newSession(prompt string) screen.Step {
	sum := s.tr.Summary
	n := protocol.NewSession{CWD: sum.CWD, Model: sum.Model, Permission: sum.Mode, Prompt: prompt}
	return screen.Step{Nav: screen.Nav{Replace: s.o.Ports.Screens.NewChat(n)}}
}

func (s *Screen) resume(string) screen.Step {
	return screen.Step{Nav: screen.Nav{Push: s.o.Ports.Screens.Resume()}}
}

func (s *Screen) onResume(m ResumeMsg) screen.Step {
	if s.o.Ports.Screens.OpenChat == nil || m.Ref == s.ref() || m.Ref.ID != "" && m.Ref.ID == s.link.id {
		return screen.Step{}
	}
	return screen.Step{Nav: screen.Nav{Replace: s.o.Ports.Screens.OpenChat(m.Ref)}}
}

// call runs a call whose result shows by itself.
func (s *Screen) call(what, said string, do func(Session, protocol.SessionRef) error) screen.Step {
	ref, port := s.ref(), s.o.Ports.Session
	return screen.Step{Cmd: func() tea.Msg { return doneMsg{what, said, do(port, ref)} }}
}

func (s *Screen) name(name string) screen.Step {
	if name == "" {
		if s.tr.Summary.Name == "" {
			s.say("no name yet: /name NAME gives one")
		} else {
			s.say("name: " + s.tr.Summary.Name)
		}
		return screen.Step{}
	}
	return s.call("rename the session", "named "+name, func(p Session, ref protocol.SessionRef) error {
		return p.Rename(protocol.Rename{SessionRef: ref, Name: name})
	})
}

func (s *Screen) compact(focus string) screen.Step {
	s.say("compacting…")
	return s.call("compact", "compacted", func(p Session, ref protocol.SessionRef) error {
		return p.Compact(protocol.Compact{SessionRef: ref, Focus: focus})
	})
}

// Names of the pickers.
const (
	pickModel      = "model"
	pickPermission = "permission"
)

type modelsMsg struct {
	models protocol.Models
	err    error
}

func (s *Screen) model(ref string) screen.Step {
	if ref != "" {
		return s.setModel(ref)
	}
	port := s.o.Ports.Session
	return screen.Step{Cmd: func() tea.Msg {
		m, err := port.Models()
		return modelsMsg{m, err}
	}}
}

func (s *Screen) setModel(model string) screen.Step {
	return s.call("change the model", "model: "+model, func(p Session, ref protocol.SessionRef) error {
		return p.Set(protocol.Set{SessionRef: ref, Model: model})
	})
}

func (s *Screen) onModels(m modelsMsg) screen.Step {
	if m.err != nil {
		s.warn("no list of models: " + m.err.Error())
		return screen.Step{}
	}
	var opts []widget.Option
	for _, x := range m.models.Models {
		detail := x.Name
		if x.Scripted {
			detail += " (scripted, not an AI)"
		}
		opts = append(opts, widget.Option{Key: x.Ref, Title: x.Ref, Detail: detail})
	}
	p := widget.NewPicker(pickModel, "Model from now on", opts, s.tr.Summary.Model, s.o.Theme, s.o.Keys)
	return screen.Step{Nav: screen.Nav{Push: p}}
}

// modes are the permission modes, the careful one first.
var modes = []widget.Option{
	{Key: "ask", Title: "ask", Detail: "reading is free; edits and commands ask"},
	{Key: "edits", Title: "edits", Detail: "edits inside the folder are free too; commands ask"},
	{Key: "all", Title: "all", Detail: "nothing asks"},
}

func (s *Screen) permissions(mode string) screen.Step {
	if mode == "" {
		p := widget.NewPicker(pickPermission, "What needs your permission", modes, s.tr.Summary.Mode, s.o.Theme, s.o.Keys)
		return screen.Step{Nav: screen.Nav{Push: p}}
	}
	if !slices.ContainsFunc(modes, func(o widget.Option) bool { return o.Key == mode }) {
		s.warn("permission is ask, edits or all, not " + mode)
		return screen.Step{}
	}
	return s.setMode(mode)
}

func (s *Screen) setMode(mode string) screen.Step {
	return s.call("change the permission", "permission: "+mode, func(p Session, ref protocol.SessionRef) error {
		return p.Set(protocol.Set{SessionRef: ref, Permission: mode})
	})
}

func (s *Screen) onPicked(m widget.PickedMsg) screen.Step {
	switch m.Of {
	case pickModel:
		return s.setModel(m.Key)
	case pickPermission:
		return s.setMode(m.Key)
	case pickMemory:
		return s.openFound(m.Key)
	}
	return screen.Step{}
}

func (s *Screen) help(string) screen.Step {
	groups := []widget.HelpGroup{{Title: "Chat", Keys: s.helpKeys()}, {Title: "A question of permission", Keys: s.ask.keys}, {Title: "Editing", Keys: s.ed.Keys()}}
	return screen.Step{Nav: screen.Nav{Push: widget.NewHelp(groups, s.o.Theme, s.o.Keys)}}
}
