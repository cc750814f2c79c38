package store

import (
	"bytes"
	"encoding/gob"
)

// shape describes what a record holds.
func shape() string { return "" }

func encodeFiles(files map[string]*known) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(files); err != nil {
		return nil // no index: nothing is lost
	}
	return b.Bytes()
}

func decodeFiles(body string) (map[string]*known, bool) {
	files := map[string]*known{}
	ok := gob.NewDecoder(bytes.NewReader([]byte(body))).Decode(&files) == nil
	return files, ok
}
