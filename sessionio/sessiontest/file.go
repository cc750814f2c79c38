// Package sessiontest builds session files for tests: entry by entry, or line by line where a file
// should be odd. Ids and times are the same in every run.
package sessiontest

import (
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Start is the time of a file's header; each entry is a second later than the one before.
var Start = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

// File is a session file in the making. Entries hang under Leaf, which moves to each.
type File struct {
	ID   sessionio.ID
	Leaf sessionio.EntryID

	text strings.Builder
	n    int
}

// New begins a file with a header of the current version.
func New(id sessionio.ID, cwd string) *File {
	return With(sessionio.Header{Version: sessionio.CurrentVersion, ID: id, CWD: cwd})
}

// With begins a file with a header; without a time it is Start.
func With(h sessionio.Header) *File {
	if h.Timestamp.IsZero() {
		h.Timestamp = Start
	}
	f := &File{ID: h.ID}
	f.put(h)
	return f
}

func (f *File) put(v json.Marshaler) {
	b, err := v.MarshalJSON()
	if err != nil {
		panic(fmt.Sprintf("sessiontest: %v", err)) // of an entry that a test made
	}
	f.Line(string(b))
}

// Line adds a line as it stands.
func (f *File) Line(text string) { f.text.WriteString(text + "\n") }

// Tail adds text without a line end.
func (f *File) Tail(text string) { f.text.WriteString(text) }

// Add adds an entry under Leaf. Its id counts up, a0000001 and on, unless it has one.
func (f *File) Add(e sessionio.Entry) sessionio.EntryID {
	f.n++
	if e.ID == "" {
		e.ID = sessionio.EntryID(fmt.Sprintf("a%07x", f.n))
	}
	if e.Timestamp.IsZero() {
		e.Timestamp = f.now()
	}
	e.ParentID = f.Leaf
	f.Leaf = e.ID
	f.put(e)
	return e.ID
}

func (f *File) now() time.Time { return Start.Add(time.Duration(f.n) * time.Second) }

// Say adds a message, timed like its entry.
func (f *File) Say(m sessionio.Message) sessionio.EntryID {
	if m.Timestamp == 0 {
		m.Timestamp = Start.Add(time.Duration(f.n+1) * time.Second).UnixMilli()
	}
	return f.Add(sessionio.Entry{Type: sessionio.TypeMessage, Message: &m})
}

// User adds a user's message.
func (f *File) User(text string) sessionio.EntryID {
	return f.Say(sessionio.Message{Role: sessionio.RoleUser, Content: Text(text)})
}

// Assistant adds a whole answer, without tool calls.
func (f *File) Assistant(text string) sessionio.EntryID {
	return f.Say(answer(sessionio.StopEnd, Text(text)))
}

// Calls adds an answer that calls tools; see Call.
func (f *File) Calls(calls ...sessionio.Block) sessionio.EntryID {
	return f.Say(answer(sessionio.StopToolUse, calls))
}

// Failed adds an empty answer that ended in an error or an abort.
func (f *File) Failed(reason sessionio.StopReason, text string) sessionio.EntryID {
	m := answer(reason, nil)
	m.ErrorMessage = text
	return f.Say(m)
}

// Result adds a tool's result.
func (f *File) Result(call, tool, text string) sessionio.EntryID {
	return f.Say(sessionio.Message{Role: sessionio.RoleToolResult, ToolCallID: call, ToolName: tool, Content: Text(text)})
}

func answer(reason sessionio.StopReason, content []sessionio.Block) sessionio.Message {
	return sessionio.Message{
		Role: sessionio.RoleAssistant, Content: content, API: "scripted", Provider: "scripted", Model: "rules",
		Usage: &sessionio.Usage{Input: 10, Output: 5, TotalTokens: 15}, StopReason: reason,
	}
}

// Text is content of one text block.
func Text(text string) []sessionio.Block {
	return []sessionio.Block{{Type: sessionio.BlockText, Text: text}}
}

// Call is a tool call; arguments are a JSON object.
func Call(id, tool, arguments string) sessionio.Block {
	return sessionio.Block{Type: sessionio.BlockToolCall, ID: id, Name: tool, Arguments: json.RawMessage(arguments)}
}

// Bytes is the file so far.
func (f *File) Bytes() []byte { return []byte(f.text.String()) }

// Write writes the file to a folder, which is made, as <id>.jsonl.
func (f *File) Write(tb testing.TB, dir string) string {
	tb.Helper()
	path := filepath.Join(dir, string(f.ID)+".jsonl")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(path, f.Bytes(), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}
