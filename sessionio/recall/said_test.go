package recall

import (
	"context"
	"dugout/agentloop/compaction"
	"dugout/agentloop/model"
	"dugout/sessionio"
	"strings"
	"testing"
)

// The lines that dugout itself puts around a summary, as it makes one, are nobody's words.
func TestOwnWrapperLinesAreNotSearched(t *testing.T) {
	t.Parallel()
	say := func(role sessionio.Role, text string) sessionio.Message {
		return sessionio.Message{Role: role, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: text}}}
	}
	s := compaction.Summarizer{Info: model.Info{Scripted: true}}
	e, err := s.Branch(context.Background(), compaction.Branch{
		Messages: []sessionio.Message{say(sessionio.RoleUser, "tune the zither"), say(sessionio.RoleAssistant, "tuned")},
		Files:    compaction.Files{Read: []string{"zither.go"}},
	}, "e1", "")
	if err != nil {
		t.Fatal(err)
	}
	_, text := said(&e)
	for _, line := range strings.Split(e.Summary[:strings.Index(e.Summary, "tune")], "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "#") && strings.Contains(text, line) {
			t.Errorf("%q can be found", line)
		}
	}
	if !strings.Contains(text, "tune the zither") || !strings.Contains(text, "zither.go") || strings.Contains(text, "read-files") {
		t.Errorf("what can be found is %q", text)
	}
}
