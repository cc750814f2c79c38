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
// the file is gone, its artifact folder and the links that led to it. A session whose lock is held
// is refused with ErrHeld. What can't be read as a session can be deleted all the same.
func (s *Store) Delete(ctx context.Context, path string) (Deleted, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return Deleted{}, err
	}
	d := Deleted{Path: canonical(abs)}
	st, err := os.Stat(d.Path)
	if err != nil {
		st, err = os.Lstat(d.Path) // a link to nowhere goes itself
	}
	if err != nil {
		return d, fmt.Errorf("delete: %w", err)
	}
	if st.IsDir() {
		return d, fmt.Errorf("delete: %s is a folder, no session file", d.Path)
	}
	for _, p := range []string{d.Path, filepath.Join(canonical(filepath.Dir(abs)), filepath.Base(abs))} {
		if f, _ := s.folderOf(p); f.ReadOnly {
			return d, fmt.Errorf("delete %s: %w: it belongs to %s", p, sessionio.ErrReadOnly, f.Source)
		}
	}
	release, err := s.lock(d.Path, "dugout, deleting it")
	if err != nil {
		return d, err
	}
	err = s.discard(ctx, &d)
	if rerr := release(); err == nil && rerr != nil {
		err = fmt.Errorf("delete: %w", rerr)
	}
	return d, err
}

var errNoTrash = errors.New("turned off")

func (s *Store) discard(ctx context.Context, d *Deleted) error {
	// What belongs to the file is found while the file can tell.
	artifacts, links := s.ArtifactDir(d.Path), s.linksTo(d.Path)
	program, trashErr := "", errNoTrash
	if !s.noTrash {
		program, trashErr = trash.Put(ctx, d.Path, s.path)
	}
	if trashErr == nil {
		d.Way, d.Program = "trashed", program
	} else {
		if err := ctx.Err(); err != nil { // given up by the caller: nothing is removed for good
			return fmt.Errorf("delete: %w", err)
		}
		if err := os.Remove(d.Path); err != nil {
			return fmt.Errorf("delete: %w (trash: %w)", err, trashErr)
		}
		d.Way = "unlinked"
	}
	s.drop(d.Path)
	for _, link := range links {
		_ = os.Remove(link) // one that stays is told by the next listing
	}
	_ = s.saveIndex(false) // a cache
	if artifacts == "" || s.sharesArtifacts(d.Path, artifacts) {
		return nil
	}
	var err error
	d.Artifacts, err = removeArtifacts(artifacts)
	return err
}
