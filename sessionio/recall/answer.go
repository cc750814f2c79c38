package recall

import (
	"context"
	"dugout/sessionio"
	"slices"
)

// answers gives each question among the hits the answer that its turn ended on. A session that can't
// be opened again leaves its questions as they are.
func answers(ctx context.Context, hits []Hit, q Query, o Options) error {
	byPath := map[string][]*Hit{}
	for i := range hits {
		if h := &hits[i]; h.Role == sessionio.RoleUser && h.Answer == nil {
			byPath[h.Path] = append(byPath[h.Path], h)
		}
	}
	for path, questions := range byPath {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := sessionio.Open(path, sessionio.Options{ReadOnly: true})
		if err != nil {
			continue
		}
		answerAll(s, questions, q, o)
		_ = s.Close() // read-only
	}
	return nil
}

func answerAll(s *sessionio.Session, questions []*Hit, q Query, o Options) {
	metas := s.Tree().All()
	ends := lastAnswers(metas)
	for _, h := range questions {
		for _, m := range metas {
			if m.Line != h.line || m.Role != sessionio.RoleUser {
				continue
			}
			h.Answer = answerOf(s, ends[m.ID], q, o)
			break
		}
	}
}

// lastAnswers lists, for each question, what was answered in its turn, the last one last. A turn is
// all that hangs under a question up to the next ones.
func lastAnswers(metas []sessionio.Meta) map[sessionio.EntryID][]sessionio.EntryID {
	asked := make(map[sessionio.EntryID]sessionio.EntryID, len(metas)) // entry -> the question it is under
	out := map[sessionio.EntryID][]sessionio.EntryID{}
	for _, m := range metas {
		question := asked[m.Parent]
		if m.Type == sessionio.TypeMessage && m.Role == sessionio.RoleUser {
			question = m.ID
		}
		asked[m.ID] = question
		if question != "" && m.Type == sessionio.TypeMessage && m.Role == sessionio.RoleAssistant {
			out[question] = append(out[question], m.ID)
		}
	}
	return out
}

// answerOf is the last of a turn's answers that says a word; those that only call tools say none. It
// is nil when the asker knows it.
func answerOf(s *sessionio.Session, ids []sessionio.EntryID, q Query, o Options) *Answer {
	for _, id := range slices.Backward(ids) {
		e, err := s.Entry(id)
		if err != nil {
			continue
		}
		_, text := said(&e)
		if text == "" {
			continue
		}
		if o.Known != nil && o.Known(text) {
			return nil
		}
		_, at, _ := q.match(text)
		return &Answer{Entry: id, Time: timeOf(&e), Snippet: snippet(text, at, o.Snippet), key: keyOf(text)}
	}
	return nil
}
