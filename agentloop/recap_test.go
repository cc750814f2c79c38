package agentloop

import (
	"dugout/sessionio"
	"strings"
	"testing"
)

func TestRecapOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		answer, recap string
		verdict       sessionio.Verdict
	}{
		{"", "", sessionio.VerdictCompleted},
		{"All tests pass.", "All tests pass.", sessionio.VerdictCompleted},
		{"I did it. Now v1.2.3 is out.", "Now v1.2.3 is out.", sessionio.VerdictCompleted},
		{"Two ways. Which do you want?", "Which do you want?", sessionio.VerdictNeedsInput},
		{"Shall I go on?\n\n```sh\nrm -rf build\n```\n", "Shall I go on?", sessionio.VerdictNeedsInput},
		{"- one\n- **Shall I?**", "Shall I?", sessionio.VerdictNeedsInput},
		{"做完了。要继续吗？", "要继续吗？", sessionio.VerdictNeedsInput},
		{"a b c d e f g h i j k l m n", "a b c d e f g h i j k l…", sessionio.VerdictCompleted},
		{"bad \xff. bytes \xfe\xff", "bytes \uFFFD", sessionio.VerdictCompleted},
	} {
		recap, verdict := recapOf(c.answer)
		if recap != c.recap || verdict != c.verdict {
			t.Errorf("%q: %q %s, want %q %s", c.answer, recap, verdict, c.recap, c.verdict)
		}
	}
	if recap, _ := recapOf(strings.Repeat("x", 5000)); len(recap) > 210 {
		t.Errorf("a word of 5,000 letters gives a recap of %d bytes", len(recap))
	}
}
