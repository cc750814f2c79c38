package sessionio_test

import (
	"bytes"
	"dugout/sessionio"
	"dugout/sessionio/sessiontest"
	"fmt"
	"strings"
	"testing"
	"time"
)

func openFile(t testing.TB, f *sessiontest.File) *sessionio.Session {
	t.Helper()
	s, err := sessionio.Open(f.Write(t, t.TempDir()), sessionio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// spoken is a session's context: roles and texts.
func spoken(t testing.TB, s *sessionio.Session) string {
	t.Helper()
	c, err := s.Context()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range c.Messages {
		var text string
		for _, b := range m.Content {
			text += b.Text
		}
		out = append(out, string(m.Role)+":"+text+m.Summary)
	}
	return strings.Join(out, "|")
}

// Files as other programs, older ones and accidents leave them.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		build   func(f *sessiontest.File)
		context string
		check   func(i sessionio.Info) string // what is wrong, "" when nothing
	}{
		"types, roles, blocks and fields of a later program": {
			func(f *sessiontest.File) {
				f.User("q")
				f.Line(`{"type":"teleport","id":"t1","parentId":"a0000001","timestamp":"2026-11-02T12:00:02.000Z","to":[null]}`)
				f.Line(`{"type":"message","id":"t2","parentId":"t1","message":{"role":"oracle","content":[{"type":"smell","of":"x"},{"type":"text","text":"said"}]}}`)
				f.Line(`{"type":"statistics","size":1}`) // without an id: no leaf
			}, "user:q|oracle:said", func(i sessionio.Info) string {
				if i.MessageCount != 2 || i.UnreadableLines != 0 {
					return "counts"
				}
				return ""
			},
		},
		"bytes that are no UTF-8": {
			func(f *sessiontest.File) {
				f.Line(`{"type":"message","id":"u","parentId":null,"message":{"role":"user","content":"a` + "\xff" + `b\ud800c\u0000"}}`)
			}, "user:a\ufffdb\ufffdc\x00", func(i sessionio.Info) string { return differs(i.FirstMessage, "a\ufffdb\ufffdc\x00") },
		},
		"line separators of Unicode": {
			func(f *sessiontest.File) {
				f.Line(`{"type":"message","id":"u","parentId":null,"message":{"role":"user","content":"a` + "\u2028b\u2029c\u0085d" + `"}}`)
			}, "user:a\u2028b\u2029c\u0085d", func(i sessionio.Info) string { return differs(i.MessageCount, 1) },
		},
		"a second header": {
			func(f *sessiontest.File) {
				f.User("q")
				f.Line(`{"type":"session","version":3,"id":"other","cwd":"/other"}`)
				f.Assistant("a")
			}, "user:q|assistant:a", func(i sessionio.Info) string { return differs(string(i.ID)+i.CWD, "s/p") },
		},
		"a ring": {
			func(f *sessiontest.File) {
				f.Leaf = "a0000003"
				f.User("one")
				f.Assistant("two")
				f.User("three")
			}, "user:one|assistant:two|user:three", nil,
		},
		"two writers": {
			func(f *sessiontest.File) {
				q := f.User("q")
				f.Assistant("theirs")
				f.Leaf = "never-written"
				f.Assistant("lost its parent")
				f.Leaf = q
				f.Assistant("ours")
			}, "user:q|assistant:ours", nil,
		},
		"wrong shapes": {
			func(f *sessiontest.File) {
				f.Add(sessionio.Entry{Type: sessionio.TypeSessionInfo, Name: " first name "})
				f.Line(`{"type":"message","id":"w1","parentId":7,"timestamp":[],"message":{"role":"user","content":[null,7,{"type":"text"},{"type":"text","text":null},{"type":"text","text":"kept"}],"timestamp":"x"}}`)
				f.Line(`{"type":"message","id":"w2","parentId":"w1","message":null}`)
				f.Line(`{"type":"message","id":"w3","parentId":"w2","message":{"role":"assistant","content":[{"type":"toolCall","id":5,"name":null,"arguments":"{}"}],"usage":7,"stopReason":{}}}`)
				f.Line(`{"type":"session_info","id":"w4","parentId":"w3","name":12}`)
				f.Line(`{"type":"session_state","id":"w5","parentId":"w4","state":"archived"}`)
				f.Line(`{"type":"compaction","id":"w6","parentId":"a0000001"}`)
				f.Line(`{"type":"label","id":"w7","parentId":"w5"}`)
				for _, bad := range []string{"null", "[]", `"text"`, "42", strings.Repeat("[", 20000)} {
					f.Line(bad)
				}
			}, "user:kept|assistant:", func(i sessionio.Info) string {
				return differs(fmt.Sprintf("%s/%d/%d/%s", i.Name, i.UnreadableLines, i.MessageCount, i.State), "first name/5/3/")
			},
		},
		"a late first question": {
			func(f *sessiontest.File) {
				for range 50 {
					f.Add(sessionio.Entry{Type: sessionio.TypeCustom, CustomType: "x", Data: []byte(`"` + strings.Repeat("z", 5000) + `"`)})
				}
				f.Assistant("unasked")
				f.User("late")
			}, "assistant:unasked|user:late", func(i sessionio.Info) string { return differs(i.Title(), "late") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := sessiontest.New("s", "/p")
			c.build(f)
			s := openFile(t, f)
			if got := spoken(t, s); got != c.context {
				t.Errorf("context %q, want %q", got, c.context)
			}
			var fold sessionio.Fold
			info, err := fold.ScanFile(bytes.NewReader(f.Bytes()), int64(len(f.Bytes())))
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range []sessionio.Info{info, s.Info()} {
				if c.check == nil {
					continue
				}
				if wrong := c.check(i); wrong != "" {
					t.Errorf("%s: %+v", wrong, i)
				}
			}
		})
	}
}

