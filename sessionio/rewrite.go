package sessionio

import (
	"bytes"
	"encoding/json"
	"slices"
)

// rewrite changes fields of a JSON object and leaves every other byte of its values and the order of
// its keys as they are; what is new comes at the end, by name.
func rewrite(raw json.RawMessage, set map[string]any, drop []string) json.RawMessage {
	var o object
	done := map[string]bool{}
	eachField(raw, func(key string, value json.RawMessage) {
		if slices.Contains(drop, key) {
			return
		}
		if v, ok := set[key]; ok {
			if !done[key] {
				o.put(key, v)
			}
			done[key] = true
			return
		}
		o.put(key, value)
	})
	var names []string
	for key := range set {
		if !done[key] {
			names = append(names, key)
		}
	}
	slices.Sort(names)
	for _, key := range names {
		o.put(key, set[key])
	}
	b, err := o.bytes()
	if err != nil {
		return raw
	}
	return bytes.Clone(b)
}

// eachField reads an object's fields in their order.
func eachField(raw json.RawMessage, each func(key string, value json.RawMessage)) {
	f, _ := parseObject(clean(raw))
	for _, x := range f {
		each(x.name(), x.value)
	}
}
