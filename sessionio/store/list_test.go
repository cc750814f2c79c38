package store

import (
	"context"
	"dugout/sessionio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Whatever lies in the folder under a session's name, the good ones are listed and nothing waits.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	dir := s.Dirs()[0]
	good := put(t, s, "good", question(1))
	put(t, s, "-dash", question(1))
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		os.WriteFile(at("empty.jsonl"), nil, 0o600),
		os.WriteFile(at("newline.jsonl"), []byte("\n"), 0o600),
		os.WriteFile(at("zeros.jsonl"), make([]byte, 100), 0o600),
		os.WriteFile(at("good.jsonl.v1.bak"), []byte(header("bak")), 0o600),
		os.WriteFile(at(".good.jsonl.tmp"), []byte(header("tmp")), 0o600),
		os.Mkdir(at("folder.jsonl"), 0o700),
		syscall.Mkfifo(at("fifo.jsonl"), 0o600),
		os.Symlink(at("nowhere"), at("dangling.jsonl")),
		os.Symlink(at("loop.jsonl"), at("loop.jsonl")),
		os.Symlink("/dev/zero", at("device.jsonl")),
		os.Symlink(good, at("alias.jsonl")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	infos, problems := list(t, s)
	if len(infos) != 2 {
		t.Errorf("%d sessions: %+v", len(infos), infos)
	}
	if len(problems) != 8 {
		t.Errorf("%d problems: %v", len(problems), problems)
	}
	for _, p := range problems {
		if p.Err == nil || p.Path == "" {
			t.Errorf("no reason: %+v", p)
		}
	}
}

// A file that nobody may read is told, and listed as soon as it may be read: its mode is no change
// that its time or size would show.
func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	s := newStore(t, Options{})
	path := put(t, s, "a", question(1))
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if infos, problems := list(t, s); len(infos) != 0 || len(problems) != 1 {
		t.Errorf("mode 000: %v, %v", infos, problems)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if infos, _ := list(t, s); len(infos) != 1 {
		t.Error("readable again, and not listed")
	}
}

func TestWhatAFileSays(t *testing.T) {
	t.Parallel()
	state := func(v string) string {
		return `{"type":"session_state","id":"0000000f","parentId":null,"timestamp":"2026-11-02T12:00:02.000Z","state":` + v + `}`
	}
	filler := `{"type":"custom","id":"0000000e","parentId":null,"timestamp":"2026-11-02T12:00:00.500Z","customType":"ext","data":"` + strings.Repeat("x", 170<<10) + `"}`
	answer := `{"type":"message","id":"0000000d","parentId":null,"timestamp":"2026-11-02T12:00:03.000Z","message":{"role":"assistant","content":[],"timestamp":1762084803000}}`
	for name, c := range map[string]struct {
		lines []string
		is    func(sessionio.Info) bool
	}{
		"a late question":      {[]string{filler, question(1)}, func(i sessionio.Info) bool { return i.FirstMessage == "question 1" }},
		"no question":          {[]string{answer}, func(i sessionio.Info) bool { return i.UserMessages == 0 && i.MessageCount == 1 }},
		"header only":          {nil, func(i sessionio.Info) bool { return i.MessageCount == 0 && i.Modified.Equal(i.Created) }},
		"archived":             {[]string{question(1), state(`{"status":"archived"}`)}, func(i sessionio.Info) bool { return i.State == sessionio.LifecycleArchived }},
		"sleep of old":         {[]string{state(`{"status":"sleep"}`)}, func(i sessionio.Info) bool { return i.State == sessionio.LifecycleArchived }},
		"a state of odd shape": {[]string{state(`{"status":"crash"}`), state(`"archived"`)}, func(i sessionio.Info) bool { return i.State == sessionio.LifecycleCrash }},
		"newest activity":      {[]string{answer, question(1)}, func(i sessionio.Info) bool { return i.Modified.UnixMilli() == 1762084803000 }},
		"a broken line":        {[]string{"{broken", question(1)}, func(i sessionio.Info) bool { return i.UnreadableLines == 1 && i.MessageCount == 1 }},
	} {
		s := newStore(t, Options{})
		put(t, s, "a", c.lines...)
		if infos, problems := list(t, s); len(infos) != 1 || len(problems) != 0 || !c.is(infos[0]) {
			t.Errorf("%s: %+v, %v", name, infos, problems)
		}
	}
}

// The last line counts without its newline when it is whole; when more comes it counts once.
func TestLastLineWithoutNewline(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	path := put(t, s, "a", question(1))
	write := func(text string, messages, bad int) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = f.WriteString(text); err == nil {
			err = f.Close()
		}
		info, ok, _ := s.Refresh(path)
		if err != nil || !ok || info.MessageCount != messages || info.UnreadableLines != bad {
			t.Errorf("after %.20q: %d messages, %d bad, %v", text, info.MessageCount, info.UnreadableLines, err)
		}
	}
	two := question(2)
	write(two[:30], 1, 0)
	write(two[30:], 2, 0)
	write("\n", 2, 0)
	write(question(3), 3, 0)
	write("\n"+question(4)+"\n{torn", 4, 0)
	write("\n", 4, 1)
}

