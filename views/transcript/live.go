package transcript

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"fmt"
	"slices"
	"strings"
)

// Effect is what an event asks of the screen beyond drawing.
type Effect struct {
	Question string // a question that failed and left the path: it belongs into the editor
	Failed   bool   // an error was shown
	Asked    bool   // a permission question was opened
	Stale    bool   // the path moved to a place that is not loaded: attach anew
	Replaced bool   // a snapshot took the place of everything
}

// Apply takes one event, in order.
func (t *Transcript) Apply(ev *protocol.Event) (eff Effect) {
	switch ev.Type {
	case protocol.EventEntry:
		if ev.Entry != nil {
			eff = t.step(ev.Entry)
		}
	case protocol.EventDelta:
		if ev.Delta != nil {
			t.delta(ev.Delta)
		}
	case protocol.EventAnswerEnd:
		t.dropLive()
	case protocol.EventToolStart, protocol.EventToolOutput, protocol.EventToolEnd:
		if ev.Tool != nil {
			t.tool(ev.Type, ev.Tool)
		}
	case protocol.EventPermission:
		if ev.Permission != nil {
			t.Permissions = append(t.Permissions, *ev.Permission)
			t.asking(ev.Permission)
			eff.Asked = true
		}
	case protocol.EventAnswered:
		if ev.Answered != nil {
			t.answered(ev.Answered.ID)
		}
	case protocol.EventQueue:
		t.Queue = slices.Clone(ev.Queue)
	case protocol.EventRetry:
		t.Retry = ev.Retry
		t.dropLive()
	case protocol.EventError:
		if ev.Error != nil {
			t.failed(ev.Error)
			eff.Failed = true
		}
	case protocol.EventSummary:
		if ev.Summary != nil {
			t.summary(ev.Summary)
		}
	case protocol.EventSnapshot:
		if ev.Snapshot != nil {
			t.Load(ev.Snapshot)
			eff.Replaced = true
		}
	case protocol.EventClosed:
		t.Closed = ev.Reason
		if t.Closed == "" {
			t.Closed = "closed"
		}
	}
	return eff
}

// step takes an entry of the path. One whose parent is not the leaf begins a branch: what came after
// the parent is no longer on the path.
func (t *Transcript) step(e *sessionio.Entry) (eff Effect) {
	if _, known := t.at[e.ID]; known {
		return eff
	}
	if len(t.path) > 0 && e.ParentID != t.path[len(t.path)-1] {
		i, ok := t.at[e.ParentID]
		switch {
		case ok:
			eff.Question = t.cut(i + 1)
		case e.ParentID == "" && !t.More:
			eff.Question = t.cut(0)
		default:
			eff.Stale = true
		}
	}
	t.at[e.ID] = len(t.path)
	t.path = append(t.path, e.ID)
	t.Leaf = e.ID
	if e.Type == sessionio.TypeMessage && e.Message != nil && e.Message.Role == sessionio.RoleAssistant && len(t.live) > 0 {
		t.adopt(e)
		return eff
	}
	t.f.add(e)
	return eff
}

// cut drops the path from an index on, with its items. It returns the questions among them.
func (t *Transcript) cut(from int) string {
	gone := map[sessionio.EntryID]bool{}
	for _, id := range t.path[from:] {
		gone[id] = true
		delete(t.at, id)
	}
	t.path = t.path[:from:from]
	var questions []string
	t.f.items = slices.DeleteFunc(t.f.items, func(it *Item) bool {
		if it.Entry == "" || !gone[it.Entry] {
			return false
		}
		if it.Kind == User && it.Text != "" {
			questions = append(questions, it.Text)
		}
		if it.Card != nil {
			delete(t.f.open, it.Card.CallID)
		}
		return true
	})
	t.dropLive()
	return strings.Join(questions, "\n\n")
}

// delta adds a piece to the answer under way.
func (t *Transcript) delta(d *protocol.Delta) {
	t.Retry = nil
	it, ok := t.live[d.Block]
	if !ok {
		if len(t.live) == 0 {
			t.gen++
		}
		it = &Item{ID: fmt.Sprintf("live%d:%d", t.gen, d.Block), Kind: Answer}
		switch d.Kind {
		case "thinking":
			it.Kind = Thinking
		case "tool_start", "tool_args":
			it.Kind, it.Card = Tool, &Card{State: CardWriting}
		}
		t.live[d.Block] = t.f.put(it)
	}
	if it.Card == nil {
		it.Text += d.Text
		it.touch()
		return
	}
	if d.ToolID != "" {
		it.Card.CallID = d.ToolID
	}
	if d.ToolName != "" {
		it.Card.Tool = d.ToolName
	}
	it.Card.Args += d.Text
	it.touch()
}

