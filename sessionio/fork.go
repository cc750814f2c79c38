package sessionio

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Fork writes a new file holding the path to at ("" for none of it): ids and times kept, parents
// re-linked around dropped labels, labels of the path set again at the end, unknown fields byte for
// byte, header parentSession set to this file. The new session is open for writing; like any other
// it is on disk once it holds a user message.
func (s *Session) Fork(at EntryID, path string, id ID, o Options) (*Session, error) {
	entries, labels, err := s.branch(at)
	if err != nil {
		return nil, err
	}
	from, err := filepath.Abs(s.path)
	if err != nil {
		return nil, err
	}
	was := s.Header()
	h := Header{Version: CurrentVersion, ID: id, CWD: was.CWD, ParentSession: from, Depth: was.Depth, Git: was.Git}
	n, err := Create(path, h, o)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	asked := false
	for _, e := range entries {
		n.hold(metaOf(&e, line{length: int64(len(e.Raw))}), e)
		asked = asked || e.Message != nil && e.Message.Role == RoleUser
	}
	for _, l := range labels {
		if _, err := n.append(n.leaf, l); err != nil {
			return nil, errors.Join(err, n.unlock())
		}
	}
	if asked {
		if err := n.create(); err != nil {
			_ = n.unlock()
			return nil, err
		}
	}
	return n, nil
}

// branch is the path to an entry without its labels, and those labels that it still has.
func (s *Session) branch(at EntryID) (entries, labels []Entry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at == "" {
		return nil, nil, nil
	}
	if _, ok := s.treeLocked().Get(at); !ok {
		return nil, nil, fmt.Errorf("%w: %s in %s", ErrNoEntry, at, s.path)
	}
	var parent EntryID
	on := map[EntryID]bool{}
	for _, m := range s.treeLocked().Path(at) {
		e, err := s.entryLocked(m.ID)
		if err != nil {
			return nil, nil, err
		}
		if e.Type == TypeLabel {
			continue
		}
		f, _ := parseObject(e.Raw)
		if e.ParentID != parent || f.str("parentId") != string(parent) {
			var p any
			if parent != "" {
				p = parent
			}
			e.Raw = rewrite(e.Raw, map[string]any{"parentId": p}, nil)
			e.ParentID = parent
		}
		parent = e.ID
		on[e.ID] = true
		entries = append(entries, e)
	}
	last := map[EntryID]Entry{}
	for _, l := range s.ofType(TypeLabel) {
		last[l.TargetID] = l
	}
	for _, e := range entries {
		if l, ok := last[e.ID]; ok && l.Label != "" {
			labels = append(labels, Entry{Type: TypeLabel, TargetID: l.TargetID, Label: l.Label, Timestamp: l.Timestamp})
		}
	}
	return entries, labels, nil
}
