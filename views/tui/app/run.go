package app

import (
	"context"
	"dugout/daemonclient/protocol"
	"dugout/roster/live"
	"dugout/views/tui/chatview"
	"dugout/views/tui/keymap"
	"dugout/views/tui/rosterview"
	"dugout/views/tui/screen"
	"dugout/views/tui/theme"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Options of Run. Feed is required; the zero value of the rest works.
type Options struct {
	Feed    Feed
	Colours theme.Colours
	Light   bool // the terminal's background
	Keys    keymap.Overrides

	Folder  string // where new sessions go; "" is the present folder
	HomeDir string // drawn as ~
	Model   string // provider/model of new sessions; "" leaves it to the daemon
	Mode    string // permission mode of new sessions; "" leaves it to the daemon
	Memory  bool   // /memory is turned on
	Start   Start
	Banner  string // one line on the roster, such as that this is a demo

	Input  io.Reader // nil: the terminal
	Output io.Writer // nil: the terminal
	Size   [2]int    // of a window that is no terminal: a test's
}

// Start says which screen comes first. The roster is always below it.
type Start struct {
	Open   *protocol.SessionRef // the chat of this session
	New    *protocol.NewSession // the chat of a session that is to be started
	Scoped bool                 // the roster with the sessions of Folder alone
}

// terminal is what screens are made of.
type terminal struct {
	o      Options
	th     theme.Theme
	calls  calls
	drafts chatview.Drafts
}

// Run shows the program until the person leaves or ctx ends.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	if o.Output == nil {
		o.Output = os.Stdout
	}
	t := terminal{o: o, th: theme.New(theme.Renderer(o.Output, o.Colours, !o.Light)), drafts: chatview.Drafts{}}
	t.calls = calls{ctx: func() context.Context { return ctx }, feed: o.Feed}
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithAltScreen(), tea.WithOutput(o.Output)}
	if o.Input != nil {
		options = append(options, tea.WithInput(o.Input))
	}
	m := newModel(t.th, o.Keys, time.Now(), t.first()...)
	m.done = ctx.Done()
	p := tea.NewProgram(m, options...)
	var pumps sync.WaitGroup
	pumps.Go(func() {
		pump(ctx, o.Feed.Updates(), rosterEvery, func(u live.Update) { p.Send(dataMsg{changed(u)}) })
	})
	if o.Size != [2]int{} {
		pumps.Go(func() { p.Send(tea.WindowSizeMsg{Width: o.Size[0], Height: o.Size[1]}) })
	}
	_, _ = io.WriteString(o.Output, pushTitle)
	_, err := p.Run()
	_, _ = io.WriteString(o.Output, popTitle)
	cancel()
	pumps.Wait()
	if errors.Is(err, tea.ErrProgramKilled) && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// The terminal keeps its title while the program sets its own.
const (
	pushTitle = "\x1b[22;2t"
	popTitle  = "\x1b[23;2t"
)

// changed is a roster update as the screens know it.
func changed(u live.Update) rosterview.RosterChangedMsg {
	return rosterview.RosterChangedMsg{
		Snapshot: u.Snapshot, Connected: u.Connected, Problem: u.Problem, Scanned: u.Scanned, ToScan: u.ToScan,
	}
}

// first is the stack at the start.
func (t terminal) first() []screen.Screen {
	stack := []screen.Screen{t.roster()}
	switch {
	case t.o.Start.Open != nil:
		stack = append(stack, t.openChat(*t.o.Start.Open))
	case t.o.Start.New != nil:
		stack = append(stack, t.newChat(*t.o.Start.New))
	}
	return stack
}

func (t terminal) rosterOptions() rosterview.Options {
	ports := t.calls.rosterPorts()
	ports.OpenChat, ports.NewChat = t.openChat, t.newChat
	return rosterview.Options{
		Theme: t.th, Keys: t.o.Keys, Ports: ports, Folder: t.o.Folder, HomeDir: t.o.HomeDir, Model: t.o.Model, Mode: t.o.Mode, Banner: t.o.Banner, Scoped: t.o.Start.Scoped,
	}
}

func (t terminal) roster() screen.Screen { return rosterview.New(t.rosterOptions()) }

// resume is the roster as a picker over another screen, of this folder's sessions at first. pick
// makes the message that tells the screen below what was chosen.
func (t terminal) resume(pick func(protocol.SessionRef) tea.Msg) screen.Screen {
	o := t.rosterOptions()
	o.Pick, o.Scoped = pick, true
	return rosterview.New(o)
}
