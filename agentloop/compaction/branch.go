package compaction

import (
	"context"
	"dugout/sessionio"
)

const (
	branchPreamble = "The work went down another path from here and came back to this point.\n" +
		"What happened on the path that was left:\n\n"
	mostBranchOutput = 2048
)

// Branch is what a move of the leaf leaves behind.
type Branch struct {
	Messages []sessionio.Message // oldest first
	Files    Files
}

// Left chooses what of a branch (oldest first, from below the common ancestor to the leaf that is
// left) fits the window: the newest entries first. A summary that no longer fits the budget is still
// taken while a tenth of it is free, for it stands for much. Pure.
func Left(entries []sessionio.Entry, l Limits) Branch {
	if l.Window <= 0 {
		l.Window = 128_000
	}
	l = l.Fit()
	budget := l.Window - l.Reserve
	var b Branch
	used := 0
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		summary := e.Type == sessionio.TypeCompaction || e.Type == sessionio.TypeBranchSummary
		if !summary && !speaks(e) {
			continue
		}
		m := messageOf(e)
		if m.Role == sessionio.RoleToolResult || m.ExcludeFromContext || m.StopReason == sessionio.StopError {
			continue
		}
		n := MessageTokens(m)
		if used+n > budget && (!summary || used*10 >= budget*9) {
			break
		}
		used += n
		b.Messages = append([]sessionio.Message{m}, b.Messages...)
		if summary {
			b.Files = b.Files.and(filesOfDetails(e))
		}
	}
	b.Files = b.Files.with(b.Messages)
	return b
}

// Branch summarises a branch that is left and makes the entry for it, which goes under at ("" is
// before everything).
func (s Summarizer) Branch(ctx context.Context, b Branch, at sessionio.EntryID, focus string) (sessionio.Entry, error) {
	var text string
	if s.Info.Scripted {
		text = extract(Plan{History: b.Messages}, focus)
	} else {
		var err error
		q := question{"", transcript(b.Messages, false), branchPrompt, focus}
		if text, err = s.ask(ctx, q, mostBranchOutput); err != nil {
			return sessionio.Entry{}, err
		}
	}
	from := string(at)
	if from == "" {
		from = "root"
	}
	files := b.Files.tidy()
	return sessionio.Entry{
		Type: sessionio.TypeBranchSummary, FromID: from, Summary: branchPreamble + text + files.text(),
		Details: files.details(), FromHook: new(bool),
	}, nil
}
