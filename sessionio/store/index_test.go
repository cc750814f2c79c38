package store

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestIndexFollowsFiles(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s := newStore(t, Options{Home: home})
	path := put(t, s, "a", question(1))
	infos, _ := list(t, s)
	if len(infos) != 1 || infos[0].MessageCount != 1 || infos[0].FirstMessage != "question 1" || infos[0].Path != path {
		t.Fatalf("got %+v", infos)
	}
	s = newStore(t, Options{Home: home}) // the index comes from the disk
	if got := s.Known(); len(got) != 1 || got[0].FirstMessage != "question 1" {
		t.Errorf("known: %+v", got)
	}
	extend(t, path, question(2))
	before := s.index().files[path].Fold.Scanned
	info, ok, err := s.Refresh(path)
	if err != nil || !ok || info.MessageCount != 2 {
		t.Fatalf("grown: %+v, %v, %v", info, ok, err)
	}
	if s.index().files[path].Fold.Scanned <= before {
		t.Error("the scan did not go on where it had ended")
	}
	// Written anew in place, and longer: nothing of the old one is left.
	put(t, s, "a", question(7), question(8), question(9))
	info, _, _ = s.Refresh(path)
	if info.MessageCount != 3 || info.FirstMessage != "question 7" {
		t.Errorf("rewritten: %+v", info)
	}
	put(t, s, "a", question(5))
	if info, _, _ = s.Refresh(path); info.FirstMessage != "question 5" {
		t.Errorf("cut: %+v", info)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ = s.Refresh(path); ok {
		t.Error("a deleted file is a session")
	}
}

func TestIndexMayBeLost(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func([]byte) []byte{
		"empty": func([]byte) []byte { return nil }, "cut": func(b []byte) []byte { return b[:len(b)/2] },
		"flipped": func(b []byte) []byte { b[len(b)-3] ^= 1; return b }, "other": func([]byte) []byte { return []byte("something else entirely") },
	} {
		home := t.TempDir()
		s := newStore(t, Options{Home: home})
		put(t, s, "a", question(1))
		list(t, s)
		b, err := os.ReadFile(s.indexPath())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.indexPath(), spoil(bytes.Clone(b)), 0o600); err != nil {
			t.Fatal(err)
		}
		if infos, _ := list(t, newStore(t, Options{Home: home})); len(infos) != 1 {
			t.Errorf("%s: %d sessions", name, len(infos))
		}
	}
}

// What is not changed is not written: a second process may have it open, a disk may be full.
func TestIndexIsWrittenWhenItIsWorthIt(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	path := put(t, s, "a", question(1))
	writes := func(what string, want bool, do func()) {
		t.Helper()
		if err := os.Chtimes(s.indexPath(), time.Time{}, time.Unix(1, 0)); err != nil && what != "the first" {
			t.Fatal(err)
		}
		do()
		st, err := os.Stat(s.indexPath())
		if err != nil || st.ModTime().Equal(time.Unix(1, 0)) == want {
			t.Errorf("%s: written %v, want %v (%v)", what, !want, want, err)
		}
	}
	relist := func() { list(t, s) }
	writes("the first", true, relist)
	writes("nothing changed", false, relist)
	writes("nothing to save", false, func() { _ = s.SaveIndex() })
	extend(t, path, question(2))
	writes("a little grown", false, relist)
	writes("asked for", true, func() { _ = s.SaveIndex() })
	extend(t, path, strings.Replace(question(3), "question", strings.Repeat("long ", worthSaving/5), 1))
	writes("much grown", true, relist)
	put(t, s, "b", question(1))
	writes("a new file", true, relist)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	writes("a deleted file", true, relist)
}

func TestIndexKeepsOtherStoresApart(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), filepath.Join(t.TempDir(), "project")
	one := newStore(t, Options{Home: home})
	put(t, one, "a", question(1))
	list(t, one)
	other := newStore(t, Options{Home: home, Dir: project})
	put(t, other, "b", question(1))
	list(t, other)
	if got := other.Known(); len(got) != 1 || got[0].ID != "b" || got[0].Store != canonical(project) {
		t.Errorf("the project's store knows %+v", got)
	}
	again := newStore(t, Options{Home: home})
	if got := again.Known(); len(got) != 1 || got[0].ID != "a" {
		t.Errorf("the home's store knows %+v", got)
	}
	if err := os.RemoveAll(project); err != nil {
		t.Fatal(err)
	}
	list(t, again)
	if n := len(again.index().files); n != 1 {
		t.Errorf("%d files in the index; those of a store that is gone should go", n)
	}
	outside := filepath.Join(t.TempDir(), "x.jsonl")
	mustWrite(t, outside, header("x")+"\n")
	if _, err := again.Resolve(t.Context(), outside); err != nil {
		t.Fatal(err)
	}
	if _, kept := again.known(outside); kept {
		t.Error("a file that no store lists stays in the index")
	}
}

// The read-only word comes from the folders of today, not from the index.
func TestIndexKnowsNoSettings(t *testing.T) {
	t.Parallel()
	home, theirs := t.TempDir(), t.TempDir()
	mustWrite(t, filepath.Join(theirs, "x.jsonl"), header("x")+"\n")
	list(t, newStore(t, Options{Home: home, Also: []Folder{{Dir: theirs}}}))
	s := newStore(t, Options{Home: home, Also: []Folder{{Dir: theirs, Source: "prime", ReadOnly: true}}})
	for name, infos := range map[string]any{"known": s.Known(), "listed": first(list(t, s))} {
		got := reflect.ValueOf(infos).Index(0)
		if got.FieldByName("Source").String() != "prime" || !got.FieldByName("ReadOnly").Bool() {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func first[A, B any](a A, _ B) A { return a }
