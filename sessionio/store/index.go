package store

import (
	"bytes"
	"dugout/sessionio"
	"encoding/gob"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// indexMagic begins the file; the number changes with the shape of what follows.
const indexMagic = "dugout-index-1\n"

// known is what the index keeps of one file: how it looked, and what its lines folded to.
type known struct {
	Size    int64
	MTime   int64 // Unix nanoseconds
	Inode   uint64
	Fold    sessionio.Fold
	Before  []byte // the last bytes that were folded: they stand there still in a file that only grew
	Info    sessionio.Info
	Problem string // why it is no session, "" when it is one
	Line    int    // of the problem
}

// index is the cache of the last listings. Losing it costs a scan and nothing else.
type index struct {
	files map[string]known // by canonical path
	dirty bool
}

// loadIndex reads the index; whatever is wrong with it makes an empty one.
func loadIndex(path string) *index {
	x := &index{files: map[string]known{}}
	b, err := os.ReadFile(path)
	if err != nil || len(b) < len(indexMagic)+4 || !bytes.HasPrefix(b, []byte(indexMagic)) {
		return x
	}
	sum, body := b[len(indexMagic):len(indexMagic)+4], b[len(indexMagic)+4:]
	if !bytes.Equal(sum, checksum(body)) {
		return x
	}
	files := map[string]known{}
	if gob.NewDecoder(bytes.NewReader(body)).Decode(&files) == nil {
		x.files = files
	}
	return x
}

// save writes the index where something changed: beside it, then renamed over.
func (x *index) save(path string) error {
	if !x.dirty {
		return nil
	}
	var body bytes.Buffer
	if err := gob.NewEncoder(&body).Encode(x.files); err != nil {
		return err
	}
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	b := append([]byte(indexMagic), checksum(body.Bytes())...)
	if err := renameio.WriteFile(path, append(b, body.Bytes()...), 0o600); err != nil {
		return err
	}
	x.dirty = false
	return nil
}

func checksum(b []byte) []byte {
	n := crc32.ChecksumIEEE(b)
	return []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
}
