package sessionio

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"
)

// MarshalJSON gives back what was read, or writes a message made here.
func (m Message) MarshalJSON() ([]byte, error) {
	if m.Raw != nil {
		return m.Raw, nil
	}
	var o object
	o.put("role", m.Role)
	switch m.Role {
	case RoleBash:
		m.putBash(&o)
	case RoleBranchSummary, RoleCompactionSummary:
		m.putSummary(&o)
	case RoleUser, RoleAssistant, RoleToolResult, RoleCustom:
		m.putSpoken(&o)
	default:
		m.putSpoken(&o)
	}
	if m.Timestamp != 0 {
		o.put("timestamp", m.Timestamp)
	}
	return o.bytes()
}

func (m Message) putSpoken(o *object) {
	o.putStr("toolCallId", m.ToolCallID)
	o.putStr("toolName", m.ToolName)
	o.putStr("customType", m.CustomType)
	content := m.Content
	if content == nil {
		content = []Block{}
	}
	o.put("content", content)
	o.putStr("api", m.API)
	o.putStr("provider", m.Provider)
	o.putStr("model", m.Model)
	o.putStr("responseModel", m.ResponseModel)
	o.putStr("responseId", m.ResponseID)
	if m.Usage != nil {
		o.put("usage", m.Usage)
	}
	o.putStr("stopReason", string(m.StopReason))
	o.putStr("stopReasonRaw", m.StopReasonRaw)
	o.putStr("errorMessage", m.ErrorMessage)
	o.putRaw("details", m.Details)
	switch m.Role {
	case RoleToolResult:
		o.put("isError", m.IsError)
	case RoleCustom:
		o.put("display", m.Display)
	}
}

func (m Message) putBash(o *object) {
	o.put("command", m.Command)
	o.put("output", m.Output)
	if m.ExitCode != nil {
		o.put("exitCode", *m.ExitCode)
	}
	o.put("cancelled", m.Cancelled)
	o.put("truncated", m.Truncated)
	o.putStr("fullOutputPath", m.FullOutputPath)
	if m.ExcludeFromContext {
		o.put("excludeFromContext", true)
	}
}

func (m Message) putSummary(o *object) {
	o.put("summary", m.Summary)
	if m.Role == RoleBranchSummary {
		o.putStr("fromId", m.FromID)
		return
	}
	o.put("tokensBefore", m.TokensBefore)
	o.putStr("customInstructions", m.CustomInstructions)
	o.put("retainedMessageCount", m.RetainedMessageCount)
}

// UnmarshalJSON reads any JSON object; it fails only for what is none.
func (m *Message) UnmarshalJSON(b []byte) error {
	b = bytes.Clone(b) // it is the decoder's, and parts of it are kept
	f, ok := parseObject(b)
	if !ok {
		return errNoObject
	}
	*m = messageOf(f)
	m.Raw = clean(b)
	return nil
}

func messageOf(f fields) Message {
	m := Message{
		Role: Role(f.str("role")), Content: blocksOf(f.get("content")),
		API: f.str("api"), Provider: f.str("provider"), Model: f.str("model"),
		ResponseModel: f.str("responseModel"), ResponseID: f.str("responseId"), Usage: usageOf(f, "usage"),
		StopReason: StopReason(f.str("stopReason")), StopReasonRaw: f.str("stopReasonRaw"), ErrorMessage: f.str("errorMessage"),
		ToolCallID: f.str("toolCallId"), ToolName: f.str("toolName"), IsError: f.flag("isError"), Details: f.raw("details"),
		Command: f.str("command"), Output: f.str("output"), Cancelled: f.flag("cancelled"), Truncated: f.flag("truncated"),
		FullOutputPath: f.str("fullOutputPath"), ExcludeFromContext: f.flag("excludeFromContext"),
		CustomType: f.str("customType"), Display: f.flag("display"), Summary: f.str("summary"), FromID: f.str("fromId"),
		TokensBefore: f.integer("tokensBefore"), RetainedMessageCount: f.integer("retainedMessageCount"),
		CustomInstructions: f.str("customInstructions"),
	}
	m.Timestamp, _ = f.number("timestamp")
	if n, ok := f.number("exitCode"); ok {
		code := int(n)
		m.ExitCode = &code
	}
	return m
}

