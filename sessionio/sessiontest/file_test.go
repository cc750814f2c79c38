package sessiontest

import (
	"dugout/sessionio"
	"testing"
	"time"
)

func TestFile(t *testing.T) {
	t.Parallel()
	f := New("s1", "/p")
	first := f.User("one")
	f.Calls(Call("c1", "bash", `{"command":"ls"}`))
	f.Result("c1", "bash", "a.go")
	f.Assistant("two")
	f.Leaf = first
	last := f.Failed(sessionio.StopAborted, "aborted")
	f.Line("not json")
	f.Tail(`{"torn`)
	s, err := sessionio.Open(f.Write(t, t.TempDir()+"/new"), sessionio.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Leaf() != last || s.Tree().Len() != 5 || s.Unreadable() != 1 || s.Header().CWD != "/p" {
		t.Errorf("leaf %s, %d entries, %d unreadable, in %s", s.Leaf(), s.Tree().Len(), s.Unreadable(), s.Header().CWD)
	}
	if got := s.Info().Modified; !got.Equal(Start.Add(5 * time.Second)) {
		t.Errorf("last activity %s", got)
	}
}
