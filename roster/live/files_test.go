package live

import (
	"context"
	"dugout/roster"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A row shows as soon as its file is read, with the rest of the listing still to come.
func TestRowsComeBeforeTheListingEnds(t *testing.T) {
	t.Parallel()
	f := &Feed{in: make(chan change, 8)}
	w := &walk{steps: make(chan store.Step, 8)}
	l := follower{feed: f, seen: newSeen(nil), walk: w, first: true}
	l.seen.begin()
	w.steps <- store.Step{Done: 2, Total: 9, Info: info("/b", 1)}
	if !l.step(t.Context(), store.Step{Done: 1, Total: 9, Info: info("/a", 1)}, true) {
		t.Fatal("it is over")
	}
	c := <-f.in
	if len(c.delta.Saved) != 2 || c.scan == nil || *c.scan != (scan{2, 9}) {
		t.Errorf("told %+v", c)
	}
	close(w.steps)
	if _, more := <-w.steps; more || !l.step(t.Context(), store.Step{}, more) {
		t.Fatal("it is over")
	}
	if c := <-f.in; c.scan == nil || c.scan.total != 0 || l.walk != nil {
		t.Errorf("at the end it told %+v", c)
	}
}

// A folder that is removed and made again is followed again, with no sweep to help.
func TestFolderMadeAgain(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	put(t, s, "a", 1)
	f := start(t, Options{Store: s, Sweep: time.Hour})
	until(t, f, "the first listing", func(u Update) bool { return messages(u, "a") == 1 && u.ToScan == 0 })
	dir := s.Dirs()[0]
	for round := range 3 {
		if round%2 == 0 {
			if err := os.Rename(dir, dir+fmt.Sprint(".away", round)); err != nil {
				t.Fatal(err)
			}
		} else if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		until(t, f, "all are gone", func(u Update) bool { return u.Snapshot.Len() == 0 })
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, s, "a", round+2)
		until(t, f, "it is there again", func(u Update) bool { return messages(u, "a") == round+2 })
		put(t, s, "a", round+3)
		until(t, f, "and followed", func(u Update) bool { return messages(u, "a") == round+3 })
	}
}

// A project that is new to pi has a folder of its own.
func TestProjectFolderThatComes(t *testing.T) {
	t.Parallel()
	pi := filepath.Join(t.TempDir(), "agent", "sessions")
	if err := os.MkdirAll(pi, 0o700); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(store.Options{Home: t.TempDir(), Also: []store.Folder{{Dir: pi, Source: "pi", ReadOnly: true}}})
	if err != nil {
		t.Fatal(err)
	}
	from := put(t, s, "x", 1)
	f := start(t, Options{Store: s, Sweep: time.Hour})
	until(t, f, "the first listing", func(u Update) bool { return u.Snapshot.Len() == 1 && u.ToScan == 0 })
	dir := filepath.Join(pi, "--srv-demo--")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	b = []byte(strings.Replace(string(b), `"id":"x"`, `"id":"theirs"`, 1))
	if err := os.WriteFile(filepath.Join(dir, "one.jsonl"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, f, "their session", func(u Update) bool { return messages(u, "theirs") == 1 })
	// What lies beside the folders of sessions is none.
	for _, aside := range []string{filepath.Join(pi, "..", "history.jsonl"), filepath.Join(s.Dirs()[0], "..", "log.jsonl")} {
		if err := os.WriteFile(aside, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(t, s, "last", 1)
	if u := until(t, f, "the last", func(u Update) bool { return messages(u, "last") == 1 }); u.Snapshot.Len() != 3 {
		t.Errorf("%d records", u.Snapshot.Len())
	}
}

// What was read while it ran is there at once the next time.
func TestWhatWasReadIsKept(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s, err := store.Open(store.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, "a", 1)
	ctx, cancel := context.WithCancel(t.Context())
	f := Start(ctx, Options{Store: s, Sweep: time.Hour})
	until(t, f, "the first listing", func(u Update) bool { return messages(u, "a") == 1 && u.ToScan == 0 })
	put(t, s, "a", 4)
	until(t, f, "grown", func(u Update) bool { return messages(u, "a") == 4 })
	cancel()
	f.Wait()
	again, err := store.Open(store.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	if known := again.Known(); len(known) != 1 || known[0].MessageCount != 4 {
		t.Errorf("known: %+v", known)
	}
}

// From the write of an entry to the update that shows it, beside many other sessions.
func BenchmarkGrownToUpdate(b *testing.B) {
	for _, n := range []int{100, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s, err := store.Open(store.Options{Home: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			for i := range n {
				put(b, s, fmt.Sprintf("%06d", i), 1)
			}
			path := put(b, s, "grows", 1)
			ctx, cancel := context.WithCancel(context.Background())
			f := Start(ctx, Options{Store: s})
			defer f.Wait()
			defer cancel()
			for u := range f.Updates() {
				if u.ToScan == 0 && u.Snapshot.Len() == n+1 {
					break
				}
			}
			w, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			for i := 2; b.Loop(); i++ {
				line := fmt.Sprintf(`{"type":"message","id":"%08x","parentId":null,"message":{"role":"user","content":"q"}}`+"\n", i)
				if _, err := w.WriteString(line); err != nil {
					b.Fatal(err)
				}
				for u := range f.Updates() {
					if r, ok := u.Snapshot.Get(roster.SessionKey(sessionio.ID("grows"))); ok && r.MessageCount() == i {
						break
					}
				}
			}
		})
	}
}
