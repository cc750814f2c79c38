package recall

import (
	"context"
	"dugout/sessionio"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMostWordsThenTheNewest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("a", "/p", msg(1, "user", "the storage port"), msg(9, "assistant", "PORT 8080"))
	w.file("b", "/p", msg(5, "user", "which port is the storage on?"), msg(7, "user", "port"))
	if got := names(w.search("Storage port", Options{}).Hits); got != "b/e5 a/e1 a/e9 b/e7" {
		t.Errorf("got %s", got)
	}
	r := w.search("storage port", Options{Limit: 2})
	if got := names(r.Hits); got != "b/e5 a/e1" || r.Found != 4 {
		t.Errorf("limited: %s of %d", got, r.Found)
	}
}

func TestQuestionComesWithTheAnswerItsTurnEndedOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	call := `{"type":"message","id":"e3","parentId":"e2","timestamp":"2025-02-03T05:03:00.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{}}]}}`
	w.file("a", "/p",
		msg(1, "user", "Quel format pour les logs ?"),
		msg(2, "assistant", "let me look"),
		call,
		msg(4, "toolResult", "logs logs"),
		msg(5, "assistant", "we take log/slog, as JSON"),
		`{"type":"message","id":"e6","parentId":"e5","timestamp":"2025-02-03T05:06:00.000Z","message":{"role":"assistant","content":[]}}`,
		msg(7, "user", "thanks"),
		msg(8, "assistant", "you are welcome"),
		under(9, 5, "user", "another branch"),
		under(10, 9, "assistant", "another answer"),
	)
	hits := w.search("format logs", Options{}).Hits
	if len(hits) != 1 || hits[0].Answer == nil {
		t.Fatalf("got %+v", hits)
	}
	if a := hits[0].Answer; a.Entry != "e5" || a.Snippet != "we take log/slog, as JSON" {
		t.Errorf("the answer is %+v", *a)
	}
}

func TestMergeSaysEachThingOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("a", "/p", msg(1, "user", "which port?"), msg(2, "assistant", "port 8080"), msg(3, "user", "port of tests?"))
	w.file("fork", "/p", msg(1, "user", "which port?"), msg(2, "assistant", "port 8080"), msg(4, "assistant", "the port again"))
	if got := names(w.search("port", Options{}).Hits); got != "fork/e4 a/e3 a/e2 fork/e2 a/e1 fork/e1" {
		t.Errorf("each by itself: %s", got)
	}
	hits := w.search("port", Options{Merge: true, Limit: 4}).Hits
	if got := names(hits); got != "fork/e4 a/e3 a/e1" {
		t.Errorf("merged: %s", got)
	}
	if hits[2].Answer == nil || hits[2].Answer.Entry != "e2" {
		t.Errorf("the question lost its answer: %+v", hits[2])
	}
}

func TestKnownIsLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("a", "/p", msg(1, "user", "which port?"), msg(2, "assistant", "8080 it is"), msg(3, "user", "why this port?"))
	say := func(role sessionio.Role, text string) sessionio.Message {
		return sessionio.Message{Role: role, Content: []sessionio.Block{{Type: sessionio.BlockText, Text: text}}}
	}
	known := KnownTo([]sessionio.Message{say(sessionio.RoleAssistant, "8080  it is"), say(sessionio.RoleUser, "why this PORT?")})
	hits := w.search("port", Options{Known: known}).Hits
	if names(hits) != "a/e1" || hits[0].Answer != nil {
		t.Errorf("got %s, answer %v", names(hits), hits[0].Answer)
	}
}

func TestOnlyWhatWasSaidIsSearched(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	spaced := `{ "type" : "message", "id":"e5", "message": {"role": "toolResult", "content": [{"type":"text","text":"needle"}]}}`
	thought := `{"type":"message","id":"e6","message":{"role":"assistant","content":[{"type":"thinking","thinking":"needle"},{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"needle"}}]}}`
	w.file("a", "/needle", msg(1, "toolResult", "needle"), spaced, thought,
		`{"type":"custom","id":"c1","customType":"x","data":"needle"}`,
		`{"type":"session_info","id":"c2","name":"needle"}`,
		`{"type":"custom_message","id":"c3","customType":"goal_context","content":"needle","display":false}`,
		`{"type":"message","id":"e7","message":{"role":"user","content":"a needle in a string"}}`,
		`{"type":"compaction","id":"e8","summary":"needle kept","timestamp":"2025-02-03T05:08:00.000Z"}`,
		`{"type":"branch_summary","id":"e9","summary":"needle left","timestamp":"2025-02-03T05:09:00.000Z"}`,
		`{"type":"message","id":"e10" torn needle`,
	)
	hits := w.search("needle", Options{}).Hits
	if got := names(hits); got != "a/e9 a/e8 a/e7" {
		t.Errorf("got %s", got)
	}
	if hits[0].Role != sessionio.RoleBranchSummary || hits[1].Role != sessionio.RoleCompactionSummary || hits[2].Role != sessionio.RoleUser {
		t.Errorf("roles: %s %s %s", hits[0].Role, hits[1].Role, hits[2].Role)
	}
}

func TestUnreadableFileIsAProblemOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("a", "/p", msg(1, "user", "port"))
	w.infos = append(w.infos, sessionio.Info{ID: "gone", Path: w.dir + "/gone.jsonl"}, sessionio.Info{ID: "folder", Path: w.dir})
	var bad []string
	done := 0
	r := w.search("port", Options{
		Problem:  func(path string, _ error) { bad = append(bad, path) },
		Progress: func(d, total int) { done = max(done, d*10+total) },
	})
	if names(r.Hits) != "a/e1" || len(bad) != 2 || done != 33 {
		t.Errorf("got %s, problems %v, progress %d", names(r.Hits), bad, done)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("a", "/p", msg(1, "user", "port"))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	q, err := ParseQuery("port")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Search(ctx, w.infos, q, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkSearch(b *testing.B) {
	w := newWorld(b)
	output := strings.Repeat("func main() { fmt.Println(`what a tool said`) }\n", 60)
	prose := strings.Repeat("We looked at the parser and found that the lexer drops a token. ", 12)
	size := 0
	for f := range 16 {
		var lines []string
		for i := 1; i < 1200; i += 3 {
			lines = append(lines, msg(i, "user", prose), msg(i+1, "toolResult", output), msg(i+2, "assistant", prose+prose))
		}
		for _, l := range lines {
			size += len(l) + 1
		}
		w.file(fmt.Sprintf("s%02d", f), "/p", lines...)
	}
	for _, c := range []struct{ name, query string }{
		{"rare", "kubernetes"}, {"three", "kubernetes deployment zookeeper"}, {"accents", "données"}, {"russian", "сервер"}, {"every", "parser"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				w.search(c.query, Options{Limit: 20})
			}
		})
	}
}
