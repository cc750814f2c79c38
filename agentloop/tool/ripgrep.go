package tool

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// maxRecord bounds one line of ripgrep's answer; a longer one is passed over.
const maxRecord = 4 << 20

// ripgrep lets rg search, and reads its answer line by line until the limits are reached.
func (s *search) ripgrep(ctx context.Context, rg string, call Call, out *found) error {
	args := []string{
		"--no-config", "--json", "--hidden", "--crlf", "--no-require-git", "--sort", "path", "--glob", "!.git",
		"--context", fmt.Sprint(s.context),
	}
	if s.args.IgnoreCase {
		args = append(args, "--ignore-case")
	}
	if s.args.Literal {
		args = append(args, "--fixed-strings")
	}
	if s.args.Glob != "" {
		args = append(args, "--glob", s.args.Glob)
	}
	dir, target := s.root, "."
	if !s.isDir {
		dir, target = filepath.Dir(s.root), s.root
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	cmd := exec.CommandContext(ctx, rg, append(args, "--regexp", s.args.Pattern, "--", target)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, call.Env, 500*time.Millisecond
	stderr := &firstBytes{}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("cannot start %s: %w", rg, err)
	}
	s.readRecords(stdout, out)
	if out.full() {
		stop()
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case out.full():
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &exit) && exit.ExitCode() == 1, err == nil:
		return nil // 1: no matches
	case out.matches > 0:
		return nil // some files could not be read
	}
	return fmt.Errorf("grep: %s", oneLine(strings.TrimSpace(string(stderr.b)), 500))
}

// record is a line of ripgrep's answer.
type record struct {
	Type string
	Data struct {
		Path, Lines rgText
		LineNumber  int `json:"line_number"`
	}
}

// rgText is text, or base64 where it is not UTF-8.
type rgText struct {
	Text  string
	Bytes []byte
}

func (t rgText) bytes() []byte {
	if t.Bytes != nil {
		return t.Bytes
	}
	return []byte(t.Text)
}

func (s *search) readRecords(r io.Reader, out *found) {
	br := bufio.NewReaderSize(r, 64*1024)
	for !out.full() {
		line, err := boundedLine(br, maxRecord)
		if err != nil {
			return
		}
		var rec record
		if json.Unmarshal(line, &rec) != nil || rec.Type != "match" && rec.Type != "context" {
			continue
		}
		p := string(rec.Data.Path.bytes())
		if !filepath.IsAbs(p) {
			p = filepath.Join(s.root, p)
		}
		if s.isDir && s.private(p) {
			continue
		}
		text := rec.Data.Lines.bytes()
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			text = text[:i+1]
		}
		if !out.add(p, rec.Data.LineNumber, text, rec.Type == "match") {
			return
		}
	}
}

// boundedLine reads a line; of one over limit nothing is kept.
func boundedLine(r *bufio.Reader, limit int) ([]byte, error) {
	var b []byte
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || len(b)+len(part) > limit; !long {
			b = append(b, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if long {
				b = nil
			}
			return b, err
		}
	}
}

// firstBytes keeps the beginning of what is written to it.
type firstBytes struct{ b []byte }

func (f *firstBytes) Write(b []byte) (int, error) {
	f.b = append(f.b, b[:min(len(b), 4096-min(4096, len(f.b)))]...)
	return len(b), nil
}