// blocksOf reads content: a string is one text block, of an array what is an object or a string.
func blocksOf(raw json.RawMessage) []Block {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '"' {
		return []Block{{Type: BlockText, Text: decodeString(raw)}}
	}
	var out []Block
	for _, p := range innerElements(raw) {
		if f, ok := innerObject(p); ok {
			out = append(out, blockOf(f, p))
		} else if p[0] == '"' {
			out = append(out, Block{Type: BlockText, Text: decodeString(p)})
		}
	}
	return out
}

// MarshalJSON gives back what was read, or writes a block made here.
func (b Block) MarshalJSON() ([]byte, error) {
	if b.Raw != nil {
		return b.Raw, nil
	}
	var o object
	o.put("type", b.Type)
	switch b.Type {
	case BlockText:
		o.put("text", b.Text)
		o.putStr("textSignature", b.TextSignature)
	case BlockThinking:
		o.put("thinking", b.Thinking)
		o.putStr("thinkingSignature", b.ThinkingSignature)
		if b.Redacted {
			o.put("redacted", true)
		}
	case BlockImage:
		o.put("data", b.Data)
		o.put("mimeType", b.MimeType)
	case BlockToolCall:
		o.put("id", b.ID)
		o.put("name", b.Name)
		args := b.Arguments
		if len(args) == 0 {
			args = json.RawMessage("{}")
		}
		o.put("arguments", args)
		o.putStr("thoughtSignature", b.ThoughtSignature)
	}
	return o.bytes()
}

// UnmarshalJSON reads any JSON object; it fails only for what is none.
func (b *Block) UnmarshalJSON(raw []byte) error {
	raw = bytes.Clone(raw) // it is the decoder's, and parts of it are kept
	f, ok := parseObject(raw)
	if !ok {
		return errNoObject
	}
	*b = blockOf(f, raw)
	return nil
}

func blockOf(f fields, raw json.RawMessage) Block {
	b := Block{
		Type: BlockType(f.str("type")), Text: f.str("text"), TextSignature: f.str("textSignature"),
		Thinking: f.str("thinking"), ThinkingSignature: f.str("thinkingSignature"), Redacted: f.flag("redacted"),
		Data: f.str("data"), MimeType: f.str("mimeType"), ID: f.str("id"), Name: f.str("name"),
		ThoughtSignature: f.str("thoughtSignature"), Raw: clean(raw),
	}
	if _, isObject := f.object("arguments"); isObject {
		b.Arguments = f.raw("arguments")
	}
	return b
}

func usageOf(f fields, key string) *Usage {
	u, ok := f.object(key)
	if !ok {
		return nil
	}
	out := &Usage{
		Input: u.integer("input"), Output: u.integer("output"), CacheRead: u.integer("cacheRead"),
		CacheWrite: u.integer("cacheWrite"), TotalTokens: u.integer("totalTokens"),
	}
	if c, ok := u.object("cost"); ok {
		out.Cost = Cost{
			Input: c.dollars("input"), Output: c.dollars("output"), CacheRead: c.dollars("cacheRead"),
			CacheWrite: c.dollars("cacheWrite"), Total: c.dollars("total"),
		}
	}
	return out
}

func (f fields) dollars(key string) float64 {
	v, err := strconv.ParseFloat(string(f.get(key)), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// clean keeps a value's bytes, with what is no UTF-8 as U+FFFD so that it can be written as JSON again.
func clean(b []byte) json.RawMessage {
	if utf8.Valid(b) {
		return trimBlank(b)
	}
	return bytes.ToValidUTF8(trimBlank(b), []byte("\ufffd"))
}
