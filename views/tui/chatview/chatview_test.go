package chatview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

var t0 = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// fake is a session that notes what is asked of it.
type fake struct {
	snapshot protocol.Snapshot
	calls    []string
	fail     map[string]error
	older    protocol.Entries
	queued   protocol.Queued
}

func (f *fake) note(format string, args ...any) {
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
}

func (f *fake) New(n protocol.NewSession) (protocol.Opened, error) {
	f.note("new %s", n.CWD)
	return protocol.Opened{Summary: f.snapshot.Summary}, f.fail["new"]
}

func (f *fake) Attach(a protocol.Attach) (Stream, error) {
	if a.Cursor != nil {
		f.note("attach %s from %d", a.ID, a.Cursor.Seq)
	} else {
		f.note("attach %s", a.ID)
	}
	s := Stream{Attached: protocol.Attached{Session: "s1", Cursor: protocol.Cursor{Generation: "g", Seq: 7}}}
	if a.Cursor == nil {
		snap := f.snapshot
		s.Attached.Snapshot = &snap
	} else {
		s.Attached.Cursor = *a.Cursor
	}
	s.Next = func() ([]protocol.Event, bool) { return nil, true } // the test itself brings events
	return s, f.fail["attach"]
}

func (f *fake) Detach(r protocol.SessionRef) { f.note("detach %s", r.ID) }

func (f *fake) Prompt(p protocol.Prompt) (protocol.Prompted, error) {
	f.note("prompt %s %q follow=%v %s", p.ID, p.Text, p.FollowUp, p.ClientID)
	return protocol.Prompted{}, f.fail["prompt"]
}

func (f *fake) Dequeue(d protocol.Dequeue) (protocol.Queued, error) {
	f.note("dequeue %s", d.QueueID)
	return f.queued, f.fail["dequeue"]
}

func (f *fake) Abort(protocol.SessionRef) error { f.note("abort"); return f.fail["abort"] }

func (f *fake) Answer(a protocol.Answer) error {
	f.note("answer %s allow=%v always=%v %q", a.PermissionID, a.Allow, a.Always, a.Reason)
	return f.fail["answer"]
}

func (f *fake) Rename(r protocol.Rename) error { f.note("rename %q", r.Name); return f.fail["rename"] }

func (f *fake) Compact(c protocol.Compact) error {
	f.note("compact %q", c.Focus)
	return f.fail["compact"]
}

func (f *fake) Set(s protocol.Set) error {
	f.note("set %s%s", s.Model, s.Permission)
	return f.fail["set"]
}
func (f *fake) Stop(protocol.SessionRef) error { f.note("stop"); return nil }

func (f *fake) Entries(r protocol.EntriesRange) (protocol.Entries, error) {
	f.note("entries before %s", r.Before)
	return f.older, f.fail["entries"]
}

func (f *fake) Models() (protocol.Models, error) {
	return protocol.Models{Models: []protocol.Model{{Ref: "p/one"}, {Ref: "p/two"}}}, f.fail["models"]
}

// rig drives a chat without a program: commands run at once, one after the other.
type rig struct {
	t      testing.TB
	s      *Screen
	f      *fake
	nav    screen.Nav
	laters []tea.Msg // what was asked for after a while
}

func newRig(t testing.TB, f *fake) *rig {
	t.Helper()
	s := New(Options{
		Ref: protocol.SessionRef{ID: "s1"}, Ports: Ports{Session: f, Screens: Screens{
			Tree:     func(r TreeRequest) screen.Screen { return &stub{fmt.Sprintf("tree %s busy=%v", r.Ref.ID, r.Busy)} },
			OpenChat: func(r protocol.SessionRef) screen.Screen { return &stub{"chat " + string(r.ID)} },
			NewChat:  func(n protocol.NewSession) screen.Screen { return &stub{"new " + n.CWD + " " + n.Prompt} },
			Resume:   func() screen.Screen { return &stub{"roster"} },
		}},
		Theme: theme.New(theme.Renderer(io.Discard, theme.Plain, true)), ClientID: "me", Now: t0,
	})
	if f.fail == nil {
		f.fail = map[string]error{}
	}
	r := &rig{t: t, s: s, f: f}
	s.after = func(_ time.Duration, m tea.Msg) tea.Cmd {
		r.laters = append(r.laters, m)
		return nil
	}
	return r
}

