package agentloop

import (
	"context"
	"dugout/agentloop/compaction"
	"dugout/sessionio"
	"errors"
	"fmt"
	"strings"
)

// Navigated is where a move of the leaf ended.
type Navigated struct {
	Leaf       sessionio.EntryID
	EditorText string // of the user message that was chosen
}

// Navigate moves the leaf in place: to the parent of a user or custom message (its text comes back
// for the editor), to anything else itself. With summarise the branch left behind gets a
// branch_summary, and Navigate waits for it; aborted or failed it moves nothing. ErrBusy while a
// turn runs.
func (a *Agent) Navigate(ctx context.Context, to sessionio.EntryID, summarise bool) (Navigated, error) {
	ctx, w, err := a.claim(ctx)
	if err != nil {
		return Navigated{}, err
	}
	defer a.handOver(ctx, w)
	var n Navigated
	err = guard("the move", func() (err error) {
		n, err = a.navigate(ctx, to, summarise)
		return err
	})
	if err != nil && ctx.Err() != nil {
		err = ErrAborted
	}
	return n, err
}

func (a *Agent) navigate(ctx context.Context, to sessionio.EntryID, summarise bool) (Navigated, error) {
	var n Navigated
	target := to
	if to != "" {
		e, err := a.sess.Entry(to)
		if err != nil {
			return n, fmt.Errorf("go to %q: %w", to, err)
		}
		if text, ok := editable(e); ok {
			target, n.EditorText = e.ParentID, text
			if _, known := a.sess.Tree().Get(target); !known {
				target = "" // its parent does not exist: it is a root
			}
		}
	}
	old := a.sess.Leaf()
	if target == old {
		n.Leaf = old
		return n, nil
	}
	var summary *sessionio.Entry
	if summarise {
		var err error
		if summary, err = a.summarizeBranch(ctx, old, target); err != nil {
			return n, err
		}
	}
	if err := a.move(target, summary); err != nil {
		return n, err
	}
	n.Leaf = a.sess.Leaf()
	a.out.put(Event{Leaf: &n.Leaf})
	if err := a.surveyLeaf(); err != nil {
		return n, err
	}
	return n, a.sync()
}

// editable says whether an entry is a question that goes back to the editor, and its text.
func editable(e sessionio.Entry) (string, bool) {
	var blocks []sessionio.Block
	switch {
	case e.Type == sessionio.TypeCustomMessage:
		blocks = e.Content
	case e.Type == sessionio.TypeMessage && e.Message != nil && e.Message.Role == sessionio.RoleUser:
		blocks = e.Message.Content
	default:
		return "", false
	}
	var text strings.Builder
	for _, b := range blocks {
		if b.Type == sessionio.BlockText {
			text.WriteString(b.Text)
		}
	}
	return text.String(), true
}

// move appends the summary under the target, or moves the leaf there with nothing said.
func (a *Agent) move(target sessionio.EntryID, summary *sessionio.Entry) error {
	if summary != nil {
		_, err := a.appendUnder(target, *summary)
		return err
	}
	a.ledger.mu.Lock()
	defer a.ledger.mu.Unlock()
	err := a.sess.MoveLeaf(target)
	a.ledger.look(a.sess)
	if err != nil {
		return &storageError{fmt.Errorf("%s: %w", a.sess.Path(), err)}
	}
	return nil
}

// summarizeBranch summarises what lies between the common ancestor and the old leaf; nil when there
// is nothing to tell.
func (a *Agent) summarizeBranch(ctx context.Context, old, target sessionio.EntryID) (*sessionio.Entry, error) {
	path, err := a.path(old)
	if err != nil {
		return nil, err
	}
	shared := a.sess.Tree().CommonAncestor(old, target)
	for i, e := range path {
		if e.ID == shared {
			path = path[i+1:]
			break
		}
	}
	a.update(func(st *State) { st.Activity = Compacting })
	s, err := a.summarizer(&turn{})
	if err != nil {
		return nil, err
	}
	left := compaction.Left(path, s.Limits)
	if len(left.Messages) == 0 {
		return nil, nil
	}
	e, err := s.Branch(ctx, left, target, "")
	if err == nil && ctx.Err() != nil {
		err = errors.New("aborted before it was saved")
	}
	if err != nil {
		return nil, fmt.Errorf("summarise the branch: %w", err)
	}
	return &e, nil
}
