package host

import (
	"dugout/agentloop"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"path/filepath"
	"strings"
	"time"
)

// summaryEvery is how often small changes of a summary (counts, tokens) are told.
const summaryEvery = 50 * time.Millisecond

// summarizeLocked is the live summary as it stands.
func (l *live) summarizeLocked(info sessionio.Info) protocol.Summary {
	st := l.m.state
	s := protocol.Summary{
		ID: l.id, Path: l.path, OnDisk: l.sess.OnDisk(), CWD: l.cwd, Name: info.Name, FirstMessage: info.FirstMessage,
		Recap: st.Recap, Verdict: st.Verdict, State: stateOf(&l.m), Since: st.Since, Activity: activityOf(&l.m),
		LastError: st.LastError, Pending: len(l.m.asks), Queued: len(l.m.queue), Clients: len(l.subs),
		Model: refText(st.Model), Scripted: st.Scripted, ThinkingLevel: st.ThinkingLevel, Mode: st.Permission,
		GitBranch: info.GitBranch, Created: info.Created, Modified: info.Modified,
		MessageCount: info.MessageCount, UserMessages: info.UserMessages, Errors: info.Errors,
		CostUSD: info.CostUSD, Tokens: info.Tokens, ContextTokens: st.ContextTokens, ContextWindow: st.ContextWindow,
		RunningChildren: len(l.busyKids),
	}
	if len(l.m.asks) > 0 {
		s.Permission = l.m.asks[0]
	}
	s.Attention = attentionOf(&l.m, l.unseen)
	if s.Depth = info.Depth; info.ParentSession != "" && info.Depth > 0 {
		if l.spawnedBy != nil {
			s.Parent = l.spawnedBy.id
		} else {
			s.Parent = sessionio.ID(strings.TrimSuffix(filepath.Base(info.ParentSession), ".jsonl"))
		}
	}
	return s
}

// stateOf names on the wire what a session is doing.
func stateOf(m *mirror) protocol.State {
	if len(m.asks) > 0 {
		return protocol.StateWaiting
	}
	switch m.state.Activity {
	case agentloop.Streaming:
		return protocol.StateStreaming
	case agentloop.RunsTool:
		return protocol.StateTool
	case agentloop.Waiting:
		return protocol.StateWaiting
	case agentloop.Compacting:
		return protocol.StateCompacting
	case agentloop.Retrying:
		return protocol.StateRetrying
	case agentloop.Idle:
	}
	if len(m.queue) > 0 {
		return protocol.StateQueued
	}
	return protocol.StateIdle
}

// attentionOf is what a session wants of the person: first what holds work up, then what went wrong,
// then what was asked, then what is new.
func attentionOf(m *mirror, unseen bool) protocol.Attention {
	switch {
	case len(m.asks) > 0:
		return protocol.AttentionPermission
	case m.state.Activity != agentloop.Idle:
		return protocol.AttentionNone
	case m.state.LastError != "":
		return protocol.AttentionFailed
	case m.state.Verdict == sessionio.VerdictNeedsInput:
		return protocol.AttentionQuestion
	case unseen:
		return protocol.AttentionFinished
	}
	return protocol.AttentionNone
}

// activityOf is one line on what is under way.
func activityOf(m *mirror) string {
	switch m.state.Activity {
	case agentloop.Waiting:
		if len(m.asks) > 0 {
			return m.asks[0].Title
		}
	case agentloop.Retrying:
		if m.retry != nil {
			return m.retry.Reason
		}
	case agentloop.RunsTool:
		if n := len(m.tools); n > 0 {
			return m.tools[n-1].Title
		}
		return m.state.Tool
	case agentloop.Idle, agentloop.Streaming, agentloop.Compacting:
	}
	return ""
}

// urgent says whether a change is to be told at once: all but counts, which come with every entry.
func urgent(was, is protocol.Summary) bool { return rough(was) != rough(is) }

func rough(s protocol.Summary) protocol.Summary {
	s.Activity, s.Modified, s.MessageCount, s.Clients = "", time.Time{}, 0, 0
	s.CostUSD, s.Tokens, s.ContextTokens = 0, 0, 0
	return s
}

// refreshLocked tells of a changed summary: at once, or for small things in a moment.
func (l *live) refreshLocked() {
	if l.ended {
		return
	}
	l.tellParentLocked()
	s := l.summarizeLocked(l.info)
	switch {
	case l.told && s == l.summary:
	case !l.told || urgent(l.summary, s):
		l.publishLocked(s, true)
	case !l.due:
		l.due = true
		time.AfterFunc(summaryEvery, l.overdue)
	}
}

func (l *live) overdue() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = false
	if s := l.summarizeLocked(l.info); !l.ended && s != l.summary {
		l.publishLocked(s, false)
	}
}

func (l *live) publishLocked(s protocol.Summary, now bool) {
	l.summary, l.told = s, true
	l.h.hub.change(s, now)
	shown := s
	l.tellLocked(&sealed{event: protocol.Event{Type: protocol.EventSummary, Summary: &shown}, size: 1 << 10})
}

// tellParentLocked keeps the parent's count of busy children. Locks go from child to parent only.
func (l *live) tellParentLocked() {
	if p := l.spawnedBy; p != nil {
		p.childIs(l, l.m.state.Activity != agentloop.Idle && !l.ended)
	}
}

func (l *live) childIs(kid *live, busy bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busyKids[kid] == busy {
		return
	}
	if busy {
		l.busyKids[kid] = true
	} else {
		delete(l.busyKids, kid)
	}
	l.refreshLocked()
}