func open(t testing.TB, f *fake) *rig {
	t.Helper()
	r := newRig(t, f)
	r.run(r.s.Init())
	return r
}

// run runs a command and what follows from it.
func (r *rig) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch m := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range m {
			r.run(c)
		}
	case eventsMsg: // the stream is quiet
	default:
		r.tell(m)
	}
}

func (r *rig) tell(m tea.Msg) {
	_, st := r.s.Update(m)
	if st.Nav != (screen.Nav{}) {
		r.nav = st.Nav
	}
	r.run(st.Cmd)
}

func (r *rig) events(evs ...protocol.Event) { r.tell(eventsMsg{evs, true}) }

func (r *rig) later() {
	due := r.laters
	r.laters = nil
	for _, m := range due {
		r.tell(m)
	}
}

var named = map[string]tea.KeyMsg{
	"enter": {Type: tea.KeyEnter}, "alt+enter": {Type: tea.KeyEnter, Alt: true}, "esc": {Type: tea.KeyEsc},
	"up": {Type: tea.KeyUp}, "down": {Type: tea.KeyDown}, "alt+up": {Type: tea.KeyUp, Alt: true}, "left": {Type: tea.KeyLeft},
	"tab": {Type: tea.KeyTab}, "ctrl+q": {Type: tea.KeyCtrlQ}, "ctrl+o": {Type: tea.KeyCtrlO}, "pgup": {Type: tea.KeyPgUp},
	"pgdown": {Type: tea.KeyPgDown}, "ctrl+j": {Type: tea.KeyCtrlJ}, "ctrl+home": {Type: tea.KeyCtrlHome}, "ctrl+end": {Type: tea.KeyCtrlEnd},
}

// press types names of keys, or text.
func (r *rig) press(keys ...string) {
	for _, k := range keys {
		if m, ok := named[k]; ok {
			r.tell(m)
			continue
		}
		for _, c := range k {
			r.tell(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{c}})
		}
	}
}

// called checks and forgets the calls made.
func (r *rig) called(want ...string) {
	r.t.Helper()
	if got := strings.Join(r.f.calls, "\n"); got != strings.Join(want, "\n") {
		r.t.Errorf("calls:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
	r.f.calls = nil
}

func (r *rig) line(want string) {
	r.t.Helper()
	if got := r.s.ed.Value(); got != want {
		r.t.Errorf("the editor has %q, want %q", got, want)
	}
}

func (r *rig) shows(want string) {
	r.t.Helper()
	if v := r.s.View(80, 24); !strings.Contains(v, want) {
		r.t.Errorf("%q is not on the screen:\n%s", want, v)
	}
}

type stub struct{ name string }

func (s *stub) Init() tea.Cmd                               { return nil }
func (s *stub) Update(tea.Msg) (screen.Screen, screen.Step) { return s, screen.Step{} }
func (s *stub) View(int, int) string                        { return s.name }
func (s *stub) Title() string                               { return s.name }
func (s *stub) Keys() []keymap.Binding                      { return nil }
func summaryOf(st protocol.State) protocol.Summary {
	return protocol.Summary{ID: "s1", State: st, CWD: "/p/app", Model: "p/m", Mode: "ask", OnDisk: true, UserMessages: 1}
}

func stateEvent(st protocol.State) protocol.Event {
	s := summaryOf(st)
	return protocol.Event{Type: protocol.EventSummary, Summary: &s}
}

func entry(id, parent string, m sessionio.Message) sessionio.Entry {
	return sessionio.Entry{Type: sessionio.TypeMessage, ID: sessionio.EntryID(id), ParentID: sessionio.EntryID(parent), Timestamp: t0, Message: &m}
}

func said(role sessionio.Role, id, parent, s string) sessionio.Entry {
	return entry(id, parent, sessionio.Message{Role: role, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: s}}})
}

func added(e sessionio.Entry) protocol.Event {
	return protocol.Event{Type: protocol.EventEntry, Generation: "g", Seq: 8, Entry: &e}
}

func idle() *fake {
	return &fake{snapshot: protocol.Snapshot{Summary: summaryOf(protocol.StateIdle), Entries: []sessionio.Entry{
		said(sessionio.RoleUser, "1", "", "first"), said(sessionio.RoleAssistant, "2", "1", "yes"),
		said(sessionio.RoleUser, "3", "2", "second"), said(sessionio.RoleAssistant, "4", "3", "also"),
	}, Leaf: "4"}}
}

