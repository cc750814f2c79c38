package tool

import (
	"strings"
	"testing"
)

func TestApplyEdits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file  string
		edits []replacement
		want  string // the new file, or
		err   string // what the error says
	}{
		"one":                 {"a\nb\nc\n", []replacement{{"b", "B"}}, "a\nB\nc\n", ""},
		"several, any order":  {"a\nb\nc\n", []replacement{{"c", "C"}, {"a", "A"}}, "A\nb\nC\n", ""},
		"all of the original": {"a b", []replacement{{"a", "b"}, {"b", "a"}}, "b a", ""},
		"deletes":             {"a\nb\nc\n", []replacement{{"b\n", ""}}, "a\nc\n", ""},
		"twice":               {"x\nx\n", []replacement{{"x", "y"}}, "", "occurs 2 times"},
		"overlapping places":  {"aaa", []replacement{{"aa", "b"}}, "", "occurs 2 times"},
		"nowhere":             {"a\n", []replacement{{"z", "y"}}, "", "not in the file"},
		"nowhere, with hint":  {"q\nif x {\n\ty\n", []replacement{{"if x {\n\tz", "y"}}, "", "like line 2"},
		"overlap":             {"abc", []replacement{{"ab", "x"}, {"bc", "y"}}, "", "edits 1 and 2 overlap"},
		"nothing":             {"abc", []replacement{{"b", "b"}}, "", "change nothing"},
		"empty":               {"abc", []replacement{{"", "b"}}, "", "empty"},
		"second is wrong":     {"abc", []replacement{{"a", "x"}, {"z", "b"}}, "", "edit 2"},
		"crlf":                {"a\r\nb\r\nc\r\n", []replacement{{"a\nb", "x\ny\nz"}}, "x\r\ny\r\nz\r\nc\r\n", ""},
		"crlf given as such":  {"a\r\nb\r\n", []replacement{{"a\r\nb", "x\r\ny"}}, "x\r\ny\r\n", ""},
		"crlf, one line":      {"a\r\nb\r\n", []replacement{{"b", "x\ny"}}, "a\r\nx\r\ny\r\n", ""},
		"crlf at the end":     {"a\r\nb\r\n", []replacement{{"a\n", ""}}, "b\r\n", ""},
		"mixed ends stay":     {"a\r\nb\nc\r\nd\n", []replacement{{"b\nc", "x\ny"}}, "a\r\nx\ny\r\nd\n", ""},
		"bom stays":           {bom + "a\nb\n", []replacement{{"a", "x"}}, bom + "x\nb\n", ""},
		"bom given":           {bom + "a\nb\n", []replacement{{bom + "a", "x"}}, bom + "x\nb\n", ""},
		"no last newline":     {"a\nb", []replacement{{"b", "c"}}, "a\nc", ""},
		"bytes stay":          {"\xff\xfe a \xe9\n", []replacement{{"a", "b"}}, "\xff\xfe b \xe9\n", ""},

		"blanks at line ends": {"a  \nb\t\nc  \n", []replacement{{"a\nb", "x\ny"}}, "x\ny\t\nc  \n", ""},
		"blanks in oldText":   {"ab\na\nb\n", []replacement{{"a  \nb", "x"}}, "ab\nx\n", ""},
		"blank after a word":  {"return xyz\n", []replacement{{"return x ", "y"}}, "", "not in the file"},
		"quotes":              {"say \u201chi\u201d  \nrest \u2019 \n", []replacement{{`say "hi"`, "bye"}}, "bye  \nrest \u2019 \n", ""},
		"dash and space":      {"a\u00a0\u2013 b\n", []replacement{{"a - b", "c"}}, "c\n", ""},
		"ligature stays":      {"\ufb01ne \u2018x\u2019\n", []replacement{{"'x'", "y"}}, "\ufb01ne y\n", ""},
		"exact beats similar": {"'x'\n\u2018x\u2019\n", []replacement{{"'x'", "y"}}, "y\n\u2018x\u2019\n", ""},
		"two similar":         {"\u2018x\u2019\n\u201bx\u2019\n", []replacement{{"'x'", "y"}}, "", "occurs 2 times"},
		"only blanks":         {"a\nb\n", []replacement{{" \n ", "y"}}, "", "not in the file"},
		"crlf and tolerant":   {"a  \r\nb\r\n", []replacement{{"a\nb", "x\ny"}}, "x\r\ny\r\n", ""},
	} {
		got, err := applyEdits(c.file, c.edits)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %q, %v; want an error with %q", name, got, err, c.err)
			}
		case err != nil || got != c.want:
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

func FuzzApplyEdits(f *testing.F) {
	f.Add("a\r\nb  \nc\u2019\n", "b\n", "x")
	f.Fuzz(func(t *testing.T, file, old, text string) {
		got, err := applyEdits(file, []replacement{{old, text}})
		if err != nil {
			return
		}
		// What is around the passage stays to the byte.
		before, after := 0, 0
		for before < len(file) && before < len(got) && file[before] == got[before] {
			before++
		}
		for after < len(file)-before && after < len(got)-before && file[len(file)-1-after] == got[len(got)-1-after] {
			after++
		}
		if changed := len(file) - before - after; changed > 4*len(old)+64 && !strings.ContainsAny(file, " \t\r\v\f\u0085\u00a0") {
			t.Fatalf("%d bytes changed for a passage of %d", changed, len(old))
		}
	})
}
