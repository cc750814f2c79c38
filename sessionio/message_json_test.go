package sessionio

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What was read from a stream stays as it was when the stream's buffer is used again.
func TestReadFromAStream(t *testing.T) {
	t.Parallel()
	one := func(c string) string {
		x := strings.Repeat(c, 600)
		return `{"type":"message","id":"i","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{"a":"` + x + `"}}],"details":{"d":"` + x + `"}},"data":"` + x + `"}`
	}
	custom := func(c string) string {
		return strings.Replace(one(c), `"message","id"`, `"custom","customType":"x","id"`, 1)
	}
	var text strings.Builder
	for _, c := range []string{"a", "b", "c", "d", "e", "f"} {
		text.WriteString(one(c) + custom(c) + "\n")
	}
	dec := json.NewDecoder(strings.NewReader(text.String()))
	var entries []Entry
	for dec.More() {
		var e Entry
		if err := dec.Decode(&e); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	if len(entries) != 12 {
		t.Fatalf("%d entries", len(entries))
	}
	for i, e := range entries {
		c := string(rune('a' + i/2))
		x := strings.Repeat(c, 600)
		if string(e.Raw) != one(c) && string(e.Raw) != custom(c) {
			t.Errorf("entry %d is %.80s", i, e.Raw)
		}
		if e.Type == TypeCustom {
			if string(e.Data) != `"`+x+`"` {
				t.Errorf("data of %d is %.80s", i, e.Data)
			}
			continue
		}
		if got := string(e.Message.Content[0].Arguments); got != fmt.Sprintf(`{"a":%q}`, x) {
			t.Errorf("arguments of %d are %.80s", i, got)
		}
		if got := string(e.Message.Details); got != fmt.Sprintf(`{"d":%q}`, x) {
			t.Errorf("details of %d are %.80s", i, got)
		}
	}
}
