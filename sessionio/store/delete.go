package store

import (
	"context"
	"dugout/sessionio"
	"dugout/sessionio/trash"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Deleted says which way a file went.
type Deleted struct {
	Path      string
	Way       string // trashed, unlinked
	Program   string // the trash program, when trashed
	Artifacts bool   // an artifact folder was removed
}

// Delete moves a session's file to the trash, or unlinks it where no trash program works; only once
// the file is gone, its artifact folder. A session whose lock is held is refused with ErrHeld. What
// can't be read as a session can be deleted all the same.
func (s *Store) Delete(ctx context.Context, path string) (Deleted, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Deleted{}, err
	}
	d := Deleted{Path: abs}
	st, err := os.Lstat(abs)
	if err != nil {
		return d, fmt.Errorf("delete: %w", err)
	}
	if st.IsDir() {
		return d, fmt.Errorf("delete: %s is a folder, no session file", abs)
	}
	if f, _ := s.folderOf(abs); f.ReadOnly {
		return d, fmt.Errorf("delete %s: %w: it belongs to %s", abs, sessionio.ErrReadOnly, f.Source)
	}
	release, err := s.lock(canonical(abs), "dugout, deleting it")
	if err != nil {
		return d, err
	}
	err = s.discard(ctx, &d)
	if rerr := release(); err == nil && rerr != nil {
		err = fmt.Errorf("delete: %w", rerr)
	}
	return d, err
}

func (s *Store) discard(ctx context.Context, d *Deleted) error {
	program, trashErr := trash.Put(ctx, d.Path, s.path)
	if trashErr == nil {
		d.Way, d.Program = "trashed", program
	} else {
		if err := os.Remove(d.Path); err != nil {
			return fmt.Errorf("delete: %w (trash: %w)", err, trashErr)
		}
		d.Way = "unlinked"
	}
	s.drop(canonical(d.Path))
	_ = s.saveIndex(false) // a cache
	return s.removeArtifacts(d)
}

// removeArtifacts deletes the session's own folder: never the root, never what a link points to.
func (s *Store) removeArtifacts(d *Deleted) error {
	dir := s.ArtifactDir(d.Path)
	if dir == "" || dir == s.artifactsRoot(d.Path) {
		return nil
	}
	st, err := os.Lstat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the session is deleted, its artifacts are not: %w", err)
	}
	if !st.IsDir() { // a link goes itself, what it points to stays
		err = os.Remove(dir)
	} else {
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return fmt.Errorf("the session is deleted, its artifacts are not: %w", err)
	}
	d.Artifacts = true
	return nil
}
