package rosterview

import (
	"dugout/daemonclient/protocol"
	"dugout/roster"
	"dugout/sessionio"
	"dugout/views/tui/keymap"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"errors"
	"fmt"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

var (
	noon  = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	plain = theme.New(theme.Renderer(io.Discard, theme.Plain, true))
)

const hostile = "x\x1b]0;PWNED\a\x1b[2J\x1b[31mred\x1b]52;c;UFdORUQ=\a\u009b31m tab\there cr\rover bidi\u202eabc nl\nsecond \x1b[6n❤\ufe0f 漢字"

func ago(d time.Duration) time.Time { return noon.Add(-d) }

func liveOne(id string, state protocol.State, since time.Duration, edit func(*protocol.Summary)) protocol.Summary {
	s := protocol.Summary{
		ID: sessionio.ID(id), Path: "/home/me/.dugout/sessions/" + id + ".jsonl", OnDisk: true, CWD: "/home/me/src/api", State: state, Since: ago(since),
		Model: "anthropic/opus-5", Mode: "ask", GitBranch: "main", Created: ago(2 * time.Hour), Modified: ago(since), MessageCount: 12, UserMessages: 3,
	}
	if edit != nil {
		edit(&s)
	}
	return s
}

func savedOne(id, question string, at time.Duration, edit func(*sessionio.Info)) sessionio.Info {
	s := sessionio.Info{
		Path: "/home/me/.dugout/sessions/" + id + ".jsonl", Source: "dugout", ID: sessionio.ID(id), CWD: "/home/me/src/web", Created: ago(at + time.Hour),
		Modified: ago(at), FirstMessage: question, MessageCount: 14, UserMessages: 4, Model: "openai/gpt-6", CostUSD: 0.31,
	}
	if edit != nil {
		edit(&s)
	}
	return s
}

func permission() *protocol.Permission {
	return &protocol.Permission{
		ID: "p1", Tool: "bash", Kind: "exec", Title: "rm -rf build", Command: "rm -rf build\necho hidden\x1b]0; && curl evil\a", Reason: "commands ask in this mode",
		Rule: "bash(rm -rf build)", Asked: ago(4 * time.Minute),
	}
}

// mixed is a roster with every state, children, and hostile text everywhere.
func mixed() roster.Delta {
	live := []protocol.Summary{
		liveOne("writes", protocol.StateStreaming, 42*time.Second, func(s *protocol.Summary) {
			s.Name, s.Recap, s.CostUSD, s.Clients = "refactor the auth layer", "splitting the token store", 1.27, 1
		}),
		liveOne("child-1", protocol.StateTool, time.Minute, func(s *protocol.Summary) {
			s.FirstMessage, s.Activity, s.Parent, s.Depth = "write the table tests", "bash go test ./auth/...", "writes", 1
		}),
		liveOne("child-2", protocol.StateIdle, 2*time.Minute, func(s *protocol.Summary) {
			s.FirstMessage, s.Parent, s.Depth, s.Attention = "read the old lexer", "writes", 1, protocol.AttentionFinished
		}),
		liveOne("asks", protocol.StateWaiting, 4*time.Minute, func(s *protocol.Summary) {
			s.FirstMessage, s.Permission, s.Pending, s.Attention = "clean the build folder", permission(), 1, protocol.AttentionPermission
		}),
		liveOne("retries", protocol.StateRetrying, 10*time.Second, func(s *protocol.Summary) {
			s.FirstMessage, s.Activity, s.Errors = "port the parser to Go", "429 from the provider, again in 20 s (2 of 5)", 2
		}),
		liveOne("compacts", protocol.StateCompacting, 3*time.Second, func(s *protocol.Summary) { s.FirstMessage = "nightly triage" }),
		liveOne("queued", protocol.StateQueued, 3*time.Second, func(s *protocol.Summary) { s.FirstMessage, s.Queued = "then update the docs", 2 }),
		liveOne("hostile", protocol.StateStreaming, time.Second, func(s *protocol.Summary) {
			s.Name, s.Recap, s.Activity, s.CWD, s.GitBranch, s.Model = hostile, hostile, hostile, "/home/me/"+hostile, hostile, "m/"+hostile
		}),
		liveOne("question", protocol.StateIdle, 9*time.Minute, func(s *protocol.Summary) {
			s.FirstMessage, s.Recap, s.Attention = "fix the flaky test", "which branch should it target?", protocol.AttentionQuestion
		}),
		liveOne("failed", protocol.StateIdle, 20*time.Minute, func(s *protocol.Summary) {
			s.FirstMessage, s.LastError, s.Errors, s.Attention = "upgrade the database driver", "the provider refused: overloaded\nbody", 3, protocol.AttentionFailed
		}),
		liveOne("finished", protocol.StateIdle, 30*time.Minute, func(s *protocol.Summary) {
			s.FirstMessage, s.Recap, s.Attention = "write the changelog", "release notes drafted", protocol.AttentionFinished
		}),
		liveOne("new", protocol.State("dreaming"), time.Minute, func(s *protocol.Summary) { s.FirstMessage = "a state of tomorrow" }),
	}
	saved := []sessionio.Info{
		savedOne("old-1", "漢字 in a question about the 表 layout", 26*time.Hour, func(i *sessionio.Info) {
			i.Status = &sessionio.AgentStatus{Summary: "columns aligned", TaskState: sessionio.VerdictCompleted, BasedOnMessageCount: 14}
		}),
		savedOne("old-2", hostile, 3*24*time.Hour, nil),
		savedOne("old-3", "put away", 30*24*time.Hour, func(i *sessionio.Info) { i.State, i.Name = sessionio.LifecycleArchived, "the archived one" }),
		savedOne("old-4", "broken off", 400*24*time.Hour, func(i *sessionio.Info) { i.Interrupted, i.Errors = true, 1 }),
		savedOne("old-5", "from another program", 5*time.Hour, func(i *sessionio.Info) {
			i.ReadOnly, i.Source, i.Path = true, "prime", "/home/me/.prime/agent/sessions/old-5.jsonl"
		}),
	}
	return roster.Delta{AllLive: &live, AllSaved: &saved}
}

func changed(d roster.Delta) RosterChangedMsg {
	s := roster.NewState()
	s.Apply(d)
	return RosterChangedMsg{Snapshot: s.Snapshot(), Connected: true}
}

// calls records what the screen asked of its ports.
type calls struct {
	log []string
	err error
}

func (c *calls) note(format string, args ...any) error {
	c.log = append(c.log, fmt.Sprintf(format, args...))
	return c.err
}

func (c *calls) ports() Ports {
	return Ports{
		Rename:  func(r protocol.Rename) error { return c.note("rename %s %q", r.ID, r.Name) },
		Stop:    func(r protocol.SessionRef) error { return c.note("stop %s", r.ID) },
		Archive: func(a protocol.Archive) error { return c.note("archive %s %v", a.ID, a.On) },
		Delete: func(r protocol.SessionRef) (protocol.Deleted, error) {
			return protocol.Deleted{Way: "trashed", Path: r.Path}, c.note("delete %s", r.ID)
		},
		Answer: func(a protocol.Answer) error {
			return c.note("answer %s %s %v %v", a.ID, a.PermissionID, a.Allow, a.Always)
		},
		New: func(n protocol.NewSession) (protocol.Opened, error) {
			return protocol.Opened{Summary: protocol.Summary{ID: "fresh"}}, c.note("new %s %q", n.CWD, n.Prompt)
		},
		OpenChat: func(r protocol.SessionRef) screen.Screen { return chat("chat " + string(r.ID)) },
		NewChat:  func(n protocol.NewSession) screen.Screen { return chat("new in " + n.CWD) },
	}
}

type chat string

func (c chat) Init() tea.Cmd                               { return nil }
func (c chat) Update(tea.Msg) (screen.Screen, screen.Step) { return c, screen.Step{} }
func (c chat) View(int, int) string                        { return string(c) }
func (c chat) Title() string                               { return string(c) }
func (c chat) Keys() []keymap.Binding                      { return nil }

var errRefused = errors.New("the daemon is not running")

// start makes the screen with a roster, at noon.
func start(c *calls, msgs ...tea.Msg) *Screen {
	s := New(Options{Theme: plain, Ports: c.ports(), Folder: "/home/me/src/api", HomeDir: "/home/me"})
	s.Update(screen.SizeMsg{Width: 80, Height: 24})
	s.Update(screen.TickMsg{Now: noon})
	for _, m := range msgs {
		s.Update(m)
	}
	return s
}
