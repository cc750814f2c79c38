package sessionio

import (
	"bytes"
	"path/filepath"
	"reflect"
	"testing"
)

// Info goes on where it ended; what it says is what a scan of the whole file says.
func TestInfoGoesOnWhereItEnded(t *testing.T) {
	t.Parallel()
	s, err := Create(filepath.Join(t.TempDir(), "s.jsonl"), Header{Version: 3, ID: "s1", CWD: "/p"}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, e := range []Entry{
		{Type: TypeModelChange, Provider: "p", ModelID: "m"},
		user("one"),
		{Type: TypeMessage, Message: &Message{Role: RoleAssistant, Provider: "p", Model: "n", Usage: &Usage{TotalTokens: 7}, Timestamp: 9}},
		{Type: TypeSessionInfo, Name: "name"},
		user("two"),
	} {
		if _, err := s.Append(e); err != nil {
			t.Fatal(err)
		}
		got := s.Info()
		if !s.OnDisk() {
			continue
		}
		b := read(t, s.Path())
		var f Fold
		want, err := f.ScanFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		want.Path, want.Source = got.Path, got.Source
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("after %s:\n%+v\nwant\n%+v", e.Type, got, want)
		}
	}
	if got := s.Info(); got.UserMessages != 2 || got.Tokens != 7 || got.Name != "name" || got.Model != "p/n" {
		t.Errorf("got %+v", got)
	}
}
