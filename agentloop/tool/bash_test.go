package tool

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
)

// until waits for a condition.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatal("not in 20 s: " + what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestBash(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command, want string
		code          float64
	}{
		{"echo hi", "hi\n", 0},
		{"pwd", "DIR\n", 0},
		{"true", "[no output]", 0},
		{"echo a; echo b >&2; echo c", "a\nb\nc\n", 0},
		{"echo a; exit 3", "a\n[exit status 3]", 3},
		{"exit 3", "[no output]\n[exit status 3]", 3},
		{"kill -9 $$", "[no output]\n[ended by the signal killed, exit status 137]", 137},
		{"cat; echo end", "end\n", 0}, // there is no input
		{`printf 'caf\xe9'`, "caf\uFFFD", 0},
		{"[[ a == a ]] && echo bash", "bash\n", 0},
	} {
		b := newBench(t, nil)
		res, err := b.run("bash", args{"command": c.command})
		if err != nil {
			t.Errorf("%s: %v", c.command, err)
			continue
		}
		if got := strings.ReplaceAll(textOf(res), b.dir, "DIR"); got != c.want || res.IsError != (c.code != 0) {
			t.Errorf("%s: %q, error %v; want %q", c.command, got, res.IsError, c.want)
		}
		if got := detailsOf(t, res)["exitCode"]; got != c.code {
			t.Errorf("%s: exit code %v, want %v", c.command, got, c.code)
		}
	}
	b := newBench(t, nil)
	b.fails("bash", args{"command": " "}, "missing")
	b.fails("bash", args{"command": "a\x00b"}, "NUL")
	e, err := b.tool("bash").Effect(b.call(args{"command": "echo x >f\n\x1b[2Jecho"}))
	if err != nil || e.Kind != Execs || e.Command != "echo x >f\n\x1b[2Jecho" || e.Title != "echo x >f  [2Jecho" {
		t.Errorf("%+v, %v", e, err)
	}
	if left, _ := os.ReadDir(b.dir); len(left) > 0 {
		t.Error("the effect ran the command")
	}
}

func TestBashEnvironment(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	call := b.call(args{"command": "echo $FOO; echo ~"})
	call.Env = []string{"FOO=bar", "HOME=/h", "PATH=/bin:/usr/bin"}
	if res, err := b.runCall("bash", call); err != nil || textOf(res) != "bar\n/h\n" {
		t.Errorf("%q, %v", textOf(res), err)
	}
}

func TestBashKeepsAllOfALongOutput(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	res, err := b.run("bash", args{"command": "seq 1 30000"})
	if err != nil {
		t.Fatal(err)
	}
	d := detailsOf(t, res)
	path, _ := d["fullOutputPath"].(string)
	whole, err := os.ReadFile(path)
	if err != nil || strings.Count(string(whole), "\n") != 30000 || !strings.HasPrefix(string(whole), "1\n2\n") || !strings.HasSuffix(string(whole), "\n30000\n") {
		t.Errorf("the whole output: %d bytes, %v", len(whole), err)
	}
	got := textOf(res)
	if !strings.HasPrefix(got, "28001\n") || !strings.Contains(got, "\n30000\n[only the last 2000 of 30000 lines") || !strings.Contains(got, path) {
		t.Errorf("%.20q … %q", got, got[len(got)-300:])
	}
	if tr, _ := d["truncation"].(map[string]any); tr["totalLines"] != 30000.0 || tr["truncatedBy"] != "lines" {
		t.Errorf("truncation %v", d)
	}
	if fi, _ := os.Stat(path); fi.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", fi.Mode())
	}
	call := b.call(args{"command": "seq 1 30000"})
	call.ArtifactDir = ""
	if res, err := b.runCall("bash", call); err != nil || !strings.Contains(textOf(res), "the rest is lost") {
		t.Errorf("without a place: %v", err)
	}
	if res, err := b.run("bash", args{"command": "seq 1 2000"}); err != nil || strings.Contains(textOf(res), "[") {
		t.Errorf("2000 lines are cut: %v", err)
	}
}

func TestBashOfAGigabyteInBoundedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	b := newBench(t, nil)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := b.run("bash", args{"command": "head -c 1000000000 /dev/zero | tr '\\0' x"})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.TotalAlloc - before.TotalAlloc); grown > 64<<20 {
		t.Errorf("%d MB were taken", grown>>20)
	}
	d := detailsOf(t, res)
	fi, err := os.Stat(d["fullOutputPath"].(string))
	if err != nil || fi.Size() != maxArtifact {
		t.Errorf("artifact %v, %v", fi, err)
	}
	if tr, _ := d["truncation"].(map[string]any); tr["totalBytes"] != 1e9 || tr["lastLinePartial"] != true {
		t.Errorf("truncation %v", tr)
	}
	os.Remove(d["fullOutputPath"].(string))
}

