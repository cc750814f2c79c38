package store

import (
	"context"
	"dugout/sessionio"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Problem is a file that a listing passed over, and why.
type Problem struct {
	Path string
	Line int // 0 when the whole file
	Err  error
}

// Progress is told as a listing goes.
type Progress func(done, total int)

// Step is one file of a listing.
type Step struct {
	Done, Total int
	Info        sessionio.Info
	Problem     *Problem // instead of Info
}

// Walk looks at every session file, reading only what changed since the index was last written, and
// tells each as it is known: one at a time, about newest first. It never waits on a FIFO and never
// fails for one bad file; the error is the context's.
func (s *Store) Walk(ctx context.Context, each func(Step)) error {
	files, problems := s.names()
	total := len(files)
	for i := range problems {
		each(Step{Total: total, Problem: &problems[i]})
	}
	var (
		next atomic.Int64
		mu   sync.Mutex
		done int
		wg   sync.WaitGroup
	)
	for range min(runtime.GOMAXPROCS(0), total) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= total {
					return
				}
				info, problem := s.look(files[i].path, files[i].folder, true)
				mu.Lock()
				done++
				each(Step{done, total, info, problem})
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.forget(files)
	// The index is a cache: a full disk or a read-only home must not keep anyone from the list.
	_ = s.saveIndex(false)
	return nil
}

// List returns every session, newest activity first, and what could not be read as one.
func (s *Store) List(ctx context.Context, p Progress) ([]sessionio.Info, []Problem, error) {
	var infos []sessionio.Info
	var problems []Problem
	err := s.Walk(ctx, func(st Step) {
		if st.Problem != nil {
			problems = append(problems, *st.Problem)
		} else {
			infos = append(infos, st.Info)
		}
		if p != nil {
			p(st.Done, st.Total)
		}
	})
	if err != nil {
		return nil, nil, err
	}
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
	byDir := map[string]Folder{}
	for _, f := range s.folders {
		byDir[f.Dir] = f
	}
	files := s.index().files
	infos := make([]sessionio.Info, 0, len(files))
	for path, k := range files {
		if f, ours := byDir[k.Folder]; ours && k.Problem == "" {
			infos = append(infos, k.info(path, f))
		}
	}
	return infos
}

// Refresh looks at one file again, in time proportional to what was appended. ok is false when it
// is no session (any more).
func (s *Store) Refresh(path string) (info sessionio.Info, ok bool, err error) {
	path = canonical(path)
	folder, listed := s.folderOf(path)
	if k, seen := s.known(path); seen && !listed { // listed by a link
		for _, f := range s.folders {
			if f.Dir == k.Folder {
				folder, listed = f, true
			}
		}
	}
	info, problem := s.look(path, folder, listed)
	if problem != nil {
		return sessionio.Info{}, false, nil
	}
	return info, true, nil
}