func differs[T comparable](got, want T) string {
	if got != want {
		return fmt.Sprintf("got %v, want %v", got, want)
	}
	return ""
}

// What a listing says of a session's last turn and state.
func TestTurnsAndStates(t *testing.T) {
	t.Parallel()
	call := sessiontest.Call("c1", "bash", `{"command":"ls"}`)
	state := func(status string) sessionio.Entry {
		return sessionio.Entry{Type: sessionio.TypeSessionState, State: &sessionio.State{Status: status}}
	}
	for name, c := range map[string]struct {
		build       func(f *sessiontest.File)
		interrupted bool
		state       sessionio.Lifecycle
		errors      int
	}{
		"answered":             {func(f *sessiontest.File) { f.User("q"); f.Assistant("a") }, false, "", 0},
		"unanswered":           {func(f *sessiontest.File) { f.User("q") }, true, "", 0},
		"call without result":  {func(f *sessiontest.File) { f.User("q"); f.Calls(call) }, true, "", 0},
		"result and no answer": {func(f *sessiontest.File) { f.User("q"); f.Calls(call); f.Result("c1", "bash", "") }, true, "", 0},
		"aborted":              {func(f *sessiontest.File) { f.User("q"); f.Failed(sessionio.StopAborted, "x") }, false, "", 0},
		"failed, on the trail": {func(f *sessiontest.File) {
			f.User("q")
			f.Leaf = ""
			f.Add(sessionio.Entry{Type: sessionio.TypeCustom, CustomType: sessionio.CustomError, Data: []byte(`{"line":"no"}`)})
		}, false, "", 1},
		"compacted, then killed": {func(f *sessiontest.File) {
			f.User("q")
			f.Add(sessionio.Entry{Type: sessionio.TypeCompaction, Summary: "s"})
		}, true, "", 0},
		"archived":           {func(f *sessiontest.File) { f.Add(state("active")); f.Add(state("archived")) }, false, "archived", 0},
		"asleep of old":      {func(f *sessiontest.File) { f.Add(state("sleep")) }, false, "archived", 0},
		"hidden of old":      {func(f *sessiontest.File) { f.Add(state("hidden")) }, false, "archived", 0},
		"crashed":            {func(f *sessiontest.File) { f.Add(state("crash")) }, false, "crash", 0},
		"unknown is no news": {func(f *sessiontest.File) { f.Add(state("active")); f.Add(state("flying")) }, false, "active", 0},
		"a long trail": {func(f *sessiontest.File) {
			for range 230 {
				f.Add(sessionio.Entry{Type: sessionio.TypeCustom, CustomType: sessionio.CustomError, Data: []byte(`{"line":"no"}`)})
			}
		}, false, "", 200},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := sessiontest.New("s", "/p")
			c.build(f)
			i := openFile(t, f).Info()
			if i.Interrupted != c.interrupted || i.State != c.state || i.Errors != c.errors {
				t.Errorf("interrupted %v, state %q, %d errors", i.Interrupted, i.State, i.Errors)
			}
		})
	}
}

// The last name in the file counts, whatever its branch; blank clears; Modified is what was last said.
func TestNameAndActivity(t *testing.T) {
	t.Parallel()
	f := sessiontest.New("s", "/srv/place")
	name := func(n string) { f.Add(sessionio.Entry{Type: sessionio.TypeSessionInfo, Name: n}) }
	if i := openFile(t, f).Info(); i.Title() != "place" || !i.Modified.Equal(sessiontest.Start) {
		t.Errorf("empty: %q, %s", i.Title(), i.Modified)
	}
	q := f.User("  \n ")
	f.User("the question")
	name(" one ")
	f.Leaf = q
	name("two")
	if i := openFile(t, f).Info(); i.Title() != "two" || !i.Modified.Equal(sessiontest.Start.Add(2*time.Second)) {
		t.Errorf("named: %q, %s", i.Title(), i.Modified)
	}
	name("   ")
	if i := openFile(t, f).Info(); i.Name != "" {
		t.Errorf("cleared: %q", i.Name)
	}
}

// A child's usage replaces that of the answer it was booked on, for who reads the context.
func TestChildUsage(t *testing.T) {
	t.Parallel()
	f := sessiontest.New("s", "/p")
	f.User("q")
	a := f.Assistant("a")
	for _, total := range []int{40, 70} {
		f.Add(sessionio.Entry{
			Type: sessionio.TypeChildUsageAttributed, TargetID: a,
			ChildUsage: &sessionio.Usage{TotalTokens: total - 15}, AggregateUsage: &sessionio.Usage{TotalTokens: total},
		})
	}
	s := openFile(t, f)
	c, err := s.Context()
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Messages[1].Usage.TotalTokens; got != 70 {
		t.Errorf("%d tokens, want 70", got)
	}
	if e, err := s.Entry(a); err != nil || e.Message.Usage.TotalTokens != 15 {
		t.Errorf("the entry itself changed: %+v, %v", e.Message.Usage, err)
	}
}
