package tool

import (
	"context"
	"dugout/sessionio"
	"errors"
	"strings"
	"testing"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	text, fail := "found", error(nil)
	tl := NewMemory(func(_ context.Context, cwd, query string, known []sessionio.Message) (string, error) {
		if cwd != b.dir || query != "api port" || len(known) != 1 || known[0].Summary != "known" {
			t.Errorf("searched in %s for %q without %v", cwd, query, known)
		}
		return text, fail
	})
	call := b.call(args{"query": "api port"})
	call.Context = func() ([]sessionio.Message, error) { return []sessionio.Message{{Summary: "known"}}, nil }
	e, err := tl.Effect(call)
	if err != nil || e.Kind != Reads || e.Title != "search memory: api port" {
		t.Errorf("%+v, %v", e, err)
	}
	if res, err := tl.Run(t.Context(), call); err != nil || textOf(res) != "found" {
		t.Errorf("%v, %v", res, err)
	}
	text = strings.Repeat("x\n", MaxBytes)
	if res, err := tl.Run(t.Context(), call); err != nil || len(textOf(res)) > MaxBytes+200 {
		t.Errorf("a long text: %d bytes, %v", len(textOf(res)), err)
	}
	fail = errors.New("the disk is gone")
	if _, err := tl.Run(t.Context(), call); !errors.Is(err, fail) {
		t.Errorf("%v", err)
	}
	if _, err := tl.Effect(b.call(args{"query": " "})); err == nil {
		t.Error("an empty query passes")
	}
}
