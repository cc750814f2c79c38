package sessionio

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var jsonSeeds = []string{
	`{}`, `[]`, `null`, `true`, `{"a":1}`, `{"a":1,"a":2}`, ` { "a" : [ 1 , -2.5e+3 , "x\"y\\" ] , "b":{"c":null}}`,
	`{"a":"\u00e9\ud83d"}`, `{"a":"\u00g9"}`, `{"a":"\x"}`, "{\"a\":\"\x01\"}", "{\"a\":\"\xff\xfe\"}", `{"a":01}`, `{"a":1.}`, `{"a":.5}`,
	`{"a":-}`, `{"a":1e}`, `{"a"}`, `{"a":}`, `{,}`, `{"a":1,}`, `[1,]`, `[,1]`, `{"a":tru}`, `{"a":nul`, `{"a":"`, `{"a":"\`, `{}x`, ``,
	strings.Repeat("[", 50) + strings.Repeat("]", 50), `{"` + strings.Repeat("k", 40) + `\n":"` + strings.Repeat("é", 30) + `"}`,
	`{"type":"message","message":{"role":"user","content":[{"type":"text","text":"q"},null,5,"s"]}}`,
}

// skips says whether the whole of b is one value to the scanner.
func skips(b []byte) bool {
	i := skipBlank(b, 0)
	end, ok := skipValue(b, i, 0)
	return ok && skipBlank(b, end) == len(b)
}

// check compares the scanner with encoding/json: what is JSON, and what an object holds.
func check(t *testing.T, b []byte) {
	t.Helper()
	if got, want := skips(b), json.Valid(b); got != want {
		t.Fatalf("%q: valid %v, encoding/json says %v", b, got, want)
	}
	var want map[string]json.RawMessage
	wantOK := json.Unmarshal(b, &want) == nil && want != nil
	got, ok := parseObject(b)
	if ok != wantOK {
		t.Fatalf("%q: object %v, encoding/json says %v", b, ok, wantOK)
	}
	if !ok {
		return
	}
	have := map[string]json.RawMessage{}
	for _, f := range got {
		have[f.name()] = f.value
	}
	if len(have) != len(want) {
		t.Fatalf("%q: %d fields, want %d", b, len(have), len(want))
	}
	for k, v := range want {
		if string(have[k]) != string(v) || string(got.get(k)) != string(v) {
			t.Fatalf("%q: field %q is %q, want %q", b, k, have[k], v)
		}
		inner, isObject := got.object(k)
		again, _ := parseObject(v)
		if isObject != (v[0] == '{') || !reflect.DeepEqual(inner, again) {
			t.Fatalf("%q: field %q inside: %v, want %v", b, k, inner, again)
		}
		var list []json.RawMessage
		if v[0] == '[' && json.Unmarshal(v, &list) == nil && len(innerElements(v)) != len(list) {
			t.Fatalf("%q: field %q has %d elements, want %d", b, k, len(innerElements(v)), len(list))
		}
		var s string
		if json.Unmarshal(v, &s) != nil {
			s = ""
		}
		if got.str(k) != s {
			t.Fatalf("%q: string %q is %q, want %q", b, k, got.str(k), s)
		}
	}
}

func TestScannerAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, s := range jsonSeeds {
		check(t, []byte(s))
		for i := range s { // and with every byte changed or the end cut off
			check(t, []byte(s[:i]))
			for _, c := range []byte("\"\\{}[],:0 n\x00\xff") {
				b := []byte(s)
				b[i] = c
				check(t, b)
			}
		}
	}
	deep := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	check(t, deep(maxNesting))
	check(t, deep(maxNesting+1))
}

func FuzzScanner(f *testing.F) {
	for _, s := range jsonSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) { check(t, b) })
}

// What is glanced of an entry is what the whole entry says.
func FuzzGlance(f *testing.F) {
	for _, s := range append(jsonSeeds, ask, tell, head,
		`{"type":"message","id":"x","message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"a":1}}],"stopReason":"aborted"}}`,
		`{"type":"compaction","id":"y","summary":"s"}`, `{"type":"message","id":"z","message":{"role":"bashExecution","command":"ls"}}`) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		fl, ok := parseObject(b)
		e, ok2 := parseLine(b)
		if ok != ok2 {
			t.Fatalf("%q: %v, %v", b, ok, ok2)
		}
		if !ok {
			return
		}
		if got, want := glance(fl, line{no: 3}), metaOf(&e, line{no: 3}); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q:\n got %+v\nwant %+v", b, got, want)
		}
		var one, two Fold
		one.Headed, two.Headed = true, true
		if err := one.Line(b, 1); err != nil {
			t.Fatal(err)
		}
		two.entry(&e)
		if !reflect.DeepEqual(one, two) {
			t.Fatalf("%q:\n got %+v\nwant %+v", b, one, two)
		}
	})
}

// A conversation as a listing and an opened session read it: ns/op over b.SetBytes is the speed.
func conversation(n int) []byte {
	var sb strings.Builder
	sb.WriteString(head + "\n")
	text := strings.Repeat("some words of an answer, with a \\\"quote\\\" and a\\nline end; ", 40)
	for i := range n {
		id, parent := EntryID(itoa(i+1)), EntryID(itoa(i))
		sb.WriteString(`{"type":"message","id":"` + string(id) + `","parentId":"` + string(parent) + `","timestamp":"2026-11-02T12:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"` + text + `"}],"provider":"p","model":"m","usage":{"input":1,"output":2,"totalTokens":3,"cost":{"total":0.1}},"stopReason":"stop","timestamp":1762084802000}}` + "\n")
	}
	return []byte(sb.String())
}

func itoa(n int) string { return string(appendHex(nil, uint32(n))) }

func appendHex(b []byte, n uint32) []byte {
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, "0123456789abcdef"[n>>shift&15])
	}
	return b
}

func BenchmarkFold(b *testing.B) {
	file := conversation(4000)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		var f Fold
		if i, err := f.ScanFile(bytes.NewReader(file), int64(len(file))); err != nil || i.MessageCount != 4000 {
			b.Fatal(i, err)
		}
	}
}

// The same by encoding/json, for the ratio.
func BenchmarkFoldByEncodingJSON(b *testing.B) {
	file := conversation(4000)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		for _, l := range bytes.Split(file, []byte("\n")) {
			var v struct {
				Type, ID, ParentID, Timestamp string
				Message                       struct{ Role string }
			}
			_ = json.Unmarshal(l, &v)
		}
	}
}

// A session of 50 MB to its last 50 messages.
func BenchmarkOpenTail(b *testing.B) {
	file := conversation(20000)
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
		ids := []EntryID{}
		p := s.Tree().Path(s.Leaf())
		for _, m := range p[len(p)-50:] {
			ids = append(ids, m.ID)
		}
		if got, err := s.Entries(ids); err != nil || len(got) != 50 {
			b.Fatal(len(got), err)
		}
		_ = s.Close()
	}
}