func TestPiKeepsAFolderForEachProject(t *testing.T) {
	t.Parallel()
	pi := filepath.Join(t.TempDir(), "agent", "sessions")
	mustWrite(t, filepath.Join(pi, "--srv-demo--", "2026-01-02T03-04-05-678Z_one.jsonl"), header("one")+"\n"+question(1)+"\n")
	mustWrite(t, filepath.Join(pi, "two.jsonl"), header("two")+"\n")
	mustWrite(t, filepath.Join(pi, "other", "three.jsonl"), header("three")+"\n")
	s := newStore(t, Options{Also: []Folder{{Dir: pi, Source: "pi", ReadOnly: true}}})
	infos, problems := list(t, s)
	if len(infos) != 2 || len(problems) != 0 {
		t.Fatalf("got %+v, %v", infos, problems)
	}
	for _, i := range infos {
		if i.Source != "pi" || !i.ReadOnly || i.Store != canonical(pi) {
			t.Errorf("got %+v", i)
		}
		if _, err := s.OpenSession(i.Path, false, "x"); !errors.Is(err, sessionio.ErrReadOnly) {
			t.Errorf("%s for writing: %v", i.Path, err)
		}
		if want := filepath.Join(canonical(pi), "..", "session-artifacts", string(i.ID)); s.ArtifactDir(i.Path) != filepath.Clean(want) {
			t.Errorf("artifacts in %s", s.ArtifactDir(i.Path))
		}
	}
	if dirs := s.Dirs(); len(dirs) != 3 || filepath.Base(dirs[2]) != "--srv-demo--" {
		t.Errorf("to watch: %v", dirs)
	}
}

