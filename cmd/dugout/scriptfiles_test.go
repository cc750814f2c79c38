package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// valid FILE... checks that files are whole sessions of version 3, line by line.
func scriptValid(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: valid FILE...")
	}
	for _, f := range args {
		if err := validSession([]byte(ts.ReadFile(f))); err != nil {
			ts.Fatalf("%s: %v", f, err)
		}
	}
}

// validSession checks a file against the format itself, without the code that reads sessions.
func validSession(b []byte) error {
	if !bytes.HasSuffix(b, []byte("\n")) {
		return errors.New("the last line has no end")
	}
	seen := map[string]bool{}
	for i, raw := range bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n")) {
		var l struct {
			Type, ID, Timestamp, CWD string
			Version                  int
			ParentID                 *string
			Message                  map[string]any
		}
		if err := json.Unmarshal(raw, &l); err != nil {
			return fmt.Errorf("line %d: %w", i+1, err)
		}
		_, err := time.Parse("2006-01-02T15:04:05.000Z", l.Timestamp)
		switch {
		case err != nil:
			return fmt.Errorf("line %d: %w", i+1, err)
		case i == 0 && (l.Type != "session" || l.Version != 3 || l.ID == "" || !filepath.IsAbs(l.CWD)):
			return fmt.Errorf("line 1 is no header of version 3: %s", raw)
		case i == 0:
			continue
		case l.Type == "session" || l.ID == "" || seen[l.ID]:
			return fmt.Errorf("line %d has no id of its own: %s", i+1, raw)
		case l.ParentID != nil && !seen[*l.ParentID]:
			return fmt.Errorf("line %d comes before its parent %s", i+1, *l.ParentID)
		case l.Type == "message" && (l.Message["role"] == nil || l.Message["timestamp"] == nil):
			return fmt.Errorf("line %d: a message without role or time: %s", i+1, raw)
		}
		seen[l.ID] = true
	}
	return nil
}

// tear N FILE cuts the last N bytes off, as a crash would.
func scriptTear(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: tear N FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	b := ts.ReadFile(args[1])
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(b[:len(b)-n]), 0o600))
}

// bytes FILE replaces Go's escapes between percent signs, %\xff%, by what they stand for: a script
// is text, what it tests need not be.
func scriptBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: bytes FILE")
	}
	escape := regexp.MustCompile(`%(\\[xu0-9A-Fa-f\\]+)%`)
	b := escape.ReplaceAllFunc([]byte(ts.ReadFile(args[0])), func(m []byte) []byte {
		s, err := strconv.Unquote(`"` + string(m[1:len(m)-1]) + `"`)
		ts.Check(err)
		return []byte(s)
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o600))
}

// begins BEFORE FILE checks that a file begins with all of what it was before.
func scriptBegins(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: begins BEFORE FILE")
	}
	before, now := ts.ReadFile(args[0]), ts.ReadFile(args[1])
	if before == "" || !strings.HasPrefix(now, before) || len(now) == len(before) {
		ts.Fatalf("%s does not go on from %s", args[1], args[0])
	}
}

// utf8 FILE checks that a file is UTF-8.
func scriptUTF8(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: utf8 FILE")
	}
	if s := ts.ReadFile(args[0]); s == "" || !utf8.ValidString(s) {
		ts.Fatalf("%s is empty or no UTF-8: %q", args[0], s)
	}
}

// plain FILE checks that a terminal would only show what is in a file: no control but the newline,
// no separator, no override of the direction.
func scriptPlain(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: plain FILE")
	}
	s := ts.ReadFile(args[0])
	if s == "" {
		ts.Fatalf("%s is empty", args[0])
	}
	for i, line := range strings.Split(s, "\n") {
		for _, r := range line {
			if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) || r == utf8.RuneError {
				ts.Fatalf("line %d of %s holds %U: %q", i+1, args[0], r, line)
			}
		}
	}
}
