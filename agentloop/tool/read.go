package tool

import (
	"bufio"
	"context"
	"dugout/sessionio"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

const (
	// maxImage is the largest image file that providers take, base64 counted.
	maxImage = 3_750_000
	// countBelow is the size up to which the rest of a file is read to say how many lines it has.
	countBelow = 16 << 20
)

//go:embed read.md
var readText string

type readTool struct{}

type readArgs struct {
	Path   string `json:"path"`
	Offset number `json:"offset"`
	Limit  number `json:"limit"`
}

func (readTool) Name() string        { return "read" }
func (readTool) Description() string { return strings.TrimSpace(readText) }

func (readTool) Schema() json.RawMessage {
	return schema(`{"type":"object","properties":{` +
		`"path":{"type":"string","description":"file, relative to the working folder or absolute"},` +
		`"offset":{"type":"integer","description":"first line to read, counted from 1"},` +
		`"limit":{"type":"integer","description":"how many lines at most"}},"required":["path"]}`)
}

func (t readTool) Effect(call Call) (Effect, error) {
	args, err := decode[readArgs](t.Name(), call)
	if err != nil {
		return Effect{}, err
	}
	if args.Path == "" {
		return Effect{}, missing(t.Name(), "path")
	}
	path, err := call.resolve(args.Path)
	if err != nil {
		return Effect{}, err
	}
	return Effect{Kind: Reads, Paths: []string{path}, Title: "read " + call.short(path)}, nil
}

func (t readTool) Run(ctx context.Context, call Call) (Result, error) {
	args, err := decode[readArgs](t.Name(), call)
	if err != nil {
		return Result{}, err
	}
	if args.Path == "" {
		return Result{}, missing(t.Name(), "path")
	}
	path, err := call.resolve(args.Path)
	if err != nil {
		return Result{}, err
	}
	f, fi, err := openRegular(path)
	if err != nil {
		return Result{}, err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64*1024)
	start, err := r.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return Result{}, err
	}
	if mime := imageType(start); mime != "" {
		return readImage(r, path, mime, fi.Size())
	}
	if binary(start) {
		return Result{}, fmt.Errorf("%s is a binary file of %s: look at it with bash (file, strings, xxd | head)", path, size(fi.Size()))
	}
	p := &page{r: r, first: max(1, args.Offset.int(math.MaxInt32)), limit: MaxLines, path: path}
	if n := args.Limit.int(MaxLines); n > 0 {
		p.limit = n
	}
	return p.read(ctx, fi.Size())
}

func readImage(r io.Reader, path, mime string, n int64) (Result, error) {
	tooBig := fmt.Errorf("%s is an image of %s, more than a model takes (%s): make a smaller copy and read that", path, size(n), size(maxImage))
	if n > maxImage {
		return Result{}, tooBig
	}
	b, err := io.ReadAll(io.LimitReader(r, maxImage+1))
	if err != nil {
		return Result{}, err
	}
	if len(b) > maxImage {
		return Result{}, tooBig
	}
	return Result{Content: []sessionio.Block{
		{Type: sessionio.BlockText, Text: fmt.Sprintf("[%s, %s, %s]", valid(path), mime, size(int64(len(b))))},
		{Type: sessionio.BlockImage, Data: base64.StdEncoding.EncodeToString(b), MimeType: mime},
	}}, nil
}

// page reads a window of a text file's lines, without holding more than the window.
type page struct {
	r     *bufio.Reader
	path  string
	first int // counted from 1
	limit int

	line int // lines read so far
	text strings.Builder
	kept int
}

func (p *page) read(ctx context.Context, fileSize int64) (Result, error) {
	for p.line < p.first-1 {
		if ok, err := p.skipLine(ctx); err != nil {
			return Result{}, err
		} else if !ok {
			return p.pastEnd()
		}
	}
	by := "lines"
	for p.kept < p.limit {
		line, long, err := p.nextLine(ctx)
		if err != nil && !errors.Is(err, io.EOF) {
			return Result{}, err
		}
		if line == "" && err != nil {
			by = ""
			break
		}
		if long || p.text.Len()+len(line) > MaxBytes {
			by = "bytes"
			break
		}
		p.text.WriteString(line)
		p.kept++
	}
	switch {
	case p.kept == 0 && by == "bytes":
		return p.longLine(), nil
	case p.kept == 0 && p.first > 1:
		return p.pastEnd()
	case p.kept == 0:
		return Text("[the file is empty]"), nil
	}
	return p.result(ctx, by, fileSize)
}

func (p *page) pastEnd() (Result, error) {
	return Result{}, fmt.Errorf("offset %d is past the end of %s, which has %d lines", p.first, p.path, p.line)
}

func (p *page) longLine() Result {
	return Result{
		Content: []sessionio.Block{{Type: sessionio.BlockText, Text: fmt.Sprintf(
			"[line %d alone is longer than %s: read a part of it with bash, such as sed -n '%dp' FILE | cut -c1-2000]",
			p.first, size(MaxBytes), p.first)}},
		Details: details(map[string]any{"truncation": truncation{
			Truncated: true, TruncatedBy: "bytes", FirstLineExceedsLimit: true, MaxLines: MaxLines, MaxBytes: MaxBytes,
		}}),
	}
}

func (p *page) result(ctx context.Context, by string, fileSize int64) (Result, error) {
	text := strings.TrimPrefix(p.text.String(), bom)
	shown := p.first + p.kept - 1
	more := by == "bytes"
	if by == "lines" {
		_, err := p.r.Peek(1)
		more = err == nil
	}
	total := 0
	if more && fileSize <= countBelow {
		for {
			ok, err := p.skipLine(ctx)
			if err != nil {
				return Result{}, err
			}
			if !ok {
				break
			}
		}
		total = p.line
	}
	clean := valid(strings.ReplaceAll(text, "\r\n", "\n"))
	if clean != strings.ReplaceAll(text, "\r\n", "\n") {
		clean += "\n[not all of it is UTF-8: the rest is shown as \uFFFD]"
	}
	res := Text(clean)
	if !more {
		return res, nil
	}
	of := "a file of " + size(fileSize)
	if total > 0 {
		of = fmt.Sprint(total)
	}
	res.Content[0].Text += fmt.Sprintf("\n[lines %d-%d of %s; go on with offset=%d]", p.first, shown, of, shown+1)
	res.Details = details(map[string]any{"truncation": truncation{
		Truncated: true, TruncatedBy: by, TotalLines: total, TotalBytes: fileSize,
		OutputLines: p.kept, OutputBytes: len(text), MaxLines: MaxLines, MaxBytes: MaxBytes,
	}})
	return res, nil
}

// nextLine reads a line with its end; long means that it is over MaxBytes: then the rest of it is
// still to come, unless complete.
func (p *page) nextLine(ctx context.Context) (line string, long bool, err error) {
	var b []byte
	for {
		part, err := p.r.ReadSlice('\n')
		b = append(b, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			if len(b) > 0 {
				p.line++
			}
			return string(b), len(b) > MaxBytes, err
		}
		if ctx.Err() != nil {
			return "", false, ctx.Err()
		}
		if len(b) > MaxBytes {
			return string(b), true, nil
		}
	}
}

// skipLine passes over a line; false at the end of the file.
func (p *page) skipLine(ctx context.Context) (bool, error) {
	found := false
	for {
		part, err := p.r.ReadSlice('\n')
		found = found || len(part) > 0
		switch {
		case err == nil, errors.Is(err, io.EOF):
			if found {
				p.line++
			}
			return found, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return false, err
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
}
