package store

import (
	"bytes"
	"context"
	"dugout/sessionio"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"
)

// Problem is a file that a listing passed over, and why.
type Problem struct {
	Path string
	Line int // 0 when the whole file
	Err  error
}

// Progress is told as a listing goes.
type Progress func(done, total int)

// List returns every session, newest activity first, reading only files that changed since the
// index was last written. It never waits on a FIFO and never fails for one bad file.
func (s *Store) List(ctx context.Context, p Progress) ([]sessionio.Info, []Problem, error) {
	paths, problems := s.names()
	var (
		mu    sync.Mutex
		infos []sessionio.Info
		done  int
		wg    sync.WaitGroup
		work  = make(chan string)
	)
	for range min(runtime.GOMAXPROCS(0), max(len(paths), 1)) {
		wg.Go(func() {
			for path := range work {
				info, problem := s.look(path)
				mu.Lock()
				if problem == nil {
					infos = append(infos, info)
				} else {
					problems = append(problems, *problem)
				}
				done++
				if p != nil {
					p(done, len(paths))
				}
				mu.Unlock()
			}
		})
	}
	for _, path := range paths {
		if ctx.Err() != nil {
			break
		}
		work <- path
	}
	close(work)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	s.forget(paths)
	// The index is a cache: a full disk or a read-only home must not keep anyone from the list.
	_ = s.saveIndex()
	slices.SortFunc(infos, func(a, b sessionio.Info) int {
		if c := b.Modified.Compare(a.Modified); c != 0 {
			return c
		}
		return strings.Compare(a.Path, b.Path)
	})
	slices.SortFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return infos, problems, nil
}

// Known returns what the index knew without looking at any file: a first screen at once.
func (s *Store) Known() []sessionio.Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	var infos []sessionio.Info
	for _, k := range s.index.files {
		if k.Problem == "" {
			infos = append(infos, k.Info)
		}
	}
	return infos
}

// names lists the session files of all folders by canonical path, each once.
func (s *Store) names() (paths []string, problems []Problem) {
	seen := map[string]bool{}
	for _, f := range s.folders {
		entries, err := os.ReadDir(f.Dir)
		if err != nil {
			if !errors.Is(err, os.ErrNotExist) {
				problems = append(problems, Problem{Path: f.Dir, Err: err})
			}
			continue
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), fileSuffix) || strings.HasPrefix(e.Name(), ".") {
				continue
			}
			path := filepath.Join(f.Dir, e.Name())
			if !utf8.ValidString(path) { // its key could not be kept as text
				problems = append(problems, Problem{Path: strings.ToValidUTF8(path, "\ufffd"), Err: errors.New("its name is no UTF-8")})
				continue
			}
			if e.Type()&os.ModeSymlink != 0 {
				real, err := filepath.EvalSymlinks(path)
				if err != nil {
					problems = append(problems, Problem{Path: path, Err: errors.New("a link to nowhere")})
					continue
				}
				path = real
			}
			if !seen[path] {
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	return paths, problems
}

// Refresh looks at one file again, in time proportional to what was appended. ok is false when it
// is no session (any more).
func (s *Store) Refresh(path string) (info sessionio.Info, ok bool, err error) {
	path = canonical(path)
	info, problem := s.look(path)
	if problem != nil {
		return sessionio.Info{}, false, nil
	}
	return info, true, nil
}

// SaveIndex writes the index where something changed since it was last written.
func (s *Store) SaveIndex() error { return s.saveIndex() }

func (s *Store) saveIndex() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.index.save(s.indexPath())
}

// forget drops files from the index that are not there any more.
func (s *Store) forget(paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	there := make(map[string]bool, len(paths))
	for _, p := range paths {
		there[p] = true
	}
	for p := range s.index.files {
		if _, ours := s.folderOf(p); !there[p] && ours {
			delete(s.index.files, p)
			s.index.dirty = true
		}
	}
}

// look gives a file's info: from the index when nothing changed, else by folding what is new.
func (s *Store) look(path string) (sessionio.Info, *Problem) {
	st, err := os.Stat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = errors.New("no regular file")
	}
	if err != nil {
		s.drop(path)
		return sessionio.Info{}, &Problem{Path: path, Err: err}
	}
	k, seen := s.known(path)
	mtime, inode := st.ModTime().UnixNano(), inodeOf(st)
	if !seen || k.Size != st.Size() || k.MTime != mtime || k.Inode != inode {
		k = s.fold(path, k, st.Size(), inode)
		k.MTime = mtime
		s.put(path, k)
	}
	if k.Problem != "" {
		return sessionio.Info{}, &Problem{Path: path, Line: k.Line, Err: errors.New(k.Problem)}
	}
	return k.Info, nil
}

// fold reads what a file holds beyond what is known of it; one that was replaced or cut is read
// from its start.
func (s *Store) fold(path string, k known, size int64, inode uint64) known {
	f, err := sessionio.OpenRegular(path, os.O_RDONLY)
	if err != nil {
		return known{Size: size, Inode: inode, Problem: bareError(err)}
	}
	defer f.Close()
	if k.Inode != inode || size < k.Fold.Scanned || k.Problem != "" || !bytes.Equal(k.Before, lastBefore(f, k.Fold.Scanned)) {
		k = known{}
	}
	k.Inode, k.Size = inode, size
	info, err := k.Fold.ScanFile(f, size)
	var at *sessionio.LineError
	if errors.As(err, &at) {
		return known{Size: size, Inode: inode, Problem: at.Err.Error(), Line: at.Line}
	}
	if err != nil {
		return known{Size: size, Inode: inode, Problem: bareError(err)}
	}
	folder, _ := s.folderOf(path)
	info.Path, info.Store, info.Source, info.ReadOnly = path, folder.Dir, folder.Source, folder.ReadOnly
	if info.Modified.IsZero() {
		if st, err := f.Stat(); err == nil {
			info.Modified = st.ModTime().UTC()
		}
	}
	k.Info, k.Before = info, lastBefore(f, k.Fold.Scanned)
	return k
}

// lastBefore reads the bytes before a place in a file; nil before the first.
func lastBefore(f *os.File, at int64) []byte {
	b := make([]byte, min(at, 64))
	if _, err := f.ReadAt(b, at-int64(len(b))); err != nil || len(b) == 0 {
		return nil
	}
	return b
}

// bareError is an error's reason without the path, which stands beside it.
func bareError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func inodeOf(st os.FileInfo) uint64 {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok {
		return sys.Ino
	}
	return 0
}

func (s *Store) known(path string) (known, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, ok := s.index.files[path]
	return k, ok
}

func (s *Store) put(path string, k known) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.index.files[path] = k
	s.index.dirty = true
}

func (s *Store) drop(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.index.files[path]; ok {
		delete(s.index.files, path)
		s.index.dirty = true
	}
}
