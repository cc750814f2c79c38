package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// uses says, for each folder, which of our packages it may import. A name that ends in /... covers
// the folders below it. This table is the drawing of the house; a new arrow is a decision.
var uses = map[string][]string{
	"sessionio":               {},
	"sessionio/trash":         {},
	"sessionio/recall":        {"sessionio"},
	"sessionio/store":         {"sessionio", "sessionio/trash"},
	"sessionio/sessiontest":   {"sessionio", "sessionio/store"},
	"daemonclient/protocol":   {"sessionio"},
	"daemonclient":            {"daemonclient/protocol", "sessionio"},
	"daemonclient/clienttest": {"daemonclient", "daemonclient/protocol", "sessionio"},
	"roster":                  {"sessionio", "daemonclient/protocol"},
	"roster/live":             {"roster", "sessionio", "sessionio/store", "daemonclient", "daemonclient/protocol"},
	"agentloop/permission":    {},
	"agentloop/model":         {"sessionio"},
	"agentloop/model/...":     {"agentloop/model", "sessionio"},
	"agentloop/tool":          {"sessionio"},
	"agentloop/compaction":    {"agentloop/model", "sessionio"},
	"agentloop/prompt":        {"sessionio"},
	"agentloop":               {"agentloop/model", "agentloop/tool", "agentloop/permission", "agentloop/compaction", "agentloop/prompt", "sessionio"},
	"agentloop/host":          {"agentloop", "agentloop/model", "agentloop/tool", "agentloop/permission", "daemonclient/protocol", "sessionio", "sessionio/store", "sessionio/recall"},
	"views/sanitize":          {},
	"views/transcript":        {"sessionio", "daemonclient/protocol"},
	"views/tui/theme":         {},
	"views/tui/keymap":        {},
	"views/tui/cells":         {},
	"views/tui/screen":        {"views/tui/theme", "views/tui/keymap", "views/tui/cells"},
	"views/tui/markdown":      {"views/tui/theme", "views/tui/cells", "views/sanitize"},
	"views/tui/diff":          {"views/tui/theme", "views/tui/cells", "views/sanitize"},
	"views/tui/widget":        {"views/tui/screen", "views/tui/theme", "views/tui/keymap", "views/tui/cells", "views/sanitize"},
	"views/tui/rosterview":    screens,
	"views/tui/chatview":      screens,
	"views/tui/treeview":      screens,
	"views/tui/app":           {"views/tui/...", "views/sanitize", "views/transcript", "roster", "roster/live", "daemonclient", "daemonclient/protocol", "sessionio"},
	"views/tui/tuitest":       {"views/tui/screen"},
	"views/headless":          frontEnds,
	"cmd/internal/settings":   {"views/tui/keymap", "agentloop/permission"},
	"cmd/internal/demo":       {"sessionio", "sessionio/store", "daemonclient", "daemonclient/protocol"},
	"cmd/dugout":              {"..."},
}

// A screen knows the contract, the widgets and the shapes of data; not the client, not the app, not
// another screen.
var screens = []string{
	"views/tui/screen", "views/tui/widget", "views/tui/markdown", "views/tui/diff", "views/tui/theme", "views/tui/keymap",
	"views/tui/cells", "views/transcript", "views/sanitize", "roster", "daemonclient/protocol", "sessionio",
}

var frontEnds = []string{
	"views/transcript", "views/sanitize", "roster", "roster/live", "daemonclient", "daemonclient/protocol", "sessionio",
}

// outside says which folders alone may import a library (by prefix), or a part of the standard one.
var outside = map[string][]string{
	"github.com/charmbracelet/bubbletea": {"views/tui/..."},
	"github.com/charmbracelet/bubbles":   {"views/tui/..."},
	"github.com/charmbracelet/lipgloss":  {"views/tui/..."},
	"github.com/fsnotify/fsnotify":       {"roster/live"},
	"github.com/sahilm/fuzzy":            {"roster", "views/tui/widget", "views/tui/chatview"},
	"github.com/anthropics/":             {"agentloop/model/anthropic"},
	"github.com/openai/":                 {"agentloop/model/openai"},
	"net/http":                           {"agentloop/...", "cmd/..."},
	"os/exec":                            {"agentloop/...", "sessionio/...", "daemonclient", "views/tui/chatview", "cmd/..."},
	"testing":                            {"sessionio/sessiontest", "agentloop/model/modeltest", "daemonclient/clienttest", "views/tui/tuitest"},
}

const maxLines = 450

func covers(pattern, pkg string) bool {
	base, deep := strings.CutSuffix(pattern, "/...")
	return pkg == base || pattern == "..." || deep && strings.HasPrefix(pkg, base+"/")
}

// ruleFor finds the most particular line of the table for a folder.
func ruleFor(pkg string) (list []string, ok bool) {
	best := -1
	for pattern, l := range uses {
		n := 2 * len(strings.TrimSuffix(pattern, "/..."))
		if pattern == pkg {
			n++ // an exact name beats a folder of the same length
		}
		if covers(pattern, pkg) && n > best {
			list, best = l, n
		}
	}
	return list, best >= 0
}

func allowed(list []string, pkg string) bool {
	for _, pattern := range list {
		if covers(pattern, pkg) {
			return true
		}
	}
	return false
}

func under(lib, imp string) bool {
	return imp == lib || strings.HasSuffix(lib, "/") && strings.HasPrefix(imp, lib) || strings.HasPrefix(imp, lib+"/")
}

type goPackage struct {
	ImportPath, Dir, Doc string
	Imports, GoFiles     []string
}

// TestArchitecture keeps the import table, the size of files and a comment for each package.
func TestArchitecture(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,Dir,GoFiles,Doc", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		seen++
		checkImports(t, p)
		checkFiles(t, p)
	}
	if seen < 8 {
		t.Fatalf("go list found only %d packages", seen)
	}
}

func checkImports(t *testing.T, p goPackage) {
	t.Helper()
	pkg := strings.TrimPrefix(p.ImportPath, "dugout/")
	rule, ok := ruleFor(pkg)
	if !ok {
		t.Errorf("%s: no rule for this folder in the table", pkg)
	}
	if p.Doc == "" {
		t.Errorf("%s has no package comment", pkg)
	}
	for _, imp := range p.Imports {
		if ours, isOurs := strings.CutPrefix(imp, "dugout/"); isOurs {
			if !allowed(rule, ours) {
				t.Errorf("%s imports %s: not in the table", pkg, ours)
			}
			if strings.HasSuffix(ours, "test") {
				t.Errorf("%s imports the test helper %s outside a test", pkg, ours)
			}
			continue
		}
		for lib, homes := range outside {
			if under(lib, imp) && !allowed(homes, pkg) {
				t.Errorf("%s imports %s: only %v may", pkg, imp, homes)
			}
		}
	}
}

func checkFiles(t *testing.T, p goPackage) {
	t.Helper()
	for _, f := range p.GoFiles {
		b, err := os.ReadFile(filepath.Join(p.Dir, f))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(b), "\n"); n > maxLines {
			t.Errorf("%s/%s has %d lines: split it by idea", p.ImportPath, f, n)
		}
	}
}
