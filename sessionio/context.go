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

func (c *Context) add(id EntryID, m Message) {
	c.Messages = append(c.Messages, m)
	c.EntryIDs = append(c.EntryIDs, id)
}

// BuildContext applies the format's rules to a path (root first): the last compaction stands for
// what it replaced, its retained entries follow, later settings win. Pure.
func BuildContext(path []Entry) Context {
	c := Context{ThinkingLevel: "off", ServiceTier: "default"}
	last := -1
	for i := range path {
		c.setting(&path[i])
		if path[i].Type == TypeCompaction {
			last = i
		}
	}
	if last < 0 {
		for i := range path {
			c.emit(&path[i])
		}
		return c
	}
	cut := &path[last]
	c.add(cut.ID, Message{
		Role: RoleCompactionSummary, Summary: cut.Summary, TokensBefore: cut.TokensBefore,
		CustomInstructions: cut.CustomInstructions, Timestamp: unixMilli(cut),
	})
	kept := false
	for i := range path[:last] {
		kept = kept || cut.FirstKeptEntryID != "" && path[i].ID == cut.FirstKeptEntryID
		if kept {
			c.emit(&path[i])
		}
	}
	c.Messages[0].RetainedMessageCount = len(c.Messages) - 1
	for i := range path[last+1:] {
		c.emit(&path[last+1+i])
	}
	return c
}

func (c *Context) setting(e *Entry) {
	switch e.Type {
	case TypeThinkingLevelChange:
		if e.ThinkingLevel != "" {
			c.ThinkingLevel = e.ThinkingLevel
		}
	case TypeServiceTierChange:
		c.ServiceTier = "default"
		if e.ServiceTier != nil {
			c.ServiceTier = *e.ServiceTier
		}
	case TypeModelChange:
		if e.Provider != "" && e.ModelID != "" {
			c.Model = &ModelRef{e.Provider, e.ModelID}
		}
	case TypeMessage:
		if m := e.Message; m != nil && m.Role == RoleAssistant && m.Provider != "" && m.Model != "" {
			c.Model = &ModelRef{m.Provider, m.Model}
		}
	}
}

// emit adds what one entry says to the model; most types say nothing.
func (c *Context) emit(e *Entry) {
	switch e.Type {
	case TypeMessage:
		if e.Message != nil {
			c.add(e.ID, *e.Message)
		}
	case TypeCustomMessage:
		c.add(e.ID, Message{
			Role: RoleCustom, CustomType: e.CustomType, Content: e.Content, Display: e.Display, Details: e.Details, Timestamp: unixMilli(e),
		})
	case TypeBranchSummary:
		if e.Summary != "" {
			c.add(e.ID, Message{Role: RoleBranchSummary, Summary: e.Summary, FromID: e.FromID, Timestamp: unixMilli(e)})
		}
	}
}

func unixMilli(e *Entry) int64 {
	if e.Timestamp.IsZero() {
		return 0
	}
	return e.Timestamp.UnixMilli()
}
