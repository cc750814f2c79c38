package agentloop

import (
	"dugout/sessionio"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostRecapWords is the format's bound of a recap.
const mostRecapWords = 12

// writeRecap keeps what became of the turn: in the file, so that an inactive session still says it.
func (a *Agent) writeRecap() error {
	c, err := a.ledger.context(a.sess)
	if err != nil {
		return err
	}
	text, ok := lastAnswer(c.Messages)
	if !ok {
		return nil
	}
	recap, verdict := recapOf(text)
	if recap == "" {
		recap = "Ended without a word."
	}
	a.ledger.mu.Lock()
	n := a.ledger.messages
	a.ledger.mu.Unlock()
	if _, err := a.append(sessionio.Entry{Type: sessionio.TypeAgentStatus, Status: &sessionio.AgentStatus{
		Summary: recap, TaskState: verdict, BasedOnMessageCount: n,
	}}); err != nil {
		return err
	}
	a.update(func(st *State) { st.Recap, st.Verdict = recap, verdict })
	return nil
}

// lastAnswer is the text of the last assistant message.
func lastAnswer(messages []sessionio.Message) (string, bool) {
	for i := len(messages) - 1; i >= 0; i-- {
		m := messages[i]
		if m.Role != sessionio.RoleAssistant {
			continue
		}
		var parts []string
		for _, b := range m.Content {
			if b.Type == sessionio.BlockText {
				parts = append(parts, b.Text)
			}
		}
		return strings.Join(parts, "\n"), true
	}
	return "", false
}

// recapOf is the recap without a model: the answer's last sentence. One that ends on a question
// waits for the person.
func recapOf(answer string) (recap string, verdict sessionio.Verdict) {
	answer = strings.ToValidUTF8(answer, "\uFFFD")
	line := ""
	fenced := false
	for l := range strings.Lines(answer) {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
			fenced = !fenced
			continue
		}
		if l != "" && !fenced {
			line = l
		}
	}
	line = strings.TrimSpace(strings.TrimLeft(line, "#>-*• \t"))
	sentence := lastSentence(strings.Trim(line, "*_"))
	verdict = sessionio.VerdictCompleted
	if strings.HasSuffix(strings.TrimRight(sentence, "*_`\"')”’ "), "?") || strings.HasSuffix(sentence, "？") {
		verdict = sessionio.VerdictNeedsInput
	}
	words := strings.Fields(sentence)
	if len(words) > mostRecapWords {
		words = words[:mostRecapWords]
		words[mostRecapWords-1] += "…"
	}
	return cutRunes(strings.Join(words, " "), 200), verdict
}

// lastSentence finds where the last sentence of a line begins: after a full stop, a question or an
// exclamation mark and a space.
func lastSentence(line string) string {
	start := 0
	for i, r := range line {
		next, _ := utf8.DecodeRuneInString(line[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune(".?!", r) && unicode.IsSpace(next),
			strings.ContainsRune("。？！", r) && next != utf8.RuneError:
			if rest := strings.TrimSpace(line[i+utf8.RuneLen(r):]); rest != "" {
				start = len(line) - len(strings.TrimLeftFunc(line[i+utf8.RuneLen(r):], unicode.IsSpace))
			}
		}
	}
	return strings.TrimSpace(line[start:])
}

func cutRunes(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}
