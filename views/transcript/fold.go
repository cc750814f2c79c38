package transcript

import (
	"dugout/sessionio"
	"encoding/json"
	"strconv"
	"strings"
)

// folder turns entries, in the order of the path, into items.
type folder struct {
	items   []*Item
	open    map[string]*Item // tool cards without a result, by call id
	orphans map[string]*Item // cards made from a result whose call was not seen
}

func newFolder() folder {
	return folder{open: map[string]*Item{}, orphans: map[string]*Item{}}
}

// Fold makes the items of a path that nothing runs in.
func Fold(entries []sessionio.Entry) []*Item {
	f := newFolder()
	for i := range entries {
		f.add(&entries[i])
	}
	f.interrupt(nil)
	return f.items
}

func (f *folder) put(it *Item) *Item {
	it.Version = 1
	f.items = append(f.items, it)
	return it
}

func itemOf(e *sessionio.Entry, k Kind, text string) *Item {
	return &Item{ID: string(e.ID), Kind: k, Finished: true, Entry: e.ID, Time: timeOf(e), Text: text}
}

// add folds one entry. Entries that are bookkeeping make no item.
func (f *folder) add(e *sessionio.Entry) {
	switch e.Type {
	case sessionio.TypeMessage:
		if e.Message != nil {
			f.message(e)
		}
	case sessionio.TypeCustomMessage:
		if e.Display {
			it := itemOf(e, Custom, "")
			it.Text, it.Images = textOf(e.Content)
			it.Title = e.CustomType
			f.put(it)
		}
	case sessionio.TypeCompaction:
		it := itemOf(e, Compaction, e.Summary)
		it.Tokens = e.TokensBefore
		f.put(it)
	case sessionio.TypeBranchSummary:
		f.put(itemOf(e, Branch, e.Summary))
	case sessionio.TypeModelChange:
		f.setting(e, "model: "+e.Provider+"/"+e.ModelID)
	case sessionio.TypeThinkingLevelChange:
		f.setting(e, "thinking: "+e.ThinkingLevel)
	case sessionio.TypeCustom:
		if e.CustomType == sessionio.CustomError {
			f.errorEntry(e)
		}
	}
}

// setting tells of a change. What a session begins with is no change.
func (f *folder) setting(e *sessionio.Entry, text string) {
	if len(f.items) > 0 {
		f.put(itemOf(e, Notice, text))
	}
}

func (f *folder) errorEntry(e *sessionio.Entry) {
	var r sessionio.ErrorRecord
	if json.Unmarshal(e.Data, &r) != nil {
		return
	}
	it := errorItem(string(e.ID), r)
	it.Entry = e.ID
	f.put(it)
}

func errorItem(id string, r sessionio.ErrorRecord) *Item {
	return &Item{
		ID: id, Kind: Error, Finished: true, Time: r.Time,
		Text: r.Line, Detail: r.Raw, Question: r.Question, Title: string(r.Kind),
	}
}

func (f *folder) message(e *sessionio.Entry) {
	m := e.Message
	switch m.Role {
	case sessionio.RoleUser:
		f.interrupt(nil)
		it := itemOf(e, User, "")
		it.Text, it.Images = textOf(m.Content)
		f.put(it)
	case sessionio.RoleAssistant:
		f.interrupt(nil)
		f.answer(e)
	case sessionio.RoleToolResult:
		f.result(e)
	case sessionio.RoleBash:
		it := itemOf(e, Tool, "")
		it.Card = bashCard(m)
		f.put(it)
	case sessionio.RoleCustom:
		if m.Display {
			it := itemOf(e, Custom, "")
			it.Text, it.Images = textOf(m.Content)
			it.Title = m.CustomType
			f.put(it)
		}
	}
}

// answer makes one item for each block, so that only the last of them changes while it streams.
func (f *folder) answer(e *sessionio.Entry) {
	m := e.Message
	for i := range m.Content {
		if it := blockItem(e, i); it != nil {
			f.put(it)
			if it.Card != nil {
				f.open[it.Card.CallID] = it
			}
		}
	}
	if end := ending(e); end != nil {
		f.put(end)
	}
}

func blockItem(e *sessionio.Entry, i int) *Item {
	b := &e.Message.Content[i]
	it := itemOf(e, Answer, b.Text)
	it.ID += ":" + strconv.Itoa(i)
	switch b.Type {
	case sessionio.BlockText:
		if strings.TrimSpace(b.Text) == "" {
			return nil
		}
		it.Model = e.Message.Model
	case sessionio.BlockThinking:
		it.Kind, it.Text, it.Redacted = Thinking, b.Thinking, b.Redacted
		if strings.TrimSpace(b.Thinking) == "" && !b.Redacted {
			return nil
		}
	case sessionio.BlockToolCall:
		it.Kind, it.Finished = Tool, false
		it.Card = &Card{CallID: b.ID, Tool: b.Name, Args: string(b.Arguments), Title: TitleOf(b.Name, string(b.Arguments)), State: CardPending}
	case sessionio.BlockImage:
		it.Kind, it.Text = Notice, "an image"
	default:
		return nil
	}
	return it
}

// ending tells how an answer ended when it did not end well.
func ending(e *sessionio.Entry) *Item {
	m := e.Message
	var it *Item
	switch m.StopReason {
	case sessionio.StopError:
		it = itemOf(e, Error, m.ErrorMessage)
		if it.Text == "" {
			it.Text = "the answer failed"
		}
	case sessionio.StopAborted:
		it = itemOf(e, Notice, "stopped here")
	case sessionio.StopLength:
		it = itemOf(e, Notice, "the answer was cut at the output limit")
	default:
		return nil
	}
	it.ID += ":end"
	return it
}

func (f *folder) result(e *sessionio.Entry) {
	m := e.Message
	it, ok := f.open[m.ToolCallID]
	if !ok {
		it = itemOf(e, Tool, "")
		it.Card = &Card{CallID: m.ToolCallID, Tool: m.ToolName}
		f.put(it)
		f.orphans[m.ToolCallID] = it
	}
	it.Card.result(m)
	it.Finished = true
	it.touch()
	delete(f.open, m.ToolCallID)
}

// interrupt closes the cards that nobody works on: every turn that came to an end gave its calls
// results.
func (f *folder) interrupt(alive map[string]bool) {
	for id, it := range f.open {
		if !alive[id] {
			it.Card.State = CardInterrupted
			it.Finished = true
			it.touch()
			delete(f.open, id)
		}
	}
}
