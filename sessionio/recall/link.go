package recall

import (
	"bytes"
	"dugout/sessionio"
	"encoding/json"
	"strconv"
)

// link is a line's place in the tree, and who speaks in it.
type link struct {
	id, parent string
	role       sessionio.Role // of a message
}

// linkOf reads a line's beginning where it is written as writers of the format do, else all of it.
// Lines of old files have no ids: each hangs under the one before.
func linkOf(line []byte, no int, before string) (link, bool) {
	l, ok := quickLink(line)
	if !ok {
		var e sessionio.Entry
		if json.Unmarshal(bytes.TrimSpace(line), &e) != nil || e.Type == "session" {
			return link{}, false
		}
		l = link{id: string(e.ID), parent: string(e.ParentID)}
		if e.Type == sessionio.TypeMessage && e.Message != nil {
			l.role = e.Message.Role
		}
	}
	if l.id == "" {
		l.id, l.parent = "line "+strconv.Itoa(no), before
	}
	return l, true
}

// quickLink takes apart {"type":"message","id":"…","parentId":"…","timestamp":"…","message":{"role":"…"
// without decoding what follows.
func quickLink(line []byte) (l link, ok bool) {
	rest, ok := bytes.CutPrefix(line, messageLine)
	if !ok {
		return link{}, false
	}
	var time, role string
	if l.id, rest, ok = take(rest, `"id":`); !ok {
		return link{}, false
	}
	if after, root := bytes.CutPrefix(rest, []byte(`,"parentId":null`)); root {
		rest = after
	} else if l.parent, rest, ok = take(rest, `,"parentId":`); !ok {
		return link{}, false
	}
	if time, rest, ok = take(rest, `,"timestamp":`); !ok || time == "" {
		return link{}, false
	}
	role, _, ok = take(rest, `,"message":{"role":`)
	l.role = sessionio.Role(role)
	return l, ok && l.id != ""
}

// take reads a key and a string without escapes.
func take(b []byte, key string) (value string, rest []byte, ok bool) {
	b, ok = bytes.CutPrefix(b, []byte(key+`"`))
	if !ok {
		return "", nil, false
	}
	i := bytes.IndexByte(b, '"')
	if i < 0 || bytes.IndexByte(b[:i], '\\') >= 0 {
		return "", nil, false
	}
	return string(b[:i]), b[i+1:], true
}
