package tool

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

const (
	// maxDiffed is the size of changed text up to which a diff looks for what stayed the same in it.
	maxDiffed = 512 << 10
	// maxDiffWork bounds edits times size, which is what printing a diff costs.
	maxDiffWork = 1 << 30
)

// diff is what screens are told about a change of a file.
type diff struct {
	Diff             string `json:"diff,omitempty"`
	DiffCut          bool   `json:"diffCut,omitempty"`
	FirstChangedLine int    `json:"firstChangedLine,omitempty"`
	Created          bool   `json:"created,omitempty"`
}

// unified makes a bounded unified diff of a file. Line endings are not compared.
func unified(name, before, after string) diff {
	before, after = diffable(before), diffable(after)
	if before == after {
		return diff{}
	}
	start, end := unchanged(before, after)
	oldMid, newMid := before[start:len(before)-end], after[start:len(after)-end]
	edits := []udiff.Edit{{Start: start, End: start + len(oldMid), New: newMid}}
	if len(oldMid) <= maxDiffed && len(newMid) <= maxDiffed {
		fine := udiff.Lines(oldMid, newMid)
		for i := range fine {
			fine[i].Start += start
			fine[i].End += start
		}
		if len(fine) > 0 && len(fine)*len(before) <= maxDiffWork {
			edits = fine
		}
	}
	out, err := udiff.ToUnified(name, name, before, edits, 3)
	if err != nil {
		return diff{}
	}
	d := diff{Diff: out, FirstChangedLine: 1 + strings.Count(before[:edits[0].Start], "\n")}
	if d.Diff, d.DiffCut = head(out); d.DiffCut {
		d.Diff += fmt.Sprintf("… (%d more lines)\n", strings.Count(out[len(d.Diff):], "\n"))
	}
	return d
}

func diffable(s string) string {
	return valid(strings.ReplaceAll(strings.TrimPrefix(s, bom), "\r\n", "\n"))
}

// unchanged measures the whole lines that two different texts begin and end with.
func unchanged(a, b string) (start, end int) {
	n := min(len(a), len(b))
	for start < n && a[start] == b[start] {
		start++
	}
	start = strings.LastIndexByte(a[:start], '\n') + 1
	n -= start
	for end < n && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	atLine := func(s string) bool { return len(s)-end == start || s[len(s)-end-1] == '\n' }
	if !atLine(a) || !atLine(b) {
		end -= strings.IndexByte(a[len(a)-end:]+"\n", '\n') + 1
	}
	return start, max(end, 0)
}
