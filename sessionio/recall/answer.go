package recall

import (
	"bytes"
	"context"
	"dugout/sessionio"
	"encoding/json"
	"os"
)

// answers gives each question among the hits the answer that its turn ended on. A file that can't be
// read again leaves its questions as they are.
func answers(ctx context.Context, hits []Hit, q Query, o Options) error {
	byPath := map[string]map[int]*Hit{} // by line
	for i := range hits {
		h := &hits[i]
		if h.Role != sessionio.RoleUser || h.Answer != nil {
			continue
		}
		if byPath[h.Path] == nil {
			byPath[h.Path] = map[int]*Hit{}
		}
		byPath[h.Path][h.line] = h
	}
	s := scanner{}
	for path, questions := range byPath {
		f, err := sessionio.OpenRegular(path, os.O_RDONLY)
		if err != nil {
			continue
		}
		t := turns{q: q, o: o, asked: questions, under: map[string]*Hit{}, known: map[*Hit]bool{}}
		_ = s.lines(ctx, f, t.line)
		_ = f.Close()
		t.leaveKnown()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// turns follows the turns of the questions asked for through a file. A turn is all that hangs under a
// question up to the next ones. An entry lies behind its parent, or begins a tree of its own.
type turns struct {
	q      Query
	o      Options
	asked  map[int]*Hit    // by the line of the question
	under  map[string]*Hit // entry -> the question whose turn it is part of
	known  map[*Hit]bool   // questions whose last answer the asker has
	before string
}

func (t *turns) line(no int, line []byte) {
	l, ok := linkOf(line, no, t.before)
	if !ok {
		return
	}
	t.before = l.id
	question := t.under[l.parent]
	delete(t.under, l.id) // a later double of an id takes its place
	if l.role == sessionio.RoleUser {
		question = t.asked[no]
	}
	if question == nil {
		return
	}
	t.under[l.id] = question
	if l.role != sessionio.RoleAssistant {
		return
	}
	var e sessionio.Entry
	if json.Unmarshal(bytes.TrimSpace(line), &e) != nil {
		return
	}
	if _, text := said(&e); text != "" { // one that only calls tools says nothing
		_, at, _ := t.q.match(text)
		question.Answer = &Answer{Entry: e.ID, Time: timeOf(&e), Snippet: snippet(text, at, t.o.Snippet), key: keyOf(text)}
		t.known[question] = t.o.Known != nil && t.o.Known(text)
	}
}

// leaveKnown leaves out answers that the asker has.
func (t *turns) leaveKnown() {
	for h, known := range t.known {
		if known {
			h.Answer = nil
		}
	}
}
