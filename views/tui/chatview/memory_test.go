package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/tui/screen"
	"dugout/views/tui/widget"
	"errors"
	"strings"
	"testing"
)

func TestMemoryIsOffUnlessTurnedOn(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.press("/memory port", "enter")
	if !r.s.note.bad || !strings.Contains(r.s.note.text, "there is no /memory") {
		t.Errorf("note %+v", r.s.note)
	}
}

func TestMemory(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	var asked protocol.MemorySearch
	var hits protocol.MemoryHits
	var fail error
	r.s.o.Ports.Memory = func(m protocol.MemorySearch) (protocol.MemoryHits, error) {
		asked = m
		return hits, fail
	}
	r.press("/memory", "enter")
	if r.nav != (screen.Nav{}) || !strings.Contains(r.s.note.text, "/memory WORDS") {
		t.Errorf("without words: %+v", r.s.note)
	}
	hits.Project = "/p"
	r.press("/memory api port", "enter")
	if asked.Query != "api port" || asked.CWD != r.s.tr.Summary.CWD || !strings.Contains(r.s.note.text, "nothing said in the sessions of /p") {
		t.Errorf("asked %+v, note %+v", asked, r.s.note)
	}
	fail = errors.New("re: missing )")
	r.press("/memory re:(", "enter")
	if !r.s.note.bad || !strings.Contains(r.s.note.text, "missing )") {
		t.Errorf("note %+v", r.s.note)
	}
	fail = nil
	hits.Hits = []protocol.MemoryHit{
		{SessionRef: protocol.SessionRef{ID: "s1"}, Role: sessionio.RoleUser, Snippet: "here"},
		{SessionRef: protocol.SessionRef{ID: "s2", Path: "/x"}, Title: "the server", Role: sessionio.RoleUser, Snippet: "which port?", Answer: "8080", Time: t0},
		{SessionRef: protocol.SessionRef{ID: "s3"}, Role: sessionio.RoleCompactionSummary, Snippet: "port kept"},
	}
	r.press("/memory port", "enter")
	over, ok := r.nav.Push.(*widget.Found)
	if !ok {
		t.Fatalf("nothing opened: %+v", r.nav)
	}
	view := over.View(80, 24)
	for _, want := range []string{"Memory: port", "the server", "which port?", "→ 8080", "summary: port kept", "3 found"} {
		if !strings.Contains(view, want) {
			t.Errorf("no %q in\n%s", want, view)
		}
	}
	r.nav = screen.Nav{}
	r.tell(widget.PickedMsg{Of: pickMemory, Key: "0"})
	if r.nav != (screen.Nav{}) || !strings.Contains(r.s.note.text, "in this session") {
		t.Errorf("its own: %+v %+v", r.nav, r.s.note)
	}
	r.tell(widget.PickedMsg{Of: pickMemory, Key: "1"})
	if s, ok := r.nav.Replace.(*stub); !ok || s.Title() != "chat s2" {
		t.Errorf("opened %+v", r.nav)
	}
}
