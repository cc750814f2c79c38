package tool

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestUnifiedApplies(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "\n", "dd\n", "e"})
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "lines"), "") })
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		before, after := text.Draw(rt, "before"), text.Draw(rt, "after")
		d := unified("f", before, after)
		if (d.Diff == "") != (before == after) {
			rt.Fatalf("%q to %q: diff %q", before, after, d.Diff)
		}
		if n++; n > 25 || d.Diff == "" || before == "" || after == "" {
			return
		}
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte(before), 0o600); err != nil {
			rt.Fatal(err)
		}
		cmd := exec.Command(git, "apply", "-p0", "-")
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(d.Diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			rt.Fatalf("%q to %q: %s\n%s", before, after, out, d.Diff)
		}
		if got, _ := os.ReadFile(filepath.Join(dir, "f")); string(got) != after {
			rt.Fatalf("%q applied to %q is %q", d.Diff, before, got)
		}
	})
}

func TestUnifiedIsBounded(t *testing.T) {
	t.Parallel()
	d := unified("f", lines(300_000), strings.ReplaceAll(lines(300_000), "line", "row"))
	if len(d.Diff) > MaxBytes+100 || !d.DiffCut || !strings.HasPrefix(d.Diff, "--- f\n+++ f\n@@ -1") {
		t.Errorf("%d bytes, cut %v: %.100q", len(d.Diff), d.DiffCut, d.Diff)
	}
	long := lines(300_000)
	d = unified("f", long, strings.Replace(long, "line 200000\n", "", 1))
	if d.FirstChangedLine != 200_000 || strings.Count(d.Diff, "\n") != 10 {
		t.Errorf("one line: %+v", d)
	}
}

func BenchmarkUnified(b *testing.B) {
	long := lines(20_000)
	changed := strings.Replace(long, "line 10000\n", "new\n", 1)
	for b.Loop() {
		unified("f", long, changed)
	}
}
