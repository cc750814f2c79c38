package app

import (
	"crypto/rand"
	"dugout/daemonclient/protocol"
	"dugout/views/tui/chatview"
	"dugout/views/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

// openChat makes the chat of a session.
func (t terminal) openChat(ref protocol.SessionRef) screen.Screen {
	o := t.chatOptions()
	o.Ref = ref
	return chatview.New(o)
}

// newChat makes the chat of a session that is to be started.
func (t terminal) newChat(n protocol.NewSession) screen.Screen {
	o := t.chatOptions()
	o.Start = &n
	return chatview.New(o)
}

func (t terminal) chatOptions() chatview.Options {
	o := chatview.Options{
		Theme: t.th, Keys: t.o.Keys, ClientID: rand.Text(), Drafts: t.drafts,
		Ports: chatview.Ports{Session: chatCalls{t.calls}, Screens: chatview.Screens{
			OpenChat: t.openChat, NewChat: t.newChat, Tree: t.openTree,
			Resume: func() screen.Screen {
				return t.resume(func(ref protocol.SessionRef) tea.Msg { return chatview.ResumeMsg{Ref: ref} })
			},
		}},
	}
	if t.o.Memory {
		o.Ports.Memory = func(m protocol.MemorySearch) (protocol.MemoryHits, error) {
			return call[protocol.MemoryHits](t.calls, memoryTime, protocol.MethodMemorySearch, m)
		}
	}
	return o
}

// chatCalls are the calls of a chat.
type chatCalls struct{ calls }

func (c chatCalls) New(n protocol.NewSession) (protocol.Opened, error) {
	return call[protocol.Opened](c.calls, callTime, protocol.MethodSessionNew, n)
}

func (c chatCalls) Attach(a protocol.Attach) (chatview.Stream, error) {
	client := c.feed.Client()
	if client == nil {
		return chatview.Stream{}, errNoDaemon
	}
	ctx, cancel := c.within(callTime)
	defer cancel()
	at, err := client.Attach(ctx, a)
	if err != nil {
		return chatview.Stream{}, err
	}
	return chatview.Stream{Attached: at.Attached, Next: gather(at.Events, eventsEvery, mostEvents)}, nil
}

func (c chatCalls) Detach(ref protocol.SessionRef) {
	client := c.feed.Client()
	if client == nil {
		return
	}
	ctx, cancel := c.within(callTime)
	defer cancel()
	_ = client.Detach(ctx, ref) // one that fails is undone with the connection
}

func (c chatCalls) Prompt(p protocol.Prompt) (protocol.Prompted, error) {
	return call[protocol.Prompted](c.calls, callTime, protocol.MethodSessionPrompt, p)
}

func (c chatCalls) Dequeue(d protocol.Dequeue) (protocol.Queued, error) {
	return call[protocol.Queued](c.calls, callTime, protocol.MethodSessionDequeue, d)
}

func (c chatCalls) Abort(ref protocol.SessionRef) error {
	return do(c.calls, protocol.MethodSessionAbort, ref)
}

func (c chatCalls) Answer(a protocol.Answer) error {
	return do(c.calls, protocol.MethodSessionAnswer, a)
}

func (c chatCalls) Rename(r protocol.Rename) error {
	return do(c.calls, protocol.MethodSessionRename, r)
}

// Compact returns when the compaction is done, which is a model call.
func (c chatCalls) Compact(p protocol.Compact) error {
	_, err := call[*nothing](c.calls, compactTime, protocol.MethodSessionCompact, p)
	return err
}

func (c chatCalls) Set(s protocol.Set) error { return do(c.calls, protocol.MethodSessionSet, s) }

func (c chatCalls) Stop(ref protocol.SessionRef) error {
	return do(c.calls, protocol.MethodSessionStop, ref)
}

func (c chatCalls) Entries(r protocol.EntriesRange) (protocol.Entries, error) {
	return call[protocol.Entries](c.calls, callTime, protocol.MethodSessionEntries, r)
}

func (c chatCalls) Models() (protocol.Models, error) {
	return call[protocol.Models](c.calls, callTime, protocol.MethodModelList, nil)
}
