package compaction

import (
	"context"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// asked is a Call that keeps the requests and answers with their number.
type asked struct{ reqs []model.Request }

func (a *asked) call(_ context.Context, req model.Request) (*sessionio.Message, error) {
	a.reqs = append(a.reqs, req)
	text := "notes " + string(rune('0'+len(a.reqs)))
	return &sessionio.Message{Content: []sessionio.Block{{Type: sessionio.BlockText, Text: text}}}, nil
}

func (a *asked) text(i int) string { return a.reqs[i].Messages[0].Content[0].Text }

func user(text string) sessionio.Message {
	return sessionio.Message{Role: sessionio.RoleUser, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: text}}}
}

func TestCompactionOfSplitTurn(t *testing.T) {
	t.Parallel()
	var a asked
	s := Summarizer{Call: a.call, Info: model.Info{ID: "m", MaxOutput: 5000}, Limits: Limits{Window: 100_000, Reserve: 16384}}
	e, err := s.Compaction(context.Background(), Plan{
		History: []sessionio.Message{user("old question")}, Prefix: []sessionio.Message{user("long question")},
		Previous: "what was", FirstKept: "k", TokensBefore: 7, Files: Files{Read: []string{"b", "a", "a"}, Modified: []string{"b"}},
	}, "the tests")
	if err != nil {
		t.Fatal(err)
	}
	if len(a.reqs) != 2 || !strings.Contains(a.text(0), "[User]: old question") || !strings.Contains(a.text(0), "<previous-summary>\nwhat was") ||
		!strings.Contains(a.text(0), "<user-instructions>\nthe tests") || !strings.Contains(a.text(1), "[User]: long question") ||
		strings.Contains(a.text(1), "what was") || a.reqs[0].MaxTokens != 5000 || a.reqs[0].System == "" {
		t.Errorf("asked %+v", a.reqs)
	}
	if !strings.HasPrefix(e.Summary, "notes 1\n\n---\n\n") || !strings.Contains(e.Summary, "notes 2") ||
		!strings.HasSuffix(e.Summary, "<read-files>\na\n</read-files>\n\n<modified-files>\nb\n</modified-files>") {
		t.Errorf("summary %q", e.Summary)
	}
	if e.FirstKeptEntryID != "k" || e.TokensBefore != 7 || e.FromHook == nil || *e.FromHook || e.CustomInstructions != "the tests" ||
		string(e.Details) != `{"readFiles":["a"],"modifiedFiles":["b"]}` {
		t.Errorf("entry %+v", e)
	}
}

func TestEmptySummaryIsAFailure(t *testing.T) {
	t.Parallel()
	s := Summarizer{Call: func(context.Context, model.Request) (*sessionio.Message, error) { return &sessionio.Message{}, nil }}
	if _, err := s.Compaction(context.Background(), Plan{History: []sessionio.Message{user("q")}}, ""); err == nil {
		t.Error("an empty summary stands for a whole history")
	}
	broken := errors.New("broken")
	s.Call = func(context.Context, model.Request) (*sessionio.Message, error) { return nil, broken }
	if _, err := s.Compaction(context.Background(), Plan{History: []sessionio.Message{user("q")}}, ""); !errors.Is(err, broken) {
		t.Errorf("err %v", err)
	}
}

// A record that is longer than the window is cut, at its beginning.
func TestRecordFitsWindow(t *testing.T) {
	t.Parallel()
	var a asked
	s := Summarizer{Call: a.call, Limits: Limits{Window: 1000, Reserve: 200}}
	if _, err := s.Compaction(context.Background(), Plan{History: []sessionio.Message{user(strings.Repeat("ä", 9000) + "END")}}, ""); err != nil {
		t.Fatal(err)
	}
	if got := a.text(0); len(got) > 4000 || !strings.Contains(got, "END\n</conversation>") || !strings.Contains(got, "left out") {
		t.Errorf("%d bytes: %.80q", len(got), got)
	}
}

// A scripted model is not asked; the same input gives the same summary, and the next one has it in it.
func TestScriptedSummary(t *testing.T) {
	t.Parallel()
	s := Summarizer{Info: model.Info{Scripted: true}}
	p := Plan{History: []sessionio.Message{
		user("write a file\nplease"),
		{Role: sessionio.RoleAssistant, Content: []sessionio.Block{
			{Type: sessionio.BlockText, Text: "I wrote it."},
			{Type: sessionio.BlockToolCall, Name: "write", Arguments: json.RawMessage(`{"path":"a"}`)},
		}},
	}}
	e, err := s.Compaction(context.Background(), p, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"scripted", "- write a file\n", "- write: 1", "I wrote it."} {
		if !strings.Contains(e.Summary, want) {
			t.Errorf("no %q in %q", want, e.Summary)
		}
	}
	again, _ := s.Compaction(context.Background(), p, "")
	if again.Summary != e.Summary {
		t.Error("not the same twice")
	}
	next, err := s.Compaction(context.Background(), Plan{Previous: e.Summary, History: []sessionio.Message{user("next")}}, "")
	if err != nil || !strings.Contains(next.Summary, "- write a file") || !strings.Contains(next.Summary, "- next") {
		t.Errorf("second %q, %v", next.Summary, err)
	}
}

func TestTranscript(t *testing.T) {
	t.Parallel()
	code := 1
	got := transcript([]sessionio.Message{
		user("hi"),
		{Role: sessionio.RoleAssistant, Content: []sessionio.Block{
			{Type: sessionio.BlockThinking, Thinking: "hm"},
			{Type: sessionio.BlockText, Text: "hello"},
			{Type: sessionio.BlockToolCall, Name: "read", Arguments: json.RawMessage(`{"path":"x","limit":3}`)},
			{Type: sessionio.BlockToolCall, Name: "odd", Arguments: json.RawMessage(`3`)},
		}},
		{Role: sessionio.RoleToolResult, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: strings.Repeat("y", 2500)}}},
		{Role: sessionio.RoleBash, Command: "ls", Output: "a", ExitCode: &code},
		{Role: sessionio.RoleBranchSummary, Summary: "branch"},
	}, true)
	want := "[User]: hi\n\n[Assistant thinking]: hm\n\n[Assistant]: hello\n\n[Assistant tool calls]: read(limit=3, path=\"x\"); odd()\n\n" +
		"[Tool result]: " + strings.Repeat("y", 2000) + "\n[… 500 more bytes]\n\n[User ran a command]: $ ls\na\n\n" +
		"[Summary of a branch that was left]: branch"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
