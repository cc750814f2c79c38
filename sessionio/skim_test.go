package sessionio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// plainLines is the plain twin of eachLine and skimmer: everything in memory.
func plainLines(b []byte) []line {
	var out []line
	offset := int64(0)
	for i, text := range bytes.SplitAfter(b, []byte("\n")) {
		l := line{no: i + 1, offset: offset, whole: bytes.HasSuffix(text, []byte("\n")), text: bytes.TrimSuffix(text, []byte("\n"))}
		l.length = int64(len(l.text))
		offset += int64(len(text))
		if len(l.content()) > 0 {
			out = append(out, l)
		}
	}
	return out
}

// sameAsPlain compares what the index and the listing get of a line with what the whole line gives.
type sameAsPlain struct {
	t           *testing.T
	want        []line
	short, full Fold
}

func (c *sameAsPlain) line(got line) error {
	c.t.Helper()
	if !got.whole && got.blank() {
		return nil // blanks at the end
	}
	if len(c.want) == 0 {
		c.t.Fatalf("a line too many: %+v", got)
	}
	want := c.want[0]
	c.want = c.want[1:]
	if got.no != want.no || got.offset != want.offset || got.length != want.length || got.whole != want.whole {
		c.t.Fatalf("got line %+v\nwant %+v\n%q", got, want, clipUnits(string(want.text), 300))
	}
	if err, wantErr := c.short.Line(got.content(), got.no), c.full.Line(want.content(), want.no); fmt.Sprint(err) != fmt.Sprint(wantErr) {
		c.t.Fatalf("line %d: %v, want %v", got.no, err, wantErr)
	}
	if !reflect.DeepEqual(c.short, c.full) {
		c.t.Fatalf("line %d folds to\n%+v, want\n%+v", got.no, c.short, c.full)
	}
	f, ok := parseObject(got.content())
	e, wantOK := parseLine(want.content())
	if ok != wantOK {
		c.t.Fatalf("line %d: readable %v, want %v", got.no, ok, wantOK)
	}
	if !ok {
		return nil
	}
	g, w := glance(f, got), metaOf(&e, want)
	if g.HasTools { // blanks between the parts of arguments may be gone
		g.Preview, w.Preview = strings.Join(strings.Fields(g.Preview), ""), strings.Join(strings.Fields(w.Preview), "")
		n := min(len(g.Preview), len(w.Preview))
		g.Preview, w.Preview = g.Preview[:n], w.Preview[:n]
	}
	if g != w {
		c.t.Fatalf("line %d is\n%+v, want\n%+v", got.no, g, w)
	}
	return nil
}

// checkLines reads by short forms alone, and as files are read with each size of what is long.
func checkLines(t *testing.T, b []byte) {
	t.Helper()
	c := sameAsPlain{t: t, want: plainLines(b)}
	s := newSkimmer(io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))), 0, 0)
	for s.next() {
		_ = c.line(s.line)
	}
	if len(c.want) > 0 || s.err != nil {
		t.Fatalf("%d lines are missing, %v", len(c.want), s.err)
	}
	for _, long := range []int{16, 128, longLine} {
		c := sameAsPlain{t: t, want: plainLines(b)}
		no, err := linesBy(long, io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))), 0, 0, c.line)
		if lines := bytes.Count(b, []byte("\n")); len(c.want) > 0 || err != nil || no < lines || no > lines+1 {
			t.Fatalf("%d lines are missing, %d are counted, %v", len(c.want), no, err)
		}
	}
}

func message(role, rest string) string {
	return `{"type":"message","id":"i","parentId":null,"timestamp":"2026-11-02T12:00:01.000Z","message":{"role":"` + role + `",` + rest + `}}`
}

func skimSeeds() []string {
	long := strings.Repeat(`é\u00e9\n`, 4000)
	big := strings.Repeat("x", 3*skimBuffer)
	return []string{
		head + "\n" + ask + "\n" + tell + "\n",
		"\ufeff" + head + "\r\n\r\n \t\n" + ask + "\r\n" + tell,
		head + "\n" + ask + "\n" + `{"type":"message","id":"a3","x":"` + "\xc3",
		head + "\n\x00\x00\nnull\n[]\n42\n\"text\"\n{}\n{} {}\n" + ask + " x\n" + tell,
		head + "\n" + `{"a":1,}` + "\n" + `{"a" 1}` + "\n" + `{a:1}` + "\n" + `{"a":01}` + "\n" + `{"a":-}` + "\n" + `{"a":1.}` + "\n" + `{"a":1e}` + "\n",
		head + "\n" + `{"a":-0.5E+10,"b":[1,2,{}],"c":[],"d":tru}` + "\n" + `{"a":nulL}` + "\n" + `{"a":"\x"}` + "\n" + `{"a":"\u12g4"}` + "\n" + `{"a":"` + "\t\"}\n",
		head + "\n" + message("user", `"content":"`+long+`"`) + "\n" + message("user", `"content":"`+big+`"`) + "\n" + tell,
		head + "\n" + message("user", `"content":[{"type":"image","data":"`+big+`","mimeType":"image/png"},{"type":"text","text":"`+long+`"}]`) + "\n",
		head + "\n" + message("assistant", `"content":[{"type":"thinking","thinking":"`+big+`"},{"type":"toolCall","id":"c","name":"write","arguments":{ "text" : "`+big+`", "n":[1, 2,{"a":"`+long+`","b":`+strings.Repeat("[", 50)+strings.Repeat("]", 50)+`}],"z":true}}],"stopReason":"error","errorMessage":"`+long+`"`) + "\n",
		head + "\n" + `{"\u0074ype":"message","id":"i","message":{"r\u006fle":"user","content":"by its other name"}}` + "\n",
		head + "\n" + `{"type":"session_info","id":"n","name":12}` + "\n" + `{"type":"session_info","id":"m","name":"n"}` + "\n",
		head + "\n" + `{"x":` + strings.Repeat("[", maxNesting-1) + strings.Repeat("]", maxNesting-1) + `}` + "\n" + `{"x":` + strings.Repeat(`{"a":`, maxNesting) + "1" + strings.Repeat("}", maxNesting) + `}` + "\n",
		head + "\n" + message("user", `"content":"`+"\xff\xfe \xe2\x82 half \\ud83d \xed\xa0\x80"+`"`) + "\n",
		head + "\n" + `{"type":"message","type":"label","id":"twice","label":"a","label":7}` + "\n",
		"", "\n\n", "\ufeff", "not json\n" + head + "\n" + ask,
	}
}

