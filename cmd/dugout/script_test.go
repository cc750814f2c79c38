package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience bounds every wait for a condition. Nothing is measured by it.
const patience = 30 * time.Second

// TestScripts runs the program as its users do, one behaviour a file. Each script has a home of its
// own, $WORK/home, and works in $WORK/src. Beside testscript's commands there are those of
// scriptCommands. When a script ends its daemons are stopped, and no process of it may be left.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/scripts", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: setUpScript, Cmds: scriptCommands(),
	})
}

func setUpScript(e *testscript.Env) error {
	src := filepath.Join(e.WorkDir, "src")
	if err := os.MkdirAll(src, 0o700); err != nil {
		return err
	}
	home := filepath.Join(e.WorkDir, "home")
	if err := os.Chmod(home, 0o700); err != nil && !errors.Is(err, os.ErrNotExist) { // a script's files are for everybody
		return err
	}
	e.Cd = src
	e.Setenv("HOME", filepath.Join(e.WorkDir, "user"))
	e.Setenv("DUGOUT_HOME", home)
	dugout, err := exec.LookPath("dugout")
	if err != nil {
		return err
	}
	e.Setenv("DUGOUT", dugout) // for scripts with a PATH of their own
	e.Setenv("SESSIONS", filepath.Join(home, "sessions"))
	vars := e.Vars
	e.Defer(func() {
		if err := endOf(e.WorkDir, vars); err != nil {
			e.T().Fatal(err)
		}
	})
	return nil
}

func scriptCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exits":   scriptExits,
		"capture": scriptCapture,
		"until":   scriptUntil,
		"only":    scriptOnly,
		"valid":   scriptValid,
		"lines":   scriptLines,
		"modes":   scriptModes,
		"tear":    scriptTear,
		"bytes":   scriptBytes,
		"begins":  scriptBegins,
		"utf8":    scriptUTF8,
		"plain":   scriptPlain,
	}
}

// exits STATUS PROGRAM ARG... runs a program that must end with that very status.
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var ended *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &ended) {
		got = ended.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// capture NAME REGEXP puts what the group of the expression finds in the last output into $NAME.
func scriptCapture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: capture NAME REGEXP")
	}
	m := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(m) != 2 {
		ts.Fatalf("no group of %q is in the last output", args[1])
	}
	ts.Setenv(args[0], m[1])
}

// [!] until REGEXP PROGRAM ARG... runs a program again and again until its output matches (or no
// longer does).
func scriptUntil(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: until REGEXP PROGRAM ARG...")
	}
	re := regexp.MustCompile("(?m)" + args[0])
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		err := ts.Exec(args[1], args[2:]...)
		if err == nil && re.MatchString(ts.ReadFile("stdout")) != neg {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("waited in vain for %q (last: %v)", args[0], err)
		}
	}
}

// only NAME PATTERN puts the path of the one file that matches into $NAME; [!] no file matches.
func scriptOnly(ts *testscript.TestScript, neg bool, args []string) {
	if neg && len(args) != 1 || !neg && len(args) != 2 {
		ts.Fatalf("usage: only NAME PATTERN, or ! only PATTERN")
	}
	found, err := filepath.Glob(ts.MkAbs(args[len(args)-1]))
	ts.Check(err)
	switch {
	case neg && len(found) > 0:
		ts.Fatalf("there is %v", found)
	case !neg && len(found) != 1:
		ts.Fatalf("found %v, want one", found)
	case !neg:
		ts.Setenv(args[0], found[0])
	}
}

// lines N FILE checks the number of lines.
func scriptLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines N FILE")
	}
	if n := strconv.Itoa(strings.Count(ts.ReadFile(args[1]), "\n")); n != args[0] {
		ts.Fatalf("%s has %s lines, want %s", args[1], n, args[0])
	}
}

// modes FOLDER checks that all below (and itself) is for the owner alone: 0700 and 0600.
func scriptModes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: modes FOLDER")
	}
	n := 0
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		want := os.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if n++; st.Mode().Perm() != want {
			return fmt.Errorf("%s is %v, want %v", path, st.Mode().Perm(), want)
		}
		return nil
	}))
	if n < 3 {
		ts.Fatalf("%s holds next to nothing", args[0])
	}
}
