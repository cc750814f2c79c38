package recall

import (
	"context"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLinesOfAnyLength(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*block+7)
	huge := strings.Repeat("y", longestLine+block)
	text := "one\r\n\n" + long + "\n" + huge + "\ntwo\n" + huge + "\nthe end"
	var s scanner
	var got []string
	err := s.lines(context.Background(), strings.NewReader(text), func(no int, line []byte) {
		got = append(got, string('0'+rune(no))+string(line))
	})
	want := []string{"1one\r", "2", "3" + long, "5two", "7the end"}
	if err != nil || strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%v, %d lines", err, len(got))
	}
	got = nil
	err = s.lines(context.Background(), iotest.OneByteReader(strings.NewReader("a\nbc\n")), func(_ int, line []byte) { got = append(got, string(line)) })
	if err != nil || strings.Join(got, "|") != "a|bc" {
		t.Errorf("byte by byte: %v %q", err, got)
	}
}
