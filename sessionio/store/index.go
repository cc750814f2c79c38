package store

import (
	"bytes"
	"hash/crc32"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// indexVersion begins the file; the number changes when the same lines fold to something else. A
// change of what is kept needs none: the shape of it stands behind.
const indexVersion = "dugout-index-2\n"

// worthSaving is how many folded bytes may be lost: a listing of grown files alone writes nothing
// before there are so many.
const worthSaving = 256 << 10

// index is the cache of the last listings. Losing it costs a scan and nothing else; of two
// processes that write it, the last one wins.
type index struct {
	files map[string]*known // by canonical path; no record is changed once it stands here
	dirty bool              // files came or went
	grown int64             // bytes folded since the last save
}

// loadIndex reads the index; whatever is wrong with it makes an empty one.
func loadIndex(path string) *index {
	x := &index{files: map[string]*known{}}
	b, err := os.ReadFile(path)
	if err != nil {
		return x
	}
	head := indexHead()
	if len(b) < len(head)+4 || !bytes.HasPrefix(b, head) {
		return x
	}
	sum, body := b[len(head):len(head)+4], b[len(head)+4:]
	if !bytes.Equal(sum, checksum(body)) {
		return x
	}
	if files, ok := decodeFiles(string(body)); ok {
		x.files = files
	}
	return x
}

func (x *index) save(path string) error {
	body := encodeFiles(x.files)
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	head := indexHead()
	b := make([]byte, 0, len(head)+4+len(body))
	b = append(append(append(b, head...), checksum(body)...), body...)
	if err := renameio.WriteFile(path, b, 0o600); err != nil {
		return err
	}
	x.dirty, x.grown = false, 0
	return nil
}

func indexHead() []byte { return append([]byte(indexVersion), checksum([]byte(shape()))...) }

func checksum(b []byte) []byte {
	n := crc32.ChecksumIEEE(b)
	return []byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}
}

func (s *Store) indexPath() string { return filepath.Join(s.home, "cache", "sessions.index") }

// index is the loaded index. Call it under the mutex.
func (s *Store) index() *index {
	if s.cache == nil {
		s.cache = loadIndex(s.indexPath())
	}
	return s.cache
}

// SaveIndex writes the index where something changed since it was last written.
func (s *Store) SaveIndex() error { return s.saveIndex(true) }

func (s *Store) saveIndex(all bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.index()
	if x.dirty || x.grown > worthSaving || all && x.grown > 0 {
		return x.save(s.indexPath())
	}
	return nil
}

// forget drops files from the index that our folders list no more, and whole folders that are gone.
func (s *Store) forget(files []listed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	there := make(map[string]bool, len(files))
	for _, l := range files {
		there[l.path] = true
	}
	over := map[string]bool{}
	for _, f := range s.folders {
		over[f.Dir] = true
	}
	x := s.index()
	for path, k := range x.files {
		if there[path] {
			continue
		}
		drop, asked := over[k.Folder]
		if !asked { // of a store that another project has told of
			_, err := os.Stat(k.Folder)
			drop = os.IsNotExist(err)
			over[k.Folder] = drop
		}
		if drop {
			delete(x.files, path)
			x.dirty = true
		}
	}
}

func (s *Store) known(path string) (*known, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.index().files[path]
	return k, ok
}

func (s *Store) put(path string, k *known, seen bool, grown int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.index()
	x.files[path] = k
	x.dirty = x.dirty || !seen
	x.grown += max(grown, 1)
}

func (s *Store) drop(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.index()
	if _, ok := x.files[path]; ok {
		delete(x.files, path)
		x.dirty = true
	}
}
