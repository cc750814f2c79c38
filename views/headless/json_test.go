package headless

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEncoderEscapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"plain <b> & more", `"plain <b> & more"`},
		{"ä 書 🎈", `"ä 書 🎈"`},
		{"\x1b[2J\x07", `"\u001b[2J\u0007"`},
		{"\u009b2J\u0085", `"\u009b2J\u0085"`},
		{"\x7f", `"\u007f"`},
		{"\u202eabc\u2066\u200f", `"\u202eabc\u2066\u200f"`},
		{"\u2028\u2029", `"\u2028\u2029"`},
		{"bad \xff\xfe", `"bad \ufffd\ufffd"`},
	} {
		var b strings.Builder
		if err := NewEncoder(&b).Encode(c.in); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want+"\n" {
			t.Errorf("%q is written as %s, want %s", c.in, b.String(), c.want)
		}
		var back string
		if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != strings.ToValidUTF8(strings.ReplaceAll(c.in, "\xff\xfe", "\ufffd\ufffd"), "") {
			t.Errorf("%q comes back as %q, %v", c.in, back, err)
		}
	}
	// What a file holds is passed on as it stands there, which may be no UTF-8.
	var b strings.Builder
	if err := NewEncoder(&b).Encode(json.RawMessage("{\"a\":\"\xc3\u009b\"}")); err != nil || b.String() != "{\"a\":\"\ufffd\\u009b\"}\n" {
		t.Errorf("%q, %v", b.String(), err)
	}
}
