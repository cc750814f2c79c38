package scripted

import (
	"dugout/agentloop/model"
	"dugout/sessionio"
	"fmt"
	"slices"
	"strings"
)

// introduction is what the script says of itself before it quotes what it did not understand.
func introduction() string {
	return "I am scripted/demo, a script and not an AI. I act on lines that begin with say:, think:, tokens:, wait:, " +
		"run:, read:, write:, edit:, grep:, find:, ls:, spawn:, ask: or fail:."
}

// closing is the sentence at the end of a turn: it names the tools that were used. A turn that ends
// with a question, or that used none, has no such sentence.
func closing(last []line, u use) string {
	if len(last) > 0 && last[len(last)-1].kind == kindAsk {
		return ""
	}
	if len(u.tools) == 0 {
		if len(last) == 0 {
			return introduction()
		}
		return ""
	}
	s := "The script used " + list(u.tools)
	switch {
	case u.failed == 1:
		s += "; one call failed"
	case u.failed > 1:
		s += fmt.Sprintf("; %d calls failed", u.failed)
	}
	return s + "."
}

// list names tools in the order of their first use: "bash (3 times), read and edit".
func list(tools []string) string {
	var names []string
	count := map[string]int{}
	for _, t := range tools {
		if count[t]++; count[t] == 1 {
			names = append(names, t)
		}
	}
	for i, n := range names {
		if count[n] > 1 {
			names[i] = fmt.Sprintf("%s (%d times)", n, count[n])
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// answerToSummary answers what no script is: a request to summarise a conversation (it comes
// without tools), and a summary that stands where the newest message was.
func answerToSummary(said string, hasTools bool) (string, bool) {
	if !hasTools && strings.Contains(said, "<conversation>") {
		_, body, _ := strings.Cut(said, "<conversation>")
		body, _, _ = strings.Cut(body, "</conversation>")
		words := strings.Fields(body)
		return fmt.Sprintf("This summary was made by a script, not an AI. The conversation had %d words. It began: %s",
			len(words), strings.Join(words[:min(len(words), 60)], " ")), true
	}
	if strings.HasSuffix(strings.TrimSpace(said), "</summary>") {
		return "What was asked for is in the summary; a script cannot go on from there.", true
	}
	return "", false
}

// lorem yields the words of a `tokens:` line.
func lorem(i int) string {
	words := []string{
		"the", "bench", "is", "quiet", "while", "a", "script", "counts", "words", "so", "that", "someone",
		"can", "watch", "them", "come", "in", "one", "after", "another", "and", "scroll", "away",
	}
	w := words[i%len(words)]
	if i%len(words) == len(words)-1 {
		w += "."
	}
	return w
}

func countWords(s string) int { return len(strings.Fields(s)) }

func countBlocks(blocks []sessionio.Block) int {
	n := 0
	for _, b := range blocks {
		n += countWords(b.Text) + countWords(b.Thinking) + countWords(b.Name) + countWords(string(b.Arguments))
	}
	return n
}

func countRequest(req model.Request) int {
	n := countWords(req.System)
	for _, m := range req.Messages {
		n += countBlocks(m.Content)
	}
	return n
}

func offers(tools []model.ToolSpec, name string) bool {
	return slices.ContainsFunc(tools, func(t model.ToolSpec) bool { return t.Name == name })
}
