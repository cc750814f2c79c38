package model

import (
	"dugout/sessionio"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestJoinTurns(t *testing.T) {
	t.Parallel()
	in := []sessionio.Message{
		user("a"), user("b"), assistant(sessionio.StopEnd, text("c")...), assistant(sessionio.StopToolUse, call("1", "x"), call("2", "x")),
		result("1", "r1"), result("2", "r2"), user("d"),
	}
	before := draw(in)
	want := []string{
		"user a b", `assistant c call(1 x {"a":1}) call(2 x {"a":1})`, "toolResult 1 r1", "toolResult 2 r2", "user d",
	}
	if diff := cmp.Diff(want, draw(JoinTurns(in))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(before, draw(in)); diff != "" {
		t.Errorf("the argument changed:\n%s", diff)
	}
}

func TestJoinTurnsAlternatesAndLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := Prepare(genMessages().Draw(t, "messages"))
		out := JoinTurns(in)
		blocks := func(messages []sessionio.Message) (n int) {
			for _, m := range messages {
				n += len(m.Content)
			}
			return n
		}
		if blocks(in) != blocks(out) {
			t.Fatalf("%d blocks became %d", blocks(in), blocks(out))
		}
		if err := checkPairing(out); err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(out); i++ {
			if out[i].Role == out[i-1].Role && out[i].Role != sessionio.RoleToolResult {
				t.Fatalf("messages %d and %d are both the %s's", i-1, i, out[i].Role)
			}
		}
	})
}
