package agentloop

import (
	"dugout/agentloop/model"
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"strings"
)

// fail ends a turn that failed. Its record goes under the parent of the unanswered question: the
// question stays in the file as a branch of its own, out of every reader's context. Where the turn
// had answered already (a tool ran, then the next call failed) no question is open, and the record
// goes to the leaf: the work that was done happened, and the model must go on knowing it.
func (a *Agent) fail(t *turn, err error) {
	rec := a.record(t, sessionio.ErrorGeneration, err)
	var lost *storageError
	if errors.As(err, &lost) {
		a.tellError(rec)
		return
	}
	if err := a.keepFailure(t, rec); err != nil {
		a.tellError(rec)
		rec = a.record(t, sessionio.ErrorGeneration, err)
	}
	a.tellError(rec)
}

func (a *Agent) keepFailure(t *turn, rec sessionio.ErrorRecord) error {
	if said(t.partial) {
		// what had come is kept where the question is; readers leave it out of the context
		m := *t.partial
		a.signAnswer(&m, sessionio.StopError, rec.Line)
		if _, err := a.append(a.message(m)); err != nil {
			return err
		}
	}
	t.partial = nil
	a.dropAnswer(t)
	e, err := errorEntry(rec)
	if err != nil {
		return err
	}
	if !t.open {
		if _, err := a.append(e); err != nil {
			return err
		}
		return a.sync()
	}
	again, err := a.saidSince(t.parent)
	if err != nil {
		return err
	}
	if _, err := a.appendUnder(t.parent, e); err != nil {
		return err
	}
	for _, e := range again {
		if _, err := a.append(e); err != nil {
			return err
		}
	}
	if err := a.surveyLeaf(); err != nil {
		return err
	}
	return a.sync()
}

// saidSince lists what was set on the branch that is about to be left and has to hold on: the model,
// the thinking level, a compaction. Without it a model chosen during a retry would be forgotten with
// the failed question.
func (a *Agent) saidSince(parent sessionio.EntryID) ([]sessionio.Entry, error) {
	tree := a.sess.Tree()
	var model, level, compacted *sessionio.Entry
	var again []sessionio.Entry
	for id := a.sess.Leaf(); id != parent && id != ""; {
		m, ok := tree.Get(id)
		if !ok {
			break
		}
		var slot **sessionio.Entry
		switch m.Type {
		case sessionio.TypeModelChange:
			slot = &model
		case sessionio.TypeThinkingLevelChange:
			slot = &level
		case sessionio.TypeCompaction:
			slot = &compacted
		}
		if slot != nil && *slot == nil {
			e, err := a.sess.Entry(id)
			if err != nil {
				return nil, err
			}
			e.ID, e.ParentID, e.Raw = "", "", nil
			*slot = &e
		}
		id = m.Parent
	}
	for _, e := range []*sessionio.Entry{compacted, model, level} {
		if e != nil {
			again = append(again, *e)
		}
	}
	return again, nil
}

// record makes a record of the errors trail.
func (a *Agent) record(t *turn, kind sessionio.ErrorKind, err error) sessionio.ErrorRecord {
	st := a.State()
	rec := sessionio.ErrorRecord{
		Time: a.o.Now(), Turn: a.countQuestions(), Kind: kind, Question: firstLine(t.text),
		Line: firstLine(err.Error()), Provider: st.Model.Provider, Model: st.Model.Model,
	}
	var failed *model.Error
	var crash *panicError
	switch {
	case errors.As(err, &failed):
		rec.Raw = failed.Raw
	case errors.As(err, &crash):
		rec.Raw = crash.stack
	case rec.Line != err.Error():
		rec.Raw = err.Error()
	}
	return rec
}

// countQuestions counts the user messages on the path.
func (a *Agent) countQuestions() int {
	n := 0
	for _, m := range a.sess.Tree().Path(a.sess.Leaf()) {
		if m.Type == sessionio.TypeMessage && m.Role == sessionio.RoleUser {
			n++
		}
	}
	return n
}

func (a *Agent) tellError(rec sessionio.ErrorRecord) {
	a.out.put(Event{Error: &rec})
	a.update(func(st *State) { st.LastError = rec.Line })
}

func errorEntry(rec sessionio.ErrorRecord) (sessionio.Entry, error) {
	data, err := json.Marshal(rec)
	return sessionio.Entry{Type: sessionio.TypeCustom, CustomType: sessionio.CustomError, Data: data}, err
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}
