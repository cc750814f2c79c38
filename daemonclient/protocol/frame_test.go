package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestReaderSplitsLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 100)
	tests := []struct {
		name, in string
		want     []string
		end      error
	}{
		{"lines", "a\nb\n", []string{"a", "b"}, io.EOF},
		{"blank lines and CRLF pass", "\n\r\n a \r\n\n", []string{"a"}, io.EOF},
		{"U+2028 is text", "a\u2028b\n", []string{"a\u2028b"}, io.EOF},
		{"torn end", "a\nb", []string{"a"}, io.ErrUnexpectedEOF},
		{"too long is passed over", "a\n" + long + "\nb\n", []string{"a", "too long", "b"}, io.EOF},
		{"too long and torn", long, nil, io.ErrUnexpectedEOF},
		{"exactly the bound", strings.Repeat("y", 49) + "\n", []string{strings.Repeat("y", 49)}, io.EOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := NewReader(iotest.OneByteReader(strings.NewReader(tt.in)))
			r.max = 50
			var got []string
			for {
				line, err := r.Read()
				if errors.Is(err, ErrFrameTooLong) {
					got = append(got, "too long")
					continue
				}
				if err != nil {
					if !errors.Is(err, tt.end) {
						t.Errorf("ended with %v, want %v", err, tt.end)
					}
					break
				}
				got = append(got, string(line))
			}
			if fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A line above the buffer's size but below the bound comes whole.
func TestReaderLongLine(t *testing.T) {
	t.Parallel()
	want := strings.Repeat("z", 300_000)
	line, err := NewReader(strings.NewReader(want + "\n")).Read()
	if err != nil || string(line) != want {
		t.Fatalf("got %d bytes, %v", len(line), err)
	}
}

func TestDecodeNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in   string
		code int
	}{
		{`{`, CodeParse},
		{`hello`, CodeParse},
		{`[]`, CodeInvalid},
		{`7`, CodeInvalid},
		{`{"id":1,"method":"x"}`, CodeInvalid},
		{`{"jsonrpc":"2.0","method":7}`, CodeInvalid},
		{`{"jsonrpc":"2.0","id":1,"method":"x","unknown":true}`, 0},
	}
	for _, tt := range tests {
		if _, err := Decode([]byte(tt.in)); CodeOf(err) != tt.code {
			t.Errorf("%s: %v, want code %d", tt.in, err, tt.code)
		}
	}
}

func TestEncodeRoundTrip(t *testing.T) {
	t.Parallel()
	b, err := EncodeRequest(7, "m", SessionRef{ID: "<&>\n\u2028"})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(b), "\n"); n != 1 || !strings.Contains(string(b), "<&>") {
		t.Errorf("not one plain line: %q", b)
	}
	f, err := Decode(b)
	if err != nil || string(f.ID) != "7" || f.Method != "m" {
		t.Fatalf("%+v, %v", f, err)
	}
	var ref SessionRef
	if err := json.Unmarshal(f.Params, &ref); err != nil || ref.ID != "<&>\n\u2028" {
		t.Errorf("%q, %v", ref.ID, err)
	}
	b, err = EncodeError(nil, &Error{Code: 3, Message: "no"})
	if err != nil || !strings.Contains(string(b), `"id":null`) {
		t.Errorf("%s, %v", b, err)
	}
	if _, err := Encode(strings.Repeat("x", MaxFrame)); !errors.Is(err, ErrFrameTooLong) {
		t.Errorf("a frame above the bound: %v", err)
	}
}
