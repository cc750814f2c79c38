package tool

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestSpawn(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	answer, fail := "done", error(nil)
	tl := NewSpawn(func(_ context.Context, prompt string) (string, error) { return prompt + ": " + answer, fail })
	call := b.call(args{"prompt": "look\nhere"})
	e, err := tl.Effect(call)
	if err != nil || e.Kind != Spawn || e.Title != "spawn look here" || e.Preview != "look\nhere" {
		t.Errorf("%+v, %v", e, err)
	}
	if res, err := tl.Run(t.Context(), call); err != nil || textOf(res) != "look\nhere: done" {
		t.Errorf("%v, %v", res, err)
	}
	answer = strings.Repeat("x\n", MaxBytes)
	if res, err := tl.Run(t.Context(), call); err != nil || len(textOf(res)) > MaxBytes+200 {
		t.Errorf("a long answer: %d bytes, %v", len(textOf(res)), err)
	}
	fail = errors.New("too deep")
	if _, err := tl.Run(t.Context(), call); !errors.Is(err, fail) {
		t.Errorf("%v", err)
	}
	if _, err := tl.Effect(b.call(args{"prompt": " "})); err == nil {
		t.Error("an empty prompt passes")
	}
}
