package compaction

import (
	"dugout/sessionio"
	"errors"
)

// ErrNothing says that there is nothing to compact: all of it is recent, or summarised already.
var ErrNothing = errors.New("nothing to compact yet")

// Plan is a chosen cut: what to summarise, and from where on entries are kept as they are.
type Plan struct {
	History      []sessionio.Message // whole turns before the cut
	Prefix       []sessionio.Message // the beginning of the turn that the cut splits, if it splits one
	Previous     string              // the summary that this one takes over
	FirstKept    sessionio.EntryID
	TokensBefore int
	Files        Files
}

// Prepare chooses the cut of a path (root first) that keeps about keep tokens. Pure.
func Prepare(path []sessionio.Entry, keep int) (Plan, error) {
	start, previous := begin(path)
	var p Plan
	if previous != nil {
		p.Previous = previous.Summary
		if !spokenAfter(path, previous.ID) {
			return p, ErrNothing
		}
		p.Files = filesOfDetails(*previous)
	}
	cut, ok := cutPoint(path, start, keep)
	if !ok {
		return p, ErrNothing
	}
	end := cut
	if !opensTurn(path[cut]) {
		for i := cut - 1; i >= start; i-- {
			if opensTurn(path[i]) {
				end = i
				break
			}
		}
	}
	p.History, p.Prefix = Messages(path[start:end]), Messages(path[end:cut])
	if len(p.History)+len(p.Prefix) == 0 {
		return p, ErrNothing
	}
	p.FirstKept = path[cut].ID
	p.TokensBefore = ContextTokens(sessionio.BuildContext(path).Messages)
	p.Files = p.Files.with(p.History).with(p.Prefix)
	return p, nil
}

// begin finds the last compaction and where the entries begin that it left unsummarised.
func begin(path []sessionio.Entry) (start int, previous *sessionio.Entry) {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Type != sessionio.TypeCompaction {
			continue
		}
		for j := range i {
			if path[j].ID == path[i].FirstKeptEntryID && path[j].ID != "" {
				return j, &path[i]
			}
		}
		return i + 1, &path[i]
	}
	return 0, nil
}

func spokenAfter(path []sessionio.Entry, id sessionio.EntryID) bool {
	for i := len(path) - 1; i >= 0 && path[i].ID != id; i-- {
		if speaks(path[i]) {
			return true
		}
	}
	return false
}

// cutPoint walks back from the end until keep tokens are passed, and cuts at the next place from
// there where a cut may be. Inside a last run of tool results no such place follows: then it is the
// nearest one before, the call that they answer. At or before the start there is nothing to cut off.
func cutPoint(path []sessionio.Entry, start, keep int) (int, bool) {
	sum := 0
	for i := len(path) - 1; i >= start; i-- {
		if !speaks(path[i]) {
			continue
		}
		sum += MessageTokens(messageOf(path[i]))
		if sum < keep {
			continue
		}
		cut := i
		for cut < len(path) && !cuttable(path[cut]) {
			cut++
		}
		if cut == len(path) {
			for cut = i; cut > start && !cuttable(path[cut]); {
				cut--
			}
		}
		// what was put before a message, as context for it, goes with it
		for cut > start && path[cut-1].Type == sessionio.TypeCustomMessage {
			cut--
		}
		return cut, cut > start
	}
	return 0, false
}

// cuttable says whether the kept part may begin here: not with a result whose call is gone.
func cuttable(e sessionio.Entry) bool {
	return speaks(e) && (e.Message == nil || e.Message.Role != sessionio.RoleToolResult)
}

// speaks says whether an entry puts a message into the context. Bookkeeping does not, and so never
// decides where a turn is cut.
func speaks(e sessionio.Entry) bool {
	switch e.Type {
	case sessionio.TypeMessage:
		return e.Message != nil
	case sessionio.TypeCustomMessage:
		return true
	case sessionio.TypeBranchSummary:
		return e.Summary != ""
	}
	return false
}

// opensTurn says whether a turn begins at an entry.
func opensTurn(e sessionio.Entry) bool {
	switch e.Type {
	case sessionio.TypeMessage:
		return e.Message != nil && (e.Message.Role == sessionio.RoleUser || e.Message.Role == sessionio.RoleBash)
	case sessionio.TypeCustomMessage, sessionio.TypeBranchSummary:
		return true
	}
	return false
}

// messageOf is what an entry that speaks says.
func messageOf(e sessionio.Entry) sessionio.Message {
	switch e.Type {
	case sessionio.TypeMessage:
		return *e.Message
	case sessionio.TypeBranchSummary:
		return sessionio.Message{Role: sessionio.RoleBranchSummary, Summary: e.Summary, FromID: e.FromID}
	case sessionio.TypeCompaction:
		return sessionio.Message{Role: sessionio.RoleCompactionSummary, Summary: e.Summary}
	}
	return sessionio.Message{Role: sessionio.RoleCustom, CustomType: e.CustomType, Content: e.Content}
}

// Messages lists what entries say that a model would read: failed answers and excluded commands are
// left out, as they are in a request.
func Messages(entries []sessionio.Entry) []sessionio.Message {
	var list []sessionio.Message
	for _, e := range entries {
		if !speaks(e) {
			continue
		}
		m := messageOf(e)
		if m.ExcludeFromContext || m.StopReason == sessionio.StopError {
			continue
		}
		list = append(list, m)
	}
	return list
}
