package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/tui/screen"
	"dugout/views/tui/widget"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"
)

// pickMemory names the overlay of what /memory found.
const pickMemory = "memory"

// MemoryFunc looks for words in what was said in the sessions of a folder's project.
type MemoryFunc func(protocol.MemorySearch) (protocol.MemoryHits, error)

type memoryMsg struct {
	query string
	hits  protocol.MemoryHits
	err   error
}

func (s *Screen) memory(query string) screen.Step {
	if query == "" {
		s.say("/memory WORDS looks for them in this project's sessions")
		return screen.Step{}
	}
	s.say("searching…")
	search, m := s.o.Ports.Memory, protocol.MemorySearch{CWD: s.tr.Summary.CWD, Query: query}
	return screen.Step{Cmd: func() tea.Msg {
		hits, err := search(m)
		return memoryMsg{query, hits, err}
	}}
}

func (s *Screen) onMemory(m memoryMsg) screen.Step {
	s.note = note{}
	switch {
	case m.err != nil:
		s.warn("memory: " + m.err.Error())
		return screen.Step{}
	case len(m.hits.Hits) == 0:
		s.say("nothing said in the sessions of " + m.hits.Project + " holds " + m.query)
		return screen.Step{}
	}
	s.found = m.hits.Hits
	var list []widget.Finding
	for i, h := range s.found {
		list = append(list, findingOf(strconv.Itoa(i), h))
	}
	return screen.Step{Nav: screen.Nav{Push: widget.NewFound(pickMemory, "Memory: "+m.query, list, s.o.Theme, s.o.Keys)}}
}

func findingOf(key string, h protocol.MemoryHit) widget.Finding {
	head := h.Title
	if !h.Time.IsZero() {
		head = h.Time.Local().Format("2006-01-02 15:04") + "  " + head
	}
	f := widget.Finding{Key: key, Head: head, Body: []string{who(h.Role) + h.Snippet}}
	if h.Answer != "" {
		f.Body = append(f.Body, "→ "+h.Answer)
	}
	return f
}

// who marks whose words they are; a question needs no mark, for its answer has one.
func who(r sessionio.Role) string {
	switch r {
	case sessionio.RoleAssistant:
		return "→ "
	case sessionio.RoleCompactionSummary, sessionio.RoleBranchSummary:
		return "summary: "
	case sessionio.RoleUser, sessionio.RoleToolResult, sessionio.RoleBash, sessionio.RoleCustom:
	}
	return ""
}

// openFound opens the session that a finding is from.
func (s *Screen) openFound(key string) screen.Step {
	i, err := strconv.Atoi(key)
	if err != nil || i < 0 || i >= len(s.found) {
		return screen.Step{}
	}
	ref := s.found[i].SessionRef
	if ref.ID == s.link.id {
		s.say("this was said in this session")
		return screen.Step{}
	}
	return s.onResume(ResumeMsg{Ref: ref})
}
