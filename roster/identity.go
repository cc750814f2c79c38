package roster

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"slices"
)

// Key identifies a record while it becomes saved, live or renamed: "file:" and the canonical path,
// or "session:" and the id where there is no path. Equal keys mean the same session.
type Key string

// FileKey is the key of a session file. The path is canonical: absolute, links resolved.
func FileKey(path string) Key { return Key("file:" + path) }

// SessionKey is the key of a session id.
func SessionKey(id sessionio.ID) Key { return Key("session:" + string(id)) }

func liveKeys(l *protocol.Summary) []Key {
	return keysOf(l.Path, l.ID)
}

func savedKeys(s *sessionio.Info) []Key {
	return keysOf(s.Path, s.ID)
}

func keysOf(path string, id sessionio.ID) []Key {
	var keys []Key
	if path != "" {
		keys = append(keys, FileKey(path))
	}
	if id != "" || path == "" { // nameless things share one record rather than crash
		keys = append(keys, SessionKey(id))
	}
	return keys
}

// union joins aliases without repeating any, first ones first.
func union(a, b []Key) []Key {
	out := slices.Clone(a)
	for _, k := range b {
		if !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}
