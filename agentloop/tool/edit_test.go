package tool

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestEditForms(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]args{
		"a list":           {"path": "f", "edits": []args{{"oldText": "b", "newText": "B"}}},
		"a list as string": {"path": "f", "edits": `[{"oldText":"b","newText":"B"}]`},
		"the old form":     {"path": "f", "oldText": "b", "newText": "B"},
		"both":             {"path": "f", "edits": []args{}, "oldText": "b", "newText": "B"},
	} {
		b := newBench(t, map[string]string{"f": "a\nb\n"})
		res, err := b.run("edit", a)
		if err != nil || b.get("f") != "a\nB\n" {
			t.Errorf("%s: %q, %v", name, b.get("f"), err)
		}
		d := detailsOf(t, res)
		if d["firstChangedLine"] != 2.0 || d["diff"] != "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n" {
			t.Errorf("%s: details %v", name, d)
		}
	}
	b := newBench(t, map[string]string{"f": "a\nb\n", "bin": "a\x00b"})
	b.fails("edit", args{"path": "f"}, "edits is missing")
	b.fails("edit", args{"path": "f", "oldText": "b"}, "edits is missing")
	b.fails("edit", args{"path": "f", "edits": "x"}, "list")
	b.fails("edit", args{"path": "bin", "oldText": "b", "newText": "c"}, "binary")
	b.fails("edit", args{"path": "nowhere", "oldText": "b", "newText": "c"}, "does not exist")
	if _, err := b.tool("edit").Effect(b.call(args{"path": "f", "oldText": "z", "newText": "c"})); err == nil {
		t.Error("an effect of an edit that does not fit")
	}
}

func TestEditsOfOneFileWaitForEachOther(t *testing.T) {
	t.Parallel()
	b := newBench(t, map[string]string{"f": lines(50)})
	b.opts.Locks = &Locks{} // two sets of tools, as two sessions have
	var wg sync.WaitGroup
	for i := 1; i <= 50; i++ {
		wg.Go(func() {
			_, err := b.tool("edit").Run(t.Context(), b.call(args{
				"path": "f", "oldText": fmt.Sprintf("line %d\n", i), "newText": fmt.Sprintf("done %d\n", i),
			}))
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := strings.Count(b.get("f"), "done"); got != 50 {
		t.Errorf("%d of 50 edits are there", got)
	}
}
