package sessionio

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// play is a session under random use, in one folder.
type play struct {
	rt   *rapid.T
	dir  string
	s    *Session
	n    int
	open []*Session
}

func (p *play) must(err error) {
	p.rt.Helper()
	if err != nil {
		p.rt.Fatal(err)
	}
}

// somewhere draws an entry, or none.
func (p *play) somewhere() EntryID {
	all := p.s.Tree().All()
	if n := rapid.IntRange(0, len(all)).Draw(p.rt, "where"); n < len(all) {
		return all[n].ID
	}
	return ""
}

func (p *play) entry() Entry {
	p.n++
	switch rapid.IntRange(0, 6).Draw(p.rt, "kind") {
	case 0:
		return Entry{Type: TypeMessage, Message: &Message{Role: RoleAssistant, Content: []Block{{Type: BlockText, Text: fmt.Sprint("a", p.n)}}, StopReason: StopEnd, Timestamp: int64(p.n)}}
	case 1:
		return Entry{Type: TypeSessionInfo, Name: rapid.StringN(0, 8, -1).Draw(p.rt, "name")}
	case 2:
		return Entry{Type: TypeCompaction, Summary: fmt.Sprint("sum", p.n), FirstKeptEntryID: p.somewhere()}
	case 3:
		return Entry{Type: TypeLabel, TargetID: p.somewhere(), Label: rapid.SampledFrom([]string{"", "x", "y"}).Draw(p.rt, "label")}
	case 4:
		return Entry{Type: TypeThinkingLevelChange, ThinkingLevel: "high"}
	default:
		return user(fmt.Sprint("q", p.n))
	}
}

func (p *play) append(*rapid.T) {
	_, err := p.s.Append(p.entry())
	p.must(err)
}

func (p *play) branch(*rapid.T) {
	_, err := p.s.AppendUnder(p.somewhere(), p.entry())
	p.must(err)
}

func (p *play) move(*rapid.T) { p.must(p.s.MoveLeaf(p.somewhere())) }

// stranger is another program that appends: an entry, garbage, or half a line.
func (p *play) stranger(*rapid.T) {
	if !p.s.OnDisk() {
		return
	}
	p.n++
	text := rapid.SampledFrom([]string{
		fmt.Sprintf(`{"type":"message","id":"f%d","parentId":null,"message":{"role":"user","content":"f%d"}}`+"\n", p.n, p.n),
		fmt.Sprintf(`{"type":"note","id":"f%d","parentId":"nobody"}`, p.n), "garbage\n", `{"type":"mess`, "\n", " ", "\x00\x00\n",
	}).Draw(p.rt, "text")
	f, err := os.OpenFile(p.s.Path(), os.O_APPEND|os.O_WRONLY, 0)
	p.must(err)
	_, err = f.WriteString(text)
	p.must(err)
	p.must(f.Close())
}

// fork goes on in a fork of the session.
func (p *play) fork(*rapid.T) {
	at := p.somewhere()
	want := p.pathOf(p.s, at)
	p.n++
	f, err := p.s.Fork(at, filepath.Join(p.dir, fmt.Sprint(p.n, ".jsonl")), ID(fmt.Sprint(p.n)), Options{})
	p.must(err)
	p.open = append(p.open, f)
	last := at
	if path := f.Tree().Path(f.Leaf()); len(path) > 0 {
		last = f.Leaf()
	}
	if got := p.pathOf(f, last); !reflect.DeepEqual(got, want) {
		p.rt.Fatalf("the fork's path is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(f.Tree().Roots()); n > 1 {
		p.rt.Fatalf("the fork has %d roots", n)
	}
	p.s = f
}

// pathOf is what stands on a path but labels: ids, times and bodies.
func (p *play) pathOf(s *Session, leaf EntryID) []string {
	var out []string
	for _, m := range s.Tree().Path(leaf) {
		e, err := s.Entry(m.ID)
		p.must(err)
		if e.Type != TypeLabel {
			out = append(out, fmt.Sprint(e.ID, " ", e.Timestamp.UnixMilli(), " ", m.Preview, " ", e.FirstKeptEntryID))
		}
	}
	return out
}

// check loads the file and finds what is in memory, once the session has seen all that is there.
func (p *play) check(rt *rapid.T) {
	if !p.s.OnDisk() {
		return
	}
	if _, err := p.s.Append(user("seen")); err != nil {
		rt.Fatal(err)
	}
	r, err := Open(p.s.Path(), Options{ReadOnly: true})
	p.must(err)
	defer r.Close()
	a, b := p.s.Tree(), r.Tree()
	if p.s.Leaf() != r.Leaf() || p.s.Unreadable() != r.Unreadable() || !reflect.DeepEqual(a.All(), b.All()) {
		rt.Fatalf("leaf %s, %d unreadable,\n%+v\nloaded: leaf %s, %d unreadable,\n%+v", p.s.Leaf(), p.s.Unreadable(), a.All(), r.Leaf(), r.Unreadable(), b.All())
	}
	for _, m := range a.All() {
		if !reflect.DeepEqual(a.Children(m.ID), b.Children(m.ID)) {
			rt.Fatalf("children of %s: %v, loaded %v", m.ID, a.Children(m.ID), b.Children(m.ID))
		}
	}
	if x, y := p.s.Info(), r.Info(); !reflect.DeepEqual(x, y) {
		rt.Fatalf("info\n%+v\nloaded\n%+v", x, y)
	}
	x, err := p.s.Context()
	p.must(err)
	y, err := r.Context()
	p.must(err)
	if fmt.Sprint(x.EntryIDs) != fmt.Sprint(y.EntryIDs) || len(x.Messages) != len(y.Messages) {
		rt.Fatalf("context %v, loaded %v", x.EntryIDs, y.EntryIDs)
	}
	if fmt.Sprint(p.s.Labels()) != fmt.Sprint(r.Labels()) {
		rt.Fatalf("labels %v, loaded %v", p.s.Labels(), r.Labels())
	}
	fd, err := os.Open(p.s.Path())
	p.must(err)
	defer fd.Close()
	var fold Fold
	listed, err := fold.ScanFile(fd, r.Info().Size)
	p.must(err)
	listed.Path, listed.Source = r.Info().Path, r.Info().Source
	if !reflect.DeepEqual(listed, r.Info()) {
		rt.Fatalf("listed\n%+v\nloaded\n%+v", listed, r.Info())
	}
}

// However a session is used, and whatever a stranger adds to its file, the file says what it is.
func TestAnyUseLoadsTheSame(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			rt.Fatal(err)
		}
		s, err := Create(filepath.Join(dir, "0.jsonl"), Header{Version: CurrentVersion, ID: "0", CWD: "/p", Timestamp: noon}, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		p := &play{rt: rt, dir: dir, s: s, open: []*Session{s}}
		defer func() {
			for _, s := range p.open {
				if err := s.Close(); err != nil {
					rt.Error(err)
				}
			}
			_ = os.RemoveAll(dir)
		}()
		rt.Repeat(map[string]func(*rapid.T){
			"append": p.append, "branch": p.branch, "move": p.move, "stranger": p.stranger, "fork": p.fork, "check": p.check,
		})
		p.check(rt)
	})
}
