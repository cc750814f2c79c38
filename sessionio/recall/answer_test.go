package recall

import (
	"strings"
	"testing"
)

// Files of every version and of foreign writers have turns.
func TestAnswersInForeignFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.file("old", "/p", // version 1: no ids
		`{"type":"message","timestamp":"2025-02-03T05:01:00.000Z","message":{"role":"user","content":"which port?"}}`,
		`{"type":"message","timestamp":"2025-02-03T05:02:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"8080"}]}}`,
		`{"type":"message","timestamp":"2025-02-03T05:03:00.000Z","message":{"role":"user","content":"good"}}`,
		`{"type":"message","timestamp":"2025-02-03T05:04:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"welcome"}]}}`,
	)
	w.file("spaced", "/p",
		`{"id": "a", "parentId": null, "type": "message", "message": {"content": "which port?", "role": "user"}}`,
		`{"id": "b", "parentId": "a", "type": "custom", "customType": "x"}`,
		`{"id": "c", "parentId": "b", "type": "message", "message": {"content": "9090", "role": "assistant"}}`,
	)
	var got []string
	for _, h := range w.search("port", Options{}).Hits {
		if h.Answer == nil {
			t.Fatalf("%s has no answer", h.Session)
		}
		got = append(got, h.Answer.Snippet)
	}
	if strings.Join(got, " ") != "8080 9090" {
		t.Errorf("got %v", got)
	}
}

func TestQuickLinkReadsWhatDecodingReads(t *testing.T) {
	t.Parallel()
	for _, line := range []string{msg(1, "user", "x"), msg(2, "assistant", `"role":"user"`), under(3, 1, "toolResult", "")} {
		quick, ok := quickLink([]byte(line))
		slow, _ := linkOf([]byte(" "+line), 1, "")
		if !ok || quick != slow {
			t.Errorf("%s: %+v, %v, want %+v", line, quick, ok, slow)
		}
	}
	for _, line := range []string{
		`{"type":"message","id":"a\"b","parentId":null,"timestamp":"t","message":{"role":"user"}}`,
		`{"type":"message","id":"","parentId":null,"timestamp":"t","message":{"role":"user"}}`,
		`{"type":"message","id":"a","parentId":"b","message":{"role":"user"}}`,
		`{"type":"custom","id":"a"}`, `{"type":"message","id":"a`, ``,
	} {
		if l, ok := quickLink([]byte(line)); ok {
			t.Errorf("%s is read as %+v", line, l)
		}
	}
}
