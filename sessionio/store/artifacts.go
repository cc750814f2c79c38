package store

import (
	"crypto/sha256"
	"dugout/sessionio"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const artifactsName = "session-artifacts"

// ArtifactDir is a session's artifact folder (not made): beside the sessions folder, named by the
// id in the file's header, or by the file's name while there is no header. A file from outside any
// store has its own at home. An id that could mean any other folder gives "".
func (s *Store) ArtifactDir(path string) string {
	path = canonical(path)
	return s.artifactDirOf(path, s.idOf(path))
}

func (s *Store) artifactDirOf(path string, id sessionio.ID) string {
	if !canNameFile(id) {
		return ""
	}
	f, ours := s.folderOf(path)
	if ours {
		return filepath.Join(filepath.Dir(f.Dir), artifactsName, string(id))
	}
	// A copy of one of our sessions has its id; it must not share what is not its own.
	sum := sha256.Sum256([]byte(path))
	return filepath.Join(filepath.Dir(s.folders[0].Dir), artifactsName, string(id)+"-"+hex.EncodeToString(sum[:4]))
}

// canNameFile says whether an id can name one file or folder, with a suffix, and no other place.
func canNameFile(id sessionio.ID) bool {
	return id != "" && id != "." && id != ".." && len(id) <= 200 && !strings.ContainsAny(string(id), "/\\\x00")
}

// idOf is the id in a file's header, else what its name says.
func (s *Store) idOf(path string) sessionio.ID {
	if st, err := os.Stat(path); err == nil {
		if k, ok := s.known(path); ok && k.same(st) && k.Problem == "" {
			return k.Info.ID
		}
		if f, err := sessionio.OpenRegular(path, os.O_RDONLY); err == nil {
			defer f.Close()
			if id, ok := headerID(f, st.Size()); ok {
				return id
			}
		}
	}
	return sessionio.ID(strings.TrimSuffix(filepath.Base(path), fileSuffix))
}

// headerID reads the id off a file's beginning.
func headerID(f *os.File, size int64) (sessionio.ID, bool) {
	for _, n := range []int64{8 << 10, 1 << 20} { // a header is short; a long one is not worth more
		n = min(n, size)
		var fold sessionio.Fold
		if _, err := fold.ScanFile(f, n); err == nil {
			return fold.ID, true
		}
		if fold.Headed {
			return fold.ID, true
		}
	}
	return "", false
}

// sharesArtifacts says whether another session keeps its files in the same folder, as copies of one
// session do.
func (s *Store) sharesArtifacts(path, dir string) bool {
	if _, err := os.Lstat(dir); err != nil {
		return false // nothing to share
	}
	files, _ := s.names()
	for _, l := range files {
		if l.path != path && s.artifactDirOf(l.path, s.idOf(l.path)) == dir {
			return true
		}
	}
	return false
}

// removeArtifacts deletes a session's own folder: never the root, never what a link points to.
func removeArtifacts(dir string) (removed bool, err error) {
	if filepath.Base(filepath.Dir(dir)) != artifactsName {
		return false, nil
	}
	st, err := os.Lstat(dir)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err == nil && !st.IsDir() { // a link goes itself, what it points to stays
		err = os.Remove(dir)
	} else if err == nil {
		err = os.RemoveAll(dir)
	}
	if err != nil {
		return false, fmt.Errorf("the session is deleted, its artifacts are not: %w", err)
	}
	return true, nil
}
