package permission

import "testing"

func TestWildcard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, s string
		want       bool
	}{
		{"a", "a", true},
		{"a", "ab", false},
		{"a*", "ab", true},
		{"*b", "ab", true},
		{"a*a", "a", false},
		{"a*b*c", "axbyc", true},
		{"a*b*c", "acb", false},
		{"*", "", true},
	} {
		if got := wildcard(c.pattern, c.s); got != c.want {
			t.Errorf("wildcard(%q, %q) = %v", c.pattern, c.s, got)
		}
	}
}

func TestParseMode(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"ask", "edits", "all"} {
		if m, err := ParseMode(s); err != nil || string(m) != s {
			t.Errorf("ParseMode(%q) = %q, %v", s, m, err)
		}
	}
	for _, s := range []string{"", "ALL", "yes"} {
		if m, err := ParseMode(s); err == nil {
			t.Errorf("ParseMode(%q) = %q without an error", s, m)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	if err := (Rule{Tool: "edit", Pattern: "a/**/*.go"}).Check(); err != nil {
		t.Error(err)
	}
	if err := (Rule{Tool: "edit", Pattern: "["}).Check(); err == nil {
		t.Error("a faulty glob passes")
	}
}