func TestTypeAheadIsSentWhenAttached(t *testing.T) {
	t.Parallel()
	r := newRig(t, idle())
	cmd := r.s.Init()
	r.press("hello", "enter", "more")
	r.called()
	r.shows("sending: hello")
	r.line("more")
	r.run(cmd)
	r.called("attach s1", `prompt s1 "hello" follow=false me-1`)
	if len(r.s.outbox) != 0 {
		t.Error("an acknowledged message is still in the outbox")
	}
}

func TestSendSteerFollowUp(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.called("attach s1")
	r.press("a", "ctrl+j", "b", "enter", "x", "alt+enter")
	r.events(stateEvent(protocol.StateStreaming))
	r.press("s", "enter", "f", "alt+enter", "enter")
	r.called(`prompt s1 "a\nb" follow=false me-1`, `prompt s1 "x" follow=false me-2`,
		`prompt s1 "s" follow=false me-3`, `prompt s1 "f" follow=true me-4`)
}

func TestPasteNeverSends(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.called("attach s1")
	r.tell(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\rb\ny\n"), Paste: true})
	// an end-of-paste mark inside: the rest comes as keys
	r.press("rest", "enter", "esc", "/quit", "enter", "ctrl+q")
	r.called()
	r.line("a\nb\ny\nrest\n/quit\n")
	r.later()
	r.press("!", "enter")
	r.called(`prompt s1 "a\nb\ny\nrest\n/quit\n!" follow=false me-1`)
	r.events(protocol.Event{Type: protocol.EventPermission, Permission: &protocol.Permission{ID: "p"}})
	r.s.ed.Set("")
	r.later()
	r.tell(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y"), Paste: true})
	r.called()
}

func TestRefusedMessageComesBack(t *testing.T) {
	t.Parallel()
	f := idle()
	r := open(t, f)
	f.fail["prompt"] = &protocol.Error{Code: protocol.CodeStorage, Message: "not saved: the disk is full"}
	r.press("keep me", "enter")
	r.line("keep me")
	r.shows("not sent: not saved: the disk is full")
	if len(r.s.outbox) != 0 {
		t.Error("a refused message would be sent again")
	}
}

func TestLostConnection(t *testing.T) {
	t.Parallel()
	f := idle()
	r := open(t, f)
	r.called("attach s1")
	f.fail["prompt"] = errors.New("the connection is lost")
	r.press("draft", "enter", "typing")
	r.tell(eventsMsg{[]protocol.Event{{Type: protocol.EventQueue, Generation: "g", Seq: 12}}, false})
	r.shows("connection lost, trying again")
	r.shows("sending: draft")
	r.line("typing")
	f.fail["prompt"] = nil
	f.fail["attach"] = errors.New("refused")
	r.later()
	f.fail["attach"] = nil
	r.later()
	r.called(`prompt s1 "draft" follow=false me-1`, "attach s1 from 12", "attach s1 from 12", `prompt s1 "draft" follow=false me-1`)
	r.line("typing")
}

func TestRefusedAttachIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	f := idle()
	f.fail = map[string]error{"attach": &protocol.Error{Code: protocol.CodeNotFound, Message: "no session s1"}}
	r := open(t, f)
	if len(r.laters) != 0 || r.s.Moving() {
		t.Error("it tries again")
	}
	r.shows("no session s1")
	r.press("hi", "enter")
	r.line("hi")
}

// A session that was stopped, and can't be opened again, gives back what was written to it since.
func TestMessageToAnEndedSession(t *testing.T) {
	t.Parallel()
	f := idle()
	r := open(t, f)
	r.events(protocol.Event{Type: protocol.EventClosed, Reason: "stopped", Generation: "g", Seq: 8})
	f.fail = map[string]error{"attach": &protocol.Error{Code: protocol.CodeNotFound, Message: "no session s1"}}
	r.press("keep me", "enter")
	r.line("keep me")
	r.shows("no session s1")
	if len(r.s.outbox) != 0 {
		t.Error("it is said to be on its way")
	}
}

func TestAbort(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.events(stateEvent(protocol.StateTool))
	r.press("draft", "esc")
	r.called("attach s1", "abort")
	r.line("draft")
	r.shows("stopping")
	r.events(stateEvent(protocol.StateIdle))
	r.press("esc")
	r.line("")
	r.press("esc", "esc")
	if st, ok := r.nav.Push.(*stub); !ok || st.name != "tree s1 busy=false" {
		t.Errorf("two esc at an empty line: %+v", r.nav)
	}
}

func TestFailedTurnGivesTheQuestionBack(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	data, _ := json.Marshal(sessionio.ErrorRecord{Time: t0, Line: "429: slow down", Question: "why?"})
	r.events(added(said(sessionio.RoleUser, "5", "4", "why?\nreally")),
		added(sessionio.Entry{Type: sessionio.TypeCustom, CustomType: sessionio.CustomError, ID: "6", ParentID: "4", Data: data}))
	r.line("why?\nreally")
	r.shows("429: slow down")
	r.shows("enter tries again")
	r.events(added(said(sessionio.RoleUser, "7", "6", "again")), added(sessionio.Entry{
		Type: sessionio.TypeCustom, CustomType: sessionio.CustomError, ID: "8", ParentID: "6", Data: data,
	}))
	r.line("why?\nreally") // what stands there stays
}

func TestRecall(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.press("draft", "up")
	r.line("second")
	r.press("up")
	r.line("first")
	r.press("up")
	r.line("first")
	r.press("down", "down")
	r.line("draft")
}

func TestQueueTakenBack(t *testing.T) {
	t.Parallel()
	f := idle()
	r := open(t, f)
	r.events(stateEvent(protocol.StateTool), protocol.Event{Type: protocol.EventQueue, Queue: []protocol.Queued{{ID: "q1", Text: "one"}, {ID: "q2", Text: "two", FollowUp: true}}})
	r.shows("next: one")
	r.shows("after the work: two")
	f.queued = protocol.Queued{ID: "q2", Text: "two"}
	r.press("x", "alt+up")
	r.called("attach s1", "dequeue q2")
	r.line("two\n\nx")
}

func askOne(r *rig) {
	r.events(stateEvent(protocol.StateWaiting), protocol.Event{Type: protocol.EventPermission, Permission: &protocol.Permission{
		ID: "p1", CallID: "c", Tool: "bash", Kind: "exec", Command: "rm -rf x", Reason: "it runs a command", Rule: "bash: rm",
	}})
}

func TestPermission(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys []string
		want []string
	}{
		"allow":                   {[]string{"y"}, []string{"answer p1 allow=true always=false \"\""}},
		"deny":                    {[]string{"n"}, []string{"answer p1 allow=false always=false \"\""}},
		"always takes two":        {[]string{"a", "a"}, []string{"answer p1 allow=true always=true \"\""}},
		"always once":             {[]string{"a"}, nil},
		"always, then another":    {[]string{"a", "x", "esc"}, []string{"abort"}},
		"deny with a word":        {[]string{"r", "use mv", "enter"}, []string{"answer p1 allow=false always=false \"use mv\""}},
		"deny with a word, not":   {[]string{"r", "us", "esc"}, nil},
		"an answer while writing": {[]string{"hello y", "tab", "y"}, []string{"answer p1 allow=true always=false \"\""}},
		"words go to the editor":  {[]string{"hello, yes and no"}, nil},
		"esc stops":               {[]string{"esc"}, []string{"abort"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := open(t, idle())
			r.called("attach s1")
			askOne(r)
			r.later()
			r.shows("$ rm -rf x")
			r.press(c.keys...)
			r.called(c.want...)
		})
	}
}

