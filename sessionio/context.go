package sessionio

// ModelRef is a provider and one of its models, written provider/model.
type ModelRef struct{ Provider, Model string }

// Context is what the model reads at a leaf, and the settings that hold there.
type Context struct {
	Messages      []Message // user, assistant, toolResult, bashExecution, custom, branchSummary, compactionSummary
	EntryIDs      []EntryID // of the entry behind each message
	ThinkingLevel string    // "off" when the path sets none
	ServiceTier   string    // "default" when the path sets none
	Model         *ModelRef // nil when the path names none
}

// BuildContext applies the format's rules to a path (root first): the last compaction stands for
// what it replaced, its retained entries follow, later settings win. Pure.
func BuildContext(path []Entry) Context { panic("contract") }
