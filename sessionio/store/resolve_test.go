package store

import (
	"dugout/sessionio"
	"errors"
	"strings"
	"testing"
)

func TestPick(t *testing.T) {
	t.Parallel()
	infos := []sessionio.Info{
		{ID: "0190aaaa-1111", Name: "plan"},
		{ID: "0190bbbb-2222", Name: "twice"},
		{ID: "0190cccc-3333", Name: "twice"},
		{ID: "beef", Name: "0190aaaa-1111"},
	}
	for selector, want := range map[string]string{
		"0190aaaa-1111": "0190aaaa-1111", "0190AAAA1111": "0190aaaa-1111", "plan": "0190aaaa-1111",
		"0190b": "0190bbbb-2222", "3333": "0190cccc-3333", "beef": "beef",
	} {
		if got, err := pick(infos, selector); err != nil || string(got.ID) != want {
			t.Errorf("%s: got %s, %v", selector, got.ID, err)
		}
	}
	for selector, want := range map[string]struct {
		is   error
		says string
	}{
		"twice": {ErrAmbiguous, "0190bbbb-2222"}, "0190": {ErrAmbiguous, "0190cccc-3333"},
		"plax": {ErrNotFound, "plan"}, "zzzzzz": {ErrNotFound, "ls"}, "": {ErrNotFound, "ls"},
	} {
		if _, err := pick(infos, selector); !errors.Is(err, want.is) || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%q: got %v", selector, err)
		}
	}
}