func TestPermissionThatOpensTakesNoKeys(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.called("attach s1")
	askOne(r)
	r.press("yes")
	r.called()
	r.line("yes")
	r.later() // the moment is over, but somebody is writing
	r.press("y")
	r.called()
	r.line("yesy")
	r.events(protocol.Event{Type: protocol.EventAnswered, Answered: &protocol.Answered{ID: "p1", By: "other"}})
	if strings.Contains(r.s.View(80, 24), "may it?") {
		t.Error("an answered question still shows")
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	for in, c := range map[string]struct {
		calls []string
		nav   string
		shows string
	}{
		"/name new name":        {calls: []string{`rename "new name"`}, shows: "named new name"},
		"/name":                 {shows: "no name yet"},
		"/compact the tests":    {calls: []string{`compact "the tests"`}},
		"/model p/two":          {calls: []string{"set p/two"}},
		"/permissions edits":    {calls: []string{"set edits"}},
		"/permissions evil":     {shows: "ask, edits or all"},
		"/tree":                 {nav: "tree s1 busy=false"},
		"/tree now":             {shows: "/tree takes nothing after it"},
		"/new do it":            {nav: "new /p/app do it"},
		"/resume":               {nav: "roster"},
		"/tre":                  {nav: "tree s1 busy=false"}, // completed
		"/treee":                {shows: "there is no /treee"},
		"/cmpact":               {shows: "did you mean /compact?"},
		"/usr/bin/env is what?": {calls: []string{`prompt s1 "/usr/bin/env is what?" follow=false me-1`}},
		" /tree":                {calls: []string{`prompt s1 " /tree" follow=false me-1`}},
	} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			r := open(t, idle())
			r.called("attach s1")
			r.press(in, "enter")
			r.called(c.calls...)
			r.shows(c.shows)
			got := ""
			for _, n := range []screen.Screen{r.nav.Push, r.nav.Replace} {
				if st, ok := n.(*stub); ok {
					got = st.name
				}
			}
			if got != c.nav {
				t.Errorf("opened %q, want %q", got, c.nav)
			}
		})
	}
}

