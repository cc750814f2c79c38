package sessionio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
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

// writeMigrated replaces an old file by its version 3 form, beside and renamed over, and keeps the
// old bytes in the artifact folder. Lines that are no entries go over as they are.
func (s *Session) writeMigrated() error {
	old := make([]byte, s.size)
	if _, err := s.file.ReadAt(old, 0); err != nil {
		return fmt.Errorf("migrating %s: %w", s.path, err)
	}
	if err := s.backUp(old); err != nil {
		return fmt.Errorf("migrating %s: keeping the old file: %w", s.path, err)
	}
	real, err := filepath.EvalSymlinks(s.path)
	if err == nil {
		err = renameio.WriteFile(real, s.migratedFile(old), 0o600)
	}
	if err == nil {
		err = syncDir(real)
	}
	if err != nil {
		return fmt.Errorf("migrating %s: %w", s.path, err)
	}
	n := &Session{path: s.path, held: map[EntryID]Entry{}}
	if n.file, err = OpenRegular(s.path, os.O_RDWR|os.O_APPEND); err != nil {
		return fmt.Errorf("migrating %s: %w", s.path, err)
	}
	st, err := n.file.Stat()
	if err == nil {
		n.size = st.Size()
		err = n.index()
	}
	if err != nil {
		_ = n.file.Close()
		return fmt.Errorf("migrating %s: %w", s.path, err)
	}
	_ = s.file.Close() // of the file that is gone
	leaf := s.leaf
	s.adopt(n)
	s.leaf = leaf
	return nil
}

// backUp keeps the old bytes, and never over another old file's.
func (s *Session) backUp(old []byte) error {
	dir := s.o.ArtifactDir
	if dir == "" {
		dir = filepath.Dir(s.path)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	name := filepath.Join(dir, fmt.Sprintf("%s.v%d.bak", filepath.Base(s.path), s.old))
	for n := 1; ; n++ {
		to := name
		if n > 1 {
			to = fmt.Sprintf("%s.%d", name, n)
		}
		there, err := os.ReadFile(to)
		if os.IsNotExist(err) {
			return renameio.WriteFile(to, old, 0o600)
		}
		if err != nil || bytes.Equal(there, old) {
			return err
		}
	}
}

// migratedFile is the file's new form, line by line.
func (s *Session) migratedFile(old []byte) []byte {
	entry := map[int]json.RawMessage{}
	for i, m := range s.metas {
		entry[m.Line] = s.migrated[i].Raw
	}
	var buf []byte
	headed := false
	_, _ = eachLine(io.NewSectionReader(bytes.NewReader(old), 0, int64(len(old))), 0, 0, func(l line) error { // of memory: it can't fail
		raw := old[l.offset : l.offset+l.length]
		_, readable := parseObject(l.content())
		if to, ok := entry[l.no]; ok {
			raw = to
		} else if readable && !headed {
			headed = true
			raw = rewrite(s.header.Raw, map[string]any{"version": CurrentVersion}, nil)
		} else if readable && s.old == 2 {
			raw = migratedOther(raw)
		}
		buf = append(append(buf, raw...), '\n')
		return nil
	})
	return buf
}

// migratedOther is a version 2 line that is no part of the tree.
func migratedOther(raw []byte) []byte {
	e, ok := parseLine(trimBlank(raw))
	if !ok || e.Message == nil || e.Message.Role != roleHook {
		return raw
	}
	return Migrate(2, []Entry{e})[0].Raw
}
