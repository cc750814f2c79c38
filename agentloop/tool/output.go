package tool

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	maxArtifact   = 256 << 20
	progressEvery = 100 * time.Millisecond
	progressBytes = 64 * 1024
)

// output keeps the end of what a command prints, in bounded memory, and the whole of a long one in
// an artifact file. Progress is told from a goroutine of its own, so a slow receiver slows down no
// command.
type output struct {
	dir, name string

	mu      sync.Mutex
	recent  []byte // the end of it, at least MaxBytes unless that is all
	dropped bool   // recent is not all
	bytes   int64
	lines   int
	last    byte

	file    *os.File
	path    string
	written int64
	lost    string // why the file is not whole

	progress func(string)
	pending  []byte
	stop     chan struct{}
	done     chan struct{}
}

func newOutput(call Call) *output {
	o := &output{dir: call.ArtifactDir, name: call.ID, progress: call.Progress}
	if o.progress != nil {
		o.stop, o.done = make(chan struct{}), make(chan struct{})
		go o.tell()
	}
	return o
}

// Write takes output as it comes. It never fails.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(b) == 0 {
		return 0, nil
	}
	o.bytes += int64(len(b))
	o.lines += bytes.Count(b, []byte("\n"))
	o.last = b[len(b)-1]
	o.keep(b)
	o.recent = append(o.recent, b...)
	if len(o.recent) > 4*MaxBytes {
		o.recent = append(o.recent[:0], o.recent[len(o.recent)-2*MaxBytes:]...)
		o.dropped = true
	}
	if o.progress != nil {
		o.pending = append(o.pending, b...)
		if n := len(o.pending); n > progressBytes {
			o.pending = append(o.pending[:0], o.pending[n-progressBytes:]...)
		}
	}
	return len(b), nil
}

// keep writes to the artifact file, from the moment that the result alone would not hold it all.
func (o *output) keep(b []byte) {
	if o.file == nil && o.lost == "" && (o.bytes > MaxBytes || o.lines > MaxLines) {
		if o.file, o.lost = o.create(); o.file != nil {
			o.path = o.file.Name()
			o.toFile(o.recent)
		}
	}
	if o.file != nil {
		o.toFile(b)
	}
}

func (o *output) toFile(b []byte) {
	if o.lost != "" {
		return
	}
	if o.written+int64(len(b)) > maxArtifact {
		b = b[:maxArtifact-o.written]
		o.lost = "only the first " + size(maxArtifact)
	}
	n, err := o.file.Write(b)
	o.written += int64(n)
	if err != nil {
		o.lost = "only the first " + size(o.written) + ", since writing it failed"
	}
}

func (o *output) create() (f *os.File, why string) {
	if o.dir == "" {
		return nil, "there is no place for it"
	}
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return nil, "its folder cannot be made"
	}
	name := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, o.name)
	f, err := os.CreateTemp(o.dir, "bash-"+name[:min(len(name), 60)]+"-*.log") // 0600
	if err != nil {
		return nil, "its file cannot be made"
	}
	return f, ""
}

func (o *output) close() {
	if o.progress != nil {
		close(o.stop)
		<-o.done
	}
	if o.file != nil {
		o.file.Close()
	}
}

// tell reports progress until the output is closed, and then what is left.
func (o *output) tell() {
	defer close(o.done)
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			o.flush(false)
		case <-o.stop:
			o.flush(true)
			return
		}
	}
}

func (o *output) flush(all bool) {
	o.mu.Lock()
	n := len(o.pending)
	if !all {
		n = wholeRunes(o.pending)
	}
	chunk := valid(string(o.pending[:n]))
	o.pending = append(o.pending[:0], o.pending[n:]...)
	o.mu.Unlock()
	if chunk != "" {
		o.progress(chunk)
	}
}

// wholeRunes is the length of b without a character that has only begun at its end.
func wholeRunes(b []byte) int {
	for i := len(b) - 1; i >= max(0, len(b)-utf8.UTFMax); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}

// text is the end of the output, and what was cut off.
func (o *output) text() (string, *truncation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	kept, by, partial := tail(o.recent)
	text := valid(string(kept))
	if !o.dropped && by == "" {
		return text, nil
	}
	total := o.lines
	if o.last != '\n' {
		total++
	}
	return text, &truncation{
		Truncated: true, TruncatedBy: by, TotalLines: total, TotalBytes: o.bytes,
		OutputLines: countLines(text), OutputBytes: len(text), LastLinePartial: partial,
		MaxLines: MaxLines, MaxBytes: MaxBytes,
	}
}

func (o *output) cutNote(t *truncation) string {
	note := fmt.Sprintf("[only the last %d of %d lines (%s of %s)", t.OutputLines, t.TotalLines, size(int64(t.OutputBytes)), size(t.TotalBytes))
	switch {
	case o.path == "":
		return note + "; the rest is lost: " + o.lost + "]"
	case o.lost != "":
		return note + fmt.Sprintf("; %s is in %s: search it with grep or read it in parts]", o.lost, filepath.Clean(o.path))
	}
	return note + fmt.Sprintf("; all of it is in %s: search it with grep or read it in parts]", filepath.Clean(o.path))
}