func TestBashTimeout(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	res, err := b.run("bash", args{"command": "echo begun; sleep 100", "timeout": "0.3"})
	if err != nil || !res.IsError || !strings.HasPrefix(textOf(res), "begun\n[ended after the timeout of 300ms") {
		t.Errorf("%q, %v", textOf(res), err)
	}
	if detailsOf(t, res)["timedOut"] != true {
		t.Errorf("details %s", res.Details)
	}
}

// gone says that a process has ended (a zombie that no one waits for counts).
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func (b *bench) pid(name string) int {
	b.Helper()
	until(b.T, "a pid in "+name, func() bool {
		s, _ := os.ReadFile(filepath.Join(b.dir, name))
		return strings.HasSuffix(string(s), "\n")
	})
	n, err := strconv.Atoi(strings.TrimSpace(b.get(name)))
	if err != nil {
		b.Fatal(err)
	}
	return n
}

func TestBashAbortLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"plain":      "echo out; echo $$ >a; sleep 100 & echo $! >b; wait",
		"deaf":       `trap "" INT TERM; echo out; echo $$ >a; (trap "" INT TERM; while :; do sleep 1; done) & echo $! >b; while :; do sleep 1; done`,
		"background": "echo out; echo $$ >a; (trap '' TERM; sleep 100) >/dev/null 2>&1 & echo $! >b; sleep 100",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, nil)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			type outcome struct {
				res Result
				err error
			}
			done := make(chan outcome, 1)
			go func() {
				res, err := b.tool("bash").Run(ctx, b.call(args{"command": command}))
				done <- outcome{res, err}
			}()
			first, second := b.pid("a"), b.pid("b")
			cancel()
			o := <-done
			if o.err != nil || !o.res.IsError || textOf(o.res) != "out\n[aborted]" {
				t.Errorf("%q, %v", textOf(o.res), o.err)
			}
			until(t, "the group is gone", func() bool { return gone(first) && gone(second) })
		})
	}
}

func TestBashBackgroundChildren(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	ended := make(chan int, 1)
	b.opts.Started = func(group int) func() { return func() { ended <- group } }
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	res, err := b.tool("bash").Run(ctx, b.call(args{"command": "sleep 1000 & echo $! >pid; echo begun"}))
	if err != nil || res.IsError || !strings.HasPrefix(textOf(res), "begun\n[processes left in the background") {
		t.Fatalf("%q, %v", textOf(res), err)
	}
	pid := b.pid("pid")
	if gone(pid) {
		t.Error("the child in the background was ended with its command")
	}
	cancel() // the end of the turn
	until(t, "the child is gone", func() bool { return gone(pid) })
	<-ended
}

func TestBashTellsOfItsGroup(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	var log []string
	b.opts.Started = func(group int) func() {
		log = append(log, fmt.Sprint("began ", group > 1))
		return func() { log = append(log, "ended") }
	}
	b.text("bash", args{"command": "true"})
	if got := strings.Join(log, ", "); got != "began true, ended" {
		t.Error(got)
	}
}

func TestBashProgress(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	var mu sync.Mutex
	var all strings.Builder
	var most int
	call := b.call(args{"command": "printf 'a\\xc3'; until [ -e go ]; do sleep 0.02; done; printf '\\xa9b'; head -c 300000 /dev/zero | tr '\\0' x; printf end"})
	call.Progress = func(chunk string) {
		mu.Lock()
		defer mu.Unlock()
		if !utf8.ValidString(chunk) {
			t.Errorf("not UTF-8: %.40q", chunk)
		}
		all.WriteString(chunk)
		most = max(most, len(chunk))
		if chunk == "a" {
			b.put("go", "")
		}
	}
	if _, err := b.runCall("bash", call); err != nil {
		t.Fatal(err)
	}
	if got := all.String(); !strings.HasPrefix(got, "a") || !strings.HasSuffix(got, "end") {
		t.Errorf("%.20q … %q", got, got[len(got)-10:])
	}
	if most > progressBytes+utf8.UTFMax*3 {
		t.Errorf("a chunk of %d bytes", most)
	}
}

func BenchmarkOutput(b *testing.B) {
	chunk := []byte(strings.Repeat(strings.Repeat("x", 79)+"\n", 400))
	o := &output{lost: "nowhere"}
	b.SetBytes(int64(len(chunk)))
	for b.Loop() {
		_, _ = o.Write(chunk)
	}
}
