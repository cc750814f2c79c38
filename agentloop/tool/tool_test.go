package tool

import (
	"dugout/sessionio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a folder to work in and the tools.
type bench struct {
	*testing.T
	dir  string
	opts Options
}

func newBench(t *testing.T, files map[string]string) *bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, dir: dir}
	for name, content := range files {
		b.put(name, content)
	}
	return b
}

func (b *bench) put(name, content string) {
	b.Helper()
	p := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) get(name string) string {
	b.Helper()
	content, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		b.Fatal(err)
	}
	return string(content)
}

func (b *bench) tool(name string) Tool {
	b.Helper()
	for _, tl := range Default(b.opts) {
		if tl.Name() == name {
			return tl
		}
	}
	b.Fatalf("no tool %s", name)
	return nil
}

func (b *bench) call(args any) Call {
	b.Helper()
	raw, ok := args.(string)
	if !ok {
		j, err := json.Marshal(args)
		if err != nil {
			b.Fatal(err)
		}
		raw = string(j)
	}
	return Call{ID: "call/1", Args: json.RawMessage(raw), CWD: b.dir, ArtifactDir: filepath.Join(b.dir, "..", filepath.Base(b.dir)+"-artifacts")}
}

// run runs a tool and checks what holds for every result.
func (b *bench) run(name string, args any) (Result, error) {
	b.Helper()
	return b.runCall(name, b.call(args))
}

func (b *bench) runCall(name string, call Call) (Result, error) {
	b.Helper()
	res, err := b.tool(name).Run(b.Context(), call)
	if err == nil && len(res.Content) == 0 {
		b.Errorf("%s: a result without content", name)
	}
	for _, c := range res.Content {
		if c.Type == sessionio.BlockText && (c.Text == "" || !utf8.ValidString(c.Text)) {
			b.Errorf("%s: text that is empty or not UTF-8: %.100q", name, c.Text)
		}
		if len(c.Text) > MaxBytes+1000 {
			b.Errorf("%s: a result of %d bytes", name, len(c.Text))
		}
	}
	if len(res.Details) > 0 && !json.Valid(res.Details) {
		b.Errorf("%s: details that are no JSON: %s", name, res.Details)
	}
	return res, err
}

func (b *bench) text(name string, args any) string {
	b.Helper()
	res, err := b.run(name, args)
	if err != nil {
		b.Fatalf("%s %v: %v", name, args, err)
	}
	return textOf(res)
}

// fails runs a tool that must fail with a sentence that has all of want.
func (b *bench) fails(name string, args any, want ...string) {
	b.Helper()
	_, err := b.run(name, args)
	if err == nil {
		b.Errorf("%s %v: no error", name, args)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			b.Errorf("%s %v: %q does not say %q", name, args, err, w)
		}
	}
}

func textOf(res Result) string {
	var s string
	for _, c := range res.Content {
		s += c.Text
	}
	return s
}

func detailsOf(t *testing.T, res Result) map[string]any {
	t.Helper()
	m := map[string]any{}
	if len(res.Details) == 0 {
		return m
	}
	if err := json.Unmarshal(res.Details, &m); err != nil {
		t.Fatal(err)
	}
	return m
}

type args = map[string]any

func TestEveryTool(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"a.txt": "one\n"})
	for _, tl := range append(Default(Options{}), NewSpawn(nil), NewMemory(nil)) {
		var s struct{ Type string }
		if err := json.Unmarshal(tl.Schema(), &s); err != nil || s.Type != "object" {
			t.Errorf("%s: schema %s: %v", tl.Name(), tl.Schema(), err)
		}
		if len(tl.Description()) < 40 {
			t.Errorf("%s: description %q", tl.Name(), tl.Description())
		}
		for _, bad := range []string{`[]`, `nonsense`, `"x"`, `{"path":7,"command":7,"pattern":7,"prompt":7,"query":7}`} {
			if _, err := tl.Effect(b.call(bad)); err == nil {
				t.Errorf("%s: an effect of %s", tl.Name(), bad)
			}
			if _, err := tl.Run(t.Context(), b.call(bad)); err == nil {
				t.Errorf("%s: %s ran", tl.Name(), bad)
			}
		}
	}
}

func TestNothingRunsInAFolderThatIsGone(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	for name, a := range map[string]args{
		"read": {"path": "a"}, "write": {"path": "a", "content": "x"}, "bash": {"command": "pwd"}, "ls": {}, "grep": {"pattern": "x"}, "find": {"pattern": "x"},
		"edit": {"path": "a", "oldText": "a", "newText": "b"},
	} {
		call := b.call(a)
		for _, gone := range []string{filepath.Join(b.dir, "gone"), "", "relative"} {
			call.CWD = gone
			if _, err := b.tool(name).Effect(call); err == nil || !strings.Contains(err.Error(), gone) {
				t.Errorf("%s in %q: %v", name, gone, err)
			}
			if _, err := b.tool(name).Run(t.Context(), call); err == nil {
				t.Errorf("%s ran in %q", name, gone)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(b.dir, "gone")); err == nil {
		t.Error("the folder was made")
	}
}
