package sessionio

import (
	"bytes"
	"encoding/json"
	"errors"
)

var errNoObject = errors.New("not a JSON object")

// MarshalJSON gives back the line as read, or writes an entry made here.
func (e Entry) MarshalJSON() ([]byte, error) {
	if e.Raw != nil {
		return clean(e.Raw), nil
	}
	var o object
	o.put("type", e.Type)
	o.put("id", e.ID)
	if e.ParentID == "" {
		o.put("parentId", nil)
	} else {
		o.put("parentId", e.ParentID)
	}
	o.put("timestamp", e.Timestamp.UTC().Format(timeFormat))
	e.putBody(&o)
	return o.bytes()
}

func (e Entry) putBody(o *object) {
	switch e.Type {
	case TypeMessage:
		if e.Message != nil {
			o.put("message", *e.Message)
		}
	case TypeCustomMessage:
		o.put("customType", e.CustomType)
		o.put("content", e.Content)
		o.put("display", e.Display)
		o.putRaw("details", e.Details)
	case TypeCustom:
		o.put("customType", e.CustomType)
		o.putRaw("data", e.Data)
	case TypeModelChange:
		o.put("provider", e.Provider)
		o.put("modelId", e.ModelID)
	case TypeThinkingLevelChange:
		o.put("thinkingLevel", e.ThinkingLevel)
	case TypeServiceTierChange:
		o.put("serviceTier", e.ServiceTier)
	case TypeCompaction:
		o.put("summary", e.Summary)
		o.putStr("firstKeptEntryId", string(e.FirstKeptEntryID))
		o.put("tokensBefore", e.TokensBefore)
		e.putSummaryRest(o)
		o.putStr("customInstructions", e.CustomInstructions)
	case TypeBranchSummary:
		o.put("fromId", e.FromID)
		o.put("summary", e.Summary)
		e.putSummaryRest(o)
	case TypeLabel:
		o.put("targetId", e.TargetID)
		o.putStr("label", e.Label)
	case TypeSessionInfo:
		o.put("name", e.Name)
	case TypeSessionState:
		o.put("state", e.State)
	case TypeAgentStatus:
		o.put("status", e.Status)
	case TypeGitState:
		o.put("git", e.Git)
	case TypeChildUsageAttributed:
		o.put("targetId", e.TargetID)
		o.put("childUsage", e.ChildUsage)
		o.put("aggregateUsage", e.AggregateUsage)
		o.putStr("origin", e.Origin)
	}
}

func (e Entry) putSummaryRest(o *object) {
	o.putRaw("details", e.Details)
	if e.FromHook != nil {
		o.put("fromHook", *e.FromHook)
	}
}

// UnmarshalJSON reads any JSON object; it fails only for what is none.
func (e *Entry) UnmarshalJSON(b []byte) error {
	b = bytes.Clone(b) // it is the decoder's, and parts of it are kept
	f, ok := parseObject(b)
	if !ok {
		return errNoObject
	}
	*e = entryOf(f)
	e.Raw = b
	return nil
}

func entryOf(f fields) Entry {
	e := Entry{
		Type: EntryType(f.str("type")), ID: EntryID(f.str("id")), ParentID: EntryID(f.str("parentId")), Timestamp: f.time("timestamp"),
	}
	switch e.Type {
	case TypeMessage:
		if m, ok := f.object("message"); ok {
			msg := messageOf(m)
			msg.Raw = clean(f.get("message"))
			e.Message = &msg
		}
	case TypeCustomMessage:
		e.CustomType, e.Content, e.Display, e.Details = f.str("customType"), blocksOf(f.get("content")), f.flag("display"), f.raw("details")
	case TypeCustom:
		e.CustomType, e.Data = f.str("customType"), f.raw("data")
	case TypeModelChange:
		e.Provider, e.ModelID = f.str("provider"), f.str("modelId")
	case TypeThinkingLevelChange:
		e.ThinkingLevel = f.str("thinkingLevel")
	case TypeServiceTierChange:
		if s := f.str("serviceTier"); s != "" {
			e.ServiceTier = &s
		}
	case TypeCompaction:
		e.Summary, e.FirstKeptEntryID = f.str("summary"), EntryID(f.str("firstKeptEntryId"))
		e.TokensBefore, e.Details, e.FromHook = f.integer("tokensBefore"), f.raw("details"), f.flagPtr("fromHook")
		e.CustomInstructions = f.str("customInstructions")
	case TypeBranchSummary:
		e.Summary, e.FromID, e.Details, e.FromHook = f.str("summary"), f.str("fromId"), f.raw("details"), f.flagPtr("fromHook")
	case TypeLabel:
		e.TargetID, e.Label = EntryID(f.str("targetId")), f.str("label")
	case TypeSessionInfo:
		e.Name = f.str("name")
	case TypeSessionState:
		if s, ok := f.object("state"); ok {
			e.State = &State{Status: s.str("status")}
		}
	case TypeAgentStatus:
		if s, ok := f.object("status"); ok {
			e.Status = &AgentStatus{
				Summary: s.str("summary"), TaskState: Verdict(s.str("taskState")), BasedOnMessageCount: s.integer("basedOnMessageCount"),
			}
		}
	case TypeGitState:
		e.Git = gitOf(f)
	case TypeChildUsageAttributed:
		e.TargetID, e.Origin = EntryID(f.str("targetId")), f.str("origin")
		e.ChildUsage, e.AggregateUsage = usageOf(f, "childUsage"), usageOf(f, "aggregateUsage")
	}
	return e
}

func gitOf(f fields) *Git {
	g, ok := f.object("git")
	if !ok {
		return nil
	}
	return &Git{RepoURL: g.str("repoUrl"), Commit: g.str("commit"), Branch: g.str("branch")}
}

// MarshalJSON gives back the line as read, or writes a header made here.
func (h Header) MarshalJSON() ([]byte, error) {
	if h.Raw != nil {
		return clean(h.Raw), nil
	}
	var o object
	o.put("type", "session")
	o.put("version", h.Version)
	o.put("id", h.ID)
	o.put("timestamp", h.Timestamp.UTC().Format(timeFormat))
	o.put("cwd", h.CWD)
	o.putStr("parentSession", h.ParentSession)
	if h.Depth != nil {
		o.put("rlmDepth", *h.Depth)
	}
	if h.Git != nil && *h.Git != (Git{}) {
		o.put("git", h.Git)
	}
	return o.bytes()
}

// UnmarshalJSON reads a header; it fails for what is no session header.
func (h *Header) UnmarshalJSON(b []byte) error {
	f, ok := parseObject(b)
	if !ok {
		return errNoObject
	}
	id := f.get("id")
	if f.str("type") != "session" || len(id) == 0 || id[0] != '"' {
		return errors.New("no session header")
	}
	*h = Header{
		Version: 1, ID: ID(decodeString(id)), Timestamp: f.time("timestamp"), CWD: f.str("cwd"),
		ParentSession: f.str("parentSession"), Git: gitOf(f), Raw: append(json.RawMessage(nil), b...),
	}
	if v, ok := f.number("version"); ok {
		h.Version = int(v)
	}
	if d, ok := f.number("rlmDepth"); ok && d >= 0 {
		depth := int(d)
		h.Depth = &depth
	}
	return nil
}
