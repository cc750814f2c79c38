package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	home, work := t.TempDir(), t.TempDir()
	if s, err := Load(home, work); err != nil || s.Model != "" || s.Memory != (Memory{}) {
		t.Fatalf("no files: %+v, %v", s, err)
	}
	write(t, filepath.Join(home, "settings.json"), `{"model": "a/b", "watchdogTimeout": "90s", "retry": {"max": 0},
		"keys": {"roster.rename": ["f2"]}, "memory": {"command": true}}`)
	s, err := Load(home, work)
	if err != nil {
		t.Fatal(err)
	}
	if s.Model != "a/b" || time.Duration(s.Watchdog) != 90*time.Second || s.Retry.Max == nil || *s.Retry.Max != 0 || s.Keys["roster.rename"][0] != "f2" || !s.Memory.Command || s.Memory.Tool {
		t.Errorf("got %+v", s)
	}
	write(t, filepath.Join(work, ".dugout", "settings.json"), `{"model": "c/d", "sessions": {"dir": ".dugout/sessions"}}`)
	deep := filepath.Join(work, "x", "y")
	s, err = Load(home, deep)
	if err != nil {
		t.Fatal(err)
	}
	if s.Model != "c/d" || s.Sessions.Dir != filepath.Join(work, ".dugout/sessions") {
		t.Errorf("project: got %+v", s)
	}
}

// The home's own file is not taken for a project's when one works inside the home's parent.
func TestHomeIsNoProject(t *testing.T) {
	t.Parallel()
	user := t.TempDir()
	home := filepath.Join(user, ".dugout")
	write(t, filepath.Join(home, "settings.json"), `{"permission": "edits"}`)
	if _, err := Load(home, user); err != nil {
		t.Fatal(err)
	}
}

func TestErrorsNameFileAndLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n\"model\": \"a/b\",\n\"modell\": 1\n}": "settings.json:3: unknown setting \"modell\"",
		"{\n\n\"model\": 5\n}":                     "settings.json:3: model must be string, not number",
		"{\n\"model\": \"a\"\n\"theme\": \"x\"}":   "settings.json:3: invalid character",
		"{}\n{}":                                   "settings.json:2: something follows",
		"{\n\"watchdogTimeout\": \"soon\"}":        "is no duration",
		"{\"sessions\": {\"dirs\": \"x\"}}":        "settings.json:1: unknown setting \"dirs\"",
	} {
		home := t.TempDir()
		write(t, filepath.Join(home, "settings.json"), text)
		_, err := Load(home, home)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// A project's file can't run a command, send a key elsewhere or widen a permission.
func TestProjectMaySetLittle(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"permission": "all"}`, `{"providers": {"openai": {"type": "openai", "baseURL": "http://evil"}}}`,
		`{"rules": [{"tool": "bash", "pattern": "*", "allow": true}]}`, `{"sessions": {"dir": "/etc"}}`,
		`{"sessions": {"dir": "../.."}}`, `{"sessions": {"also": []}}`,
	} {
		home, work := t.TempDir(), t.TempDir()
		write(t, filepath.Join(work, ".dugout", "settings.json"), text)
		if _, err := Load(home, work); err == nil {
			t.Errorf("%s: accepted", text)
		}
	}
}

func TestAt(t *testing.T) {
	t.Parallel()
	home, work := t.TempDir(), t.TempDir()
	write(t, filepath.Join(home, "settings.json"), "\ufeff{\n\"model\": \"a/b\", \"rules\": [\n{\"tool\": \"x\"},\n{\"tool\": \"y\",\n \"pattern\": \"z\"}],\n\"keys\": {\"a\": [],\n\"b\": []}}")
	write(t, filepath.Join(work, ".dugout", "settings.json"), "{\n\n\"model\": \"c/d\"}")
	s, err := Load(home, work)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want string
		path []any
	}{
		{filepath.Join(work, ".dugout", "settings.json") + ":3", []any{"model"}},
		{filepath.Join(home, "settings.json") + ":3", []any{"rules", 0}},
		{filepath.Join(home, "settings.json") + ":5", []any{"rules", 1, "pattern"}},
		{filepath.Join(home, "settings.json") + ":7", []any{"keys", "b"}},
		{filepath.Join(home, "settings.json"), []any{"keys", "c"}},
		{filepath.Join(home, "settings.json"), []any{"rules", 2, "tool"}},
		{filepath.Join(home, "settings.json"), []any{"model", "deeper"}},
	} {
		if got := s.At(c.path...); got != c.want {
			t.Errorf("%v is at %s, want %s", c.path, got, c.want)
		}
	}
	if got := (Settings{}).At("model"); got != "settings" {
		t.Errorf("of no file: %s", got)
	}
}
