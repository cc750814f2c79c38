package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// source is a settings file as it was read.
type source struct {
	path string
	text []byte
}

// At names the place where a value was set, for errors: file and line. The path's parts are names of
// fields and, in lists, numbers. A value that no file sets is placed at the home's file.
func (s Settings) At(path ...any) string {
	for i := len(s.sources) - 1; i >= 0; i-- { // the project's file is the last, and goes before
		src := s.sources[i]
		if offset, ok := find(src.text, path); ok {
			return fmt.Sprintf("%s:%d", src.path, lineAt(src.text, offset+1))
		}
	}
	if len(s.sources) > 0 {
		return s.sources[0].path
	}
	return "settings"
}

// find is the offset of the value at a path in a JSON text that is known to be valid.
func find(text []byte, path []any) (offset int64, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(text))
	for _, step := range path {
		if open, err := dec.Token(); err != nil || open != json.Delim('{') && open != json.Delim('[') {
			return 0, false
		}
		if !enter(dec, step) {
			return 0, false
		}
	}
	offset = dec.InputOffset()
	rest := bytes.TrimLeft(text[offset:], " \t\r\n,:")
	return int64(len(text) - len(rest)), true
}

// enter brings the decoder to the value of a field, or of an element of a list.
func enter(dec *json.Decoder, step any) bool {
	for i := 0; dec.More(); i++ {
		at := any(i)
		if _, named := step.(string); named {
			key, err := dec.Token()
			if err != nil {
				return false
			}
			at = key
		}
		if at == step {
			return true
		}
		var passedOver json.RawMessage
		if dec.Decode(&passedOver) != nil {
			return false
		}
	}
	return false
}
