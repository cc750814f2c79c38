package store

import (
	"dugout/sessionio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
		if got, err := Pick(infos, selector); err != nil || string(got.ID) != want {
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
		if _, err := Pick(infos, selector); !errors.Is(err, want.is) || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%q: got %v", selector, err)
		}
	}
}

func name(n int, text string) string {
	return fmt.Sprintf(`{"type":"session_info","id":"%08x","parentId":null,"timestamp":"2026-11-02T12:00:02.000Z","name":%q}`, 0xf00+n, text)
}

func TestResolveInAStore(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	put(t, s, "0190aaaa-0000-7000-8000-00000000000a", question(1), name(1, "old name"), name(2, "  fix a/b  "))
	put(t, s, "0190aaaa-0000-7000-8000-00000000000b", question(1), name(1, "twin"))
	put(t, s, "0190aaaa-0000-7000-8000-00000000000c", question(1), name(1, "twin"))
	put(t, s, "0190aaaa-0000-7000-8000-00000000000d", name(1, "gone"), name(2, " "))
	// This one is named as the first one's id: an id beats a name.
	put(t, s, "0190aaaa-0000-7000-8000-00000000000e", name(1, "0190aaaa-0000-7000-8000-00000000000a"))
	outside := filepath.Join(t.TempDir(), "anything.txt.jsonl")
	mustWrite(t, outside, header("elsewhere")+"\n"+question(1)+"\n")
	for selector, want := range map[string]string{
		"0190aaaa-0000-7000-8000-00000000000a": "a", "fix a/b": "a", " fix a/b ": "a", "0190AAAA00007000800000000000000B": "b",
		"0000d": "d", s.NewPath("0190aaaa-0000-7000-8000-00000000000c"): "c", outside: "elsewhere",
	} {
		if got, err := s.Resolve(t.Context(), selector); err != nil || !strings.HasSuffix(string(got.ID), want) {
			t.Errorf("%s: got %s, %v", selector, got.ID, err)
		}
	}
	for selector, want := range map[string]struct {
		is   error
		says []string
	}{
		"twin":     {ErrAmbiguous, []string{"00000000000b", "00000000000c"}},
		"old name": {ErrNotFound, nil}, "gone": {ErrNotFound, nil}, "twinn": {ErrNotFound, []string{"twin"}},
		"0190aaaa-0000-7000-8000-0000000000ff": {ErrNotFound, []string{"near", "0190aaaa"}},
		"/no/such/file.jsonl":                  {ErrNotFound, []string{"does not exist"}},
		"no/such name":                         {ErrNotFound, []string{"does not exist"}},
	} {
		_, err := s.Resolve(t.Context(), selector)
		if !errors.Is(err, want.is) {
			t.Errorf("%q: got %v", selector, err)
			continue
		}
		for _, part := range want.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%q: %v does not say %q", selector, err, part)
			}
		}
	}
}

func TestResolveTellsCopiesApart(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	path := put(t, s, "same", question(1))
	other := strings.Replace(path, "same", "same-1", 1)
	mustWrite(t, other, header("same")+"\n")
	_, err := s.Resolve(t.Context(), "same")
	if !errors.Is(err, ErrAmbiguous) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), other) {
		t.Errorf("got %v", err)
	}
}

// What is no session is told with file and line, and stays byte for byte.
func TestResolveOfWhatIsNoSession(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	for text, line := range map[string]string{
		`{"type":"session","ver`: ":1", question(1) + "\n": ":1", "\n\nplain text\n" + question(1) + "\n": ":3", "\x00\xff\x7fELF": ":1",
	} {
		path := filepath.Join(s.Dirs()[0], "odd.jsonl")
		mustWrite(t, path, text)
		info, err := s.Resolve(t.Context(), path)
		if !errors.Is(err, sessionio.ErrNotSession) || !strings.Contains(err.Error(), "odd.jsonl"+line) || info.Path != path {
			t.Errorf("%.20q: %+v, %v", text, info, err)
		}
		if _, err := s.OpenSession(path, false, "x"); !errors.Is(err, sessionio.ErrNotSession) {
			t.Errorf("%.20q: opened: %v", text, err)
		}
		if got, _ := os.ReadFile(path); string(got) != text {
			t.Errorf("%.20q became %.20q", text, got)
		}
	}
}