// adopt lets a whole answer take the place of the pieces that were shown of it.
func (t *Transcript) adopt(e *sessionio.Entry) {
	blocks := make([]int, 0, len(t.live))
	for b := range t.live {
		blocks = append(blocks, b)
	}
	slices.Sort(blocks)
	at := len(t.f.items)
	for i, it := range t.f.items {
		if it == t.live[blocks[0]] {
			at = i
			break
		}
	}
	waiting := make([]*Item, 0, len(blocks))
	for _, b := range blocks {
		waiting = append(waiting, t.live[b])
	}
	t.dropLive()
	tail := slices.Clone(t.f.items[min(at, len(t.f.items)):])
	t.f.items = t.f.items[:min(at, len(t.f.items))]
	first := len(t.f.items)
	t.f.add(e)
	for _, it := range t.f.items[first:] {
		i := slices.IndexFunc(waiting, func(w *Item) bool { return w.Kind == it.Kind })
		if i < 0 {
			continue
		}
		it.ID, it.Version = waiting[i].ID, waiting[i].Version+1
		waiting = waiting[i+1:]
	}
	t.f.items = append(t.f.items, tail...)
}

// dropLive takes away the pieces of an answer that came to nothing.
func (t *Transcript) dropLive() {
	if len(t.live) == 0 {
		return
	}
	pieces := map[*Item]bool{}
	for _, it := range t.live {
		pieces[it] = true
	}
	t.f.items = slices.DeleteFunc(t.f.items, func(it *Item) bool { return pieces[it] })
	clear(t.live)
}

func (t *Transcript) tool(kind protocol.EventType, run *protocol.ToolRun) {
	switch kind {
	case protocol.EventToolStart:
		t.toolStart(run)
	case protocol.EventToolOutput:
		if it, ok := t.f.open[run.CallID]; ok {
			it.Card.more(run.Output)
			it.touch()
		}
	case protocol.EventToolEnd: // its result is in already
	}
}

func (t *Transcript) toolStart(run *protocol.ToolRun) {
	it, ok := t.f.open[run.CallID]
	if !ok {
		it = t.f.put(&Item{ID: "call:" + run.CallID, Kind: Tool, Card: &Card{CallID: run.CallID, Tool: run.Tool}})
		t.f.open[run.CallID] = it
	}
	c := it.Card
	c.State, c.Started = CardRunning, run.Started
	if run.Tool != "" {
		c.Tool = run.Tool
	}
	if run.Args != "" {
		c.Args = run.Args
	}
	if title := TitleOf(c.Tool, c.Args); title != "" {
		c.Title = title
	} else if run.Title != "" {
		c.Title = run.Title
	}
	c.Output, c.Cut = "", false
	c.more(run.Output)
	it.touch()
}

func (t *Transcript) asking(p *protocol.Permission) {
	if it, ok := t.f.open[p.CallID]; ok {
		it.Card.State = CardAsking
		it.touch()
	}
}

func (t *Transcript) answered(id string) {
	t.Permissions = slices.DeleteFunc(t.Permissions, func(p protocol.Permission) bool {
		if p.ID != id {
			return false
		}
		if it, ok := t.f.open[p.CallID]; ok && it.Card.State == CardAsking {
			it.Card.State = CardPending
			it.touch()
		}
		return true
	})
}

// failed shows an error that no entry of the path shows: when it could not be kept.
func (t *Transcript) failed(r *sessionio.ErrorRecord) {
	for i := len(t.f.items) - 1; i >= 0 && i >= len(t.f.items)-4; i-- {
		if it := t.f.items[i]; it.Kind == Error && it.Text == r.Line && it.Time.Equal(r.Time) {
			return
		}
	}
	t.dropLive()
	t.f.put(errorItem(fmt.Sprintf("error%d:%d", t.gen, len(t.f.items)), *r))
}

func (t *Transcript) summary(s *protocol.Summary) {
	t.Summary = *s
	if s.State != protocol.StateRetrying {
		t.Retry = nil
	}
	if !busy(s.State) {
		t.f.interrupt(t.alive())
	}
}