func TestUnknownCommandKeepsItsText(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.press("/nonsense", "enter")
	r.line("/nonsense")
}

func TestPickers(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.called("attach s1")
	r.press("/model", "enter") // completes
	r.press("enter")
	if r.nav.Push == nil || !strings.Contains(r.nav.Push.View(60, 20), "p/two") {
		t.Fatal("no picker of models")
	}
	next, _ := r.nav.Push.Update(tea.KeyMsg{Type: tea.KeyDown})
	_, st := next.Update(tea.KeyMsg{Type: tea.KeyEnter})
	r.tell(st.Nav.Tell)
	if len(r.f.calls) != 1 || !strings.HasPrefix(r.f.calls[0], "set p/") {
		t.Errorf("calls %v", r.f.calls)
	}
}

func TestNavigationResult(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.tell(NavigatedMsg{protocol.Navigated{Leaf: "2", EditorText: "second"}})
	r.line("second")
	r.tell(NavigatedMsg{protocol.Navigated{Leaf: "2", EditorText: "other"}})
	r.line("second")
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.called("attach s1")
	r.press("x", "left")
	if r.nav.Pop {
		t.Error("left in a text left the chat")
	}
	if _, _, took := r.s.Interrupted(); !took {
		t.Error("ctrl+c did not clear the line")
	}
	if _, _, took := r.s.Interrupted(); took {
		t.Error("ctrl+c at an empty line has nothing to do here")
	}
	r.press("left")
	if !r.nav.Pop {
		t.Error("left at an empty line stays")
	}
	r.run(r.s.Close())
	r.called("detach s1")
}

func TestNewSessionLeavesNoTrace(t *testing.T) {
	t.Parallel()
	f := &fake{snapshot: protocol.Snapshot{Summary: protocol.Summary{ID: "s1", State: protocol.StateIdle, Scripted: true}}}
	r := newRig(t, f)
	r.s.o.Start, r.s.o.Ref = &protocol.NewSession{CWD: "/p"}, protocol.SessionRef{}
	r.run(r.s.Init())
	r.shows("scripted, not an AI")
	r.run(r.s.Close())
	r.called("new /p", "attach s1", "detach s1", "stop")
}

func TestRefusedStartKeepsItsPrompt(t *testing.T) {
	t.Parallel()
	f := &fake{fail: map[string]error{"new": &protocol.Error{Code: protocol.CodeProvider, Message: "no key for p/m: set P_KEY"}}}
	r := newRig(t, f)
	r.s.o.Start, r.s.o.Ref = &protocol.NewSession{CWD: "/p", Prompt: "do it"}, protocol.SessionRef{}
	r.run(r.s.Init())
	r.line("do it")
	r.shows("no key for p/m")
}

func TestStoppedSessionOpensAgain(t *testing.T) {
	t.Parallel()
	r := open(t, idle())
	r.called("attach s1")
	r.events(protocol.Event{Type: protocol.EventClosed, Reason: "stopped"})
	r.shows("stopped; a message opens it again")
	r.press("hi", "enter")
	r.called("attach s1", `prompt s1 "hi" follow=false me-1`)
}
