package treeview

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"strings"
)

// Filter says which entries show.
type Filter int

// Filters, in the order in which a key goes through them.
const (
	Default Filter = iota
	NoTools
	UserOnly
	Labeled
	All
)

var filterNames = [...]string{"default", "no tools", "user only", "labeled", "all"}

func (f Filter) String() string { return filterNames[f] }

// next is the filter after this one.
func (f Filter) next() Filter { return (f + 1) % Filter(len(filterNames)) }

// bookkeeping are the entries that say nothing to a person.
var bookkeeping = map[sessionio.EntryType]bool{
	sessionio.TypeLabel: true, sessionio.TypeCustom: true, sessionio.TypeModelChange: true, sessionio.TypeThinkingLevelChange: true,
	sessionio.TypeServiceTierChange: true, sessionio.TypeSessionInfo: true, sessionio.TypeSessionState: true,
	sessionio.TypeAgentStatus: true, sessionio.TypeGitState: true, sessionio.TypeChildUsageAttributed: true,
}

// shows says whether a filter lets an entry through. Answers without text only call tools, which have
// rows of their own.
func (f Filter) shows(n *protocol.TreeNode, leaf sessionio.EntryID) bool {
	if n.Type == sessionio.TypeMessage && n.Role == sessionio.RoleAssistant && n.HasTools && n.Preview == "" && n.ID != leaf {
		return false
	}
	switch f {
	case NoTools:
		return !bookkeeping[n.Type] && n.Role != sessionio.RoleToolResult
	case UserOnly:
		return n.Type == sessionio.TypeMessage && n.Role == sessionio.RoleUser
	case Labeled:
		return n.Label != ""
	case All:
		return true
	}
	return !bookkeeping[n.Type]
}

// found says whether every word of a search is in an entry.
func found(n *protocol.TreeNode, words []string) bool {
	if len(words) == 0 {
		return true
	}
	text := strings.ToLower(n.Label + " " + string(n.Role) + " " + string(n.Type) + " " + n.Preview)
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