func TestLinesReadAsThePlainWay(t *testing.T) {
	t.Parallel()
	for i, s := range skimSeeds() {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			checkLines(t, []byte(s))
		})
	}
}

// Wherever the buffer ends, the lines are the same.
func TestSkimmerAtEveryBufferEnd(t *testing.T) {
	t.Parallel()
	b := []byte(head + "\n" + message("user", `"content":"a\u00e9\"\\ é 𝄞 end","n":[-1.5e-7,true,null]`) + "\n" + tell)
	for at := range b {
		c := sameAsPlain{t: t, want: plainLines(b)}
		s := newSkimmer(io.NewSectionReader(bytes.NewReader(b), 0, int64(len(b))), 0, 0)
		for s.r = io.MultiReader(bytes.NewReader(b[:at]), iotest.OneByteReader(bytes.NewReader(b[at:]))); s.next(); {
			_ = c.line(s.line)
		}
		if len(c.want) > 0 || s.err != nil {
			t.Fatalf("cut at %d: %d lines are missing, %v", at, len(c.want), s.err)
		}
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range skimSeeds() {
		if len(s) < 10_000 {
			f.Add([]byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) { checkLines(t, b) })
}

// letters is a reader of one letter, so that a test of huge lines holds none itself.
type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'A'
	}
	return len(b), nil
}

// The memory of a scan does not grow with the longest line.
func TestHugeLineInLittleMemory(t *testing.T) {
	const size = 64 << 20
	before := head + "\n" + strings.TrimSuffix(message("user", `"content":[{"type":"text","text":"look"},{"type":"image","data":"`), "}}")
	after := `","mimeType":"image/png"}],"timestamp":7}}` + "\n" + tell + "\n"
	s := newSkimmer(io.NewSectionReader(strings.NewReader(""), 0, 0), 0, 0)
	s.buf = make([]byte, skimBuffer)
	s.r = io.MultiReader(strings.NewReader(before), io.LimitReader(letters{}, size), strings.NewReader(after))
	var m0, m1 runtime.MemStats
	runtime.ReadMemStats(&m0)
	var f Fold
	for s.next() {
		if err := f.Line(s.line.text, s.line.no); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&m1)
	if f.Messages != 2 || f.FirstMessage != "look" || f.Unreadable != 0 {
		t.Errorf("got %+v", f)
	}
	if used := m1.TotalAlloc - m0.TotalAlloc; used > 4<<20 {
		t.Errorf("%d bytes allocated for one line of %d", used, size)
	}
}

func benchmarkFile(b *testing.B) []byte {
	b.Helper()
	var out bytes.Buffer
	out.WriteString(head + "\n")
	text, _ := json.Marshal(strings.Repeat("Some words of an answer, a path/of/a/file.go and \"quotes\".\n", 40))
	for i := 0; out.Len() < 50<<20; i++ {
		fmt.Fprintf(&out, `{"type":"message","id":"%08x","parentId":"%08x","timestamp":"2026-11-02T12:00:01.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":%s},{"type":"text","text":"done"},{"type":"toolCall","id":"c%d","name":"bash","arguments":{"command":"ls -l"}}],"api":"x","provider":"p","model":"m","usage":{"input":1,"output":2,"cacheRead":0,"cacheWrite":0,"totalTokens":3,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0.5}},"stopReason":"toolUse","timestamp":1795165260000}}`+"\n", i+1, i, text, i)
	}
	return out.Bytes()
}

func BenchmarkScanFile(b *testing.B) {
	file := benchmarkFile(b)
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		var f Fold
		if _, err := f.ScanFile(bytes.NewReader(file), int64(len(file))); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSkim is the reading of long lines.
func BenchmarkSkim(b *testing.B) {
	file := benchmarkFile(b)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		for s := newSkimmer(io.NewSectionReader(bytes.NewReader(file), 0, int64(len(file))), 0, 0); s.next(); {
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	file := benchmarkFile(b)
	path := filepath.Join(b.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		s, err := Open(path, Options{ReadOnly: true})
		if err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}
