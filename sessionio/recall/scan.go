package recall

import (
	"bytes"
	"context"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"io"
	"os"
)

const (
	block       = 1 << 20
	longestLine = 32 << 20 // what is longer is an image, and passed over
)

// scanner goes through files, one after the other, with one buffer.
type scanner struct {
	q     Query
	o     Options
	out   *collector
	sieve sieve
	buf   []byte
}

// file offers each matching message of a file to the collector.
func (s *scanner) file(ctx context.Context, info sessionio.Info) error {
	f, err := sessionio.OpenRegular(info.Path, os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return s.lines(ctx, f, func(no int, line []byte) {
		if s.sieve.passes(line) {
			s.line(info, no, line)
		}
	})
}

// lines reads lines; too long ones are passed over. The line is valid during the call alone.
func (s *scanner) lines(ctx context.Context, r io.Reader, each func(no int, line []byte)) error {
	if cap(s.buf) < block || cap(s.buf) > 4*block {
		s.buf = make([]byte, block)
	}
	s.buf = s.buf[:cap(s.buf)]
	no, have, skipping := 0, 0, false
	for ctx.Err() == nil {
		if have == len(s.buf) { // one line fills it
			if have >= longestLine {
				have, skipping = 0, true
			} else {
				s.buf = append(s.buf, make([]byte, len(s.buf))...)
			}
		}
		n, err := r.Read(s.buf[have:])
		from := have
		have += n
		at := 0
		for i := bytes.IndexByte(s.buf[from:have], '\n'); i >= 0; i = bytes.IndexByte(s.buf[from:have], '\n') {
			end := from + i
			no++
			if !skipping {
				each(no, s.buf[at:end])
			}
			skipping = false
			at, from = end+1, end+1
		}
		have = copy(s.buf, s.buf[at:have])
		switch {
		case errors.Is(err, io.EOF):
			if have > 0 && !skipping {
				each(no+1, s.buf[:have])
			}
			return nil
		case err != nil:
			return err
		}
	}
	return ctx.Err()
}

// line decodes a line and offers what it says.
func (s *scanner) line(info sessionio.Info, no int, line []byte) {
	var e sessionio.Entry
	if json.Unmarshal(bytes.TrimSpace(line), &e) != nil {
		return // listings count what can't be read
	}
	role, text := said(&e)
	if text == "" {
		return
	}
	words, at, ok := s.q.match(text)
	if !ok || s.o.Known != nil && s.o.Known(text) {
		return
	}
	h := &Hit{
		Session: info.ID, Path: info.Path, Title: info.Title(), Entry: e.ID, Role: role, Time: timeOf(&e), Matched: words, line: no,
	}
	if !s.out.wants(h) {
		return
	}
	h.Snippet = snippet(text, at, s.o.Snippet)
	if s.o.Merge {
		h.key = keyOf(text)
	}
	s.out.add(h)
}