func TestWalkTellsAsItGoes(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	for i := range 20 {
		put(t, s, fmt.Sprintf("%02d", i), question(i))
	}
	mustWrite(t, s.NewPath("bad"), "no\n")
	var ids []string
	steps := 0
	err := s.Walk(t.Context(), func(st Step) {
		if steps++; st.Done != steps || st.Total != 21 {
			t.Errorf("step %d of %d, want %d", st.Done, st.Total, steps)
		}
		if st.Problem == nil {
			ids = append(ids, string(st.Info.ID))
		}
	})
	slices.Sort(ids)
	if err != nil || len(slices.Compact(ids)) != 20 {
		t.Errorf("got %v, %v", ids, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	steps = 0
	err = s.Walk(ctx, func(Step) { steps++; cancel() })
	if !errors.Is(err, context.Canceled) || steps > 3 {
		t.Errorf("%d steps after the end, %v", steps, err)
	}
}

// Whatever happened to the files, a store that followed along knows what a new one reads.
func TestFollowingEqualsReading(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	s := newStore(t, Options{})
	ids := []string{"a", "b", "c"}
	for step := range 400 {
		path := s.NewPath(sessionio.ID(ids[r.IntN(len(ids))]))
		old, _ := os.ReadFile(path)
		lines := strings.Repeat(question(step)+"\n", 1+r.IntN(3))
		var err error
		switch r.IntN(8) {
		case 0:
			err = os.RemoveAll(path)
		case 1:
			err = os.Truncate(path, int64(r.IntN(len(old)+1)))
		case 2: // another file in its place
			err = errors.Join(os.WriteFile(path+".new", []byte(header("x")+"\n"+lines), 0o600), os.Rename(path+".new", path))
		case 3: // in place, with the same beginning
			err = os.WriteFile(path, []byte(header("a")+"\n"+lines), 0o600)
		case 4: // torn
			err = os.WriteFile(path, append(old, lines[:r.IntN(len(lines))]...), 0o600)
		default:
			err = os.WriteFile(path, append(old, lines...), 0o600)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if r.IntN(2) == 0 {
			_, _, _ = s.Refresh(path)
		}
		if step%10 > 0 {
			continue
		}
		got, gotBad := list(t, s)
		fresh := newStore(t, Options{Home: t.TempDir(), Dir: s.Dirs()[0]})
		want, wantBad := list(t, fresh)
		if !reflect.DeepEqual(got, want) || fmt.Sprint(gotBad) != fmt.Sprint(wantBad) {
			t.Fatalf("step %d: got\n%+v %v\nwant\n%+v %v", step, got, gotBad, want, wantBad)
		}
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	s := newStore(t, Options{})
	call := `{"type":"message","id":"0000000c","parentId":null,"timestamp":"2026-11-02T12:00:03.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"ls","arguments":{}}],"timestamp":1}}`
	result := `{"type":"message","id":"0000000b","parentId":null,"timestamp":"2026-11-02T12:00:03.000Z","message":{"role":"toolResult","toolCallId":"t","content":[],"timestamp":1}}`
	path := put(t, s, "a", question(0), call)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for _, do := range []func(){
		func() { _, _, _ = s.List(t.Context(), nil) },
		func() { _, _, _ = s.Refresh(path) },
		func() { s.Known() },
		func() { _ = s.SaveIndex() },
		func() { s.ArtifactDir(path) },
	} {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					do()
				}
			}
		})
	}
	for i := range 60 {
		extend(t, path, question(i))
		extend(t, path, call)
		list(t, s)
		extend(t, path, result) // changes what the index holds of the call
	}
	close(stop)
	wg.Wait()
	if info, ok, _ := s.Refresh(path); !ok || info.MessageCount != 182 {
		t.Errorf("got %d messages", info.MessageCount)
	}
}

func BenchmarkKnown(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			home := b.TempDir()
			s := newStore(b, Options{Home: home})
			for i := range n {
				put(b, s, fmt.Sprintf("%06d", i), question(i))
			}
			list(b, s)
			for b.Loop() {
				if got := newStore(b, Options{Home: home, Path: "/nowhere"}).Known(); len(got) != n {
					b.Fatal(len(got))
				}
			}
		})
	}
}

func BenchmarkListWarm(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newStore(b, Options{})
			for i := range n {
				put(b, s, fmt.Sprintf("%06d", i), question(i))
			}
			list(b, s)
			for b.Loop() {
				list(b, s)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/file")
		})
	}
}

// A grown file costs what was appended, whatever its size.
func BenchmarkRefreshGrown(b *testing.B) {
	for _, n := range []int{10, 1000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newStore(b, Options{})
			var lines []string
			for i := range n {
				lines = append(lines, question(i))
			}
			path := put(b, s, "a", lines...)
			list(b, s)
			for i := 0; b.Loop(); i++ {
				extend(b, path, question(n+i))
				if _, ok, err := s.Refresh(path); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}
