package sessionio

import (
	"encoding/json"
	"fmt"
)

// roleHook is what version 2 called a custom message.
const roleHook Role = "hookMessage"

// Migrate turns the entries of a version 1 or 2 file, in file order, into version 3. Version 1 had
// no ids: each gets one from its place, and the one before it as parent. Pure; fields that the
// version 3 does not know stay.
func Migrate(version int, entries []Entry) []Entry {
	out := make([]Entry, len(entries))
	copy(out, entries)
	if version < 2 {
		for i := range out {
			out[i].ID = EntryID(fmt.Sprintf("%08x", i+1))
			out[i].ParentID = ""
			if i > 0 {
				out[i].ParentID = out[i-1].ID
			}
		}
	}
	for i := range out {
		e := &out[i]
		kept := keptIndex(e)
		if version < 2 && kept > 0 && kept <= len(out) { // the header is number 0
			e.FirstKeptEntryID = out[kept-1].ID
		}
		if m := e.Message; m != nil && m.Role == roleHook {
			custom := *m
			custom.Role = RoleCustom
			custom.Raw = rewrite(m.Raw, map[string]any{"role": RoleCustom}, nil)
			e.Message = &custom
		}
		e.Raw = migratedLine(version, e)
	}
	return out
}

func keptIndex(e *Entry) int {
	f, ok := parseObject(e.Raw)
	if !ok || e.Type != TypeCompaction {
		return 0
	}
	return f.integer("firstKeptEntryIndex")
}

func migratedLine(version int, e *Entry) json.RawMessage {
	set := map[string]any{}
	if version < 2 {
		set["id"] = e.ID
		set["parentId"] = nil
		if e.ParentID != "" {
			set["parentId"] = e.ParentID
		}
		if e.FirstKeptEntryID != "" {
			set["firstKeptEntryId"] = e.FirstKeptEntryID
		}
	}
	if e.Message != nil {
		set["message"] = *e.Message
	}
	return rewrite(e.Raw, set, []string{"firstKeptEntryIndex"})
}
