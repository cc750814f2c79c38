package store

import (
	"context"
	"dugout/sessionio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Resolve finds the session that a selector means: a path (of any file, in a store or not), a full
// id, a name, or a unique beginning or end of an id (dashes and case ignored). ErrNotFound and
// ErrAmbiguous name the nearest candidates.
func (s *Store) Resolve(ctx context.Context, selector string) (sessionio.Info, error) {
	looksLikePath := strings.ContainsRune(selector, filepath.Separator) || strings.HasSuffix(selector, fileSuffix)
	if looksLikePath {
		info, err := s.resolvePath(selector)
		if !errors.Is(err, ErrNotFound) {
			return info, err
		}
	}
	infos, _, err := s.List(ctx, nil)
	if err != nil {
		return sessionio.Info{}, err
	}
	if looksLikePath { // no such file; a name may hold a slash
		infos = slices.DeleteFunc(infos, func(i sessionio.Info) bool { return !named(i, selector) })
		if len(infos) == 0 {
			return s.resolvePath(selector)
		}
	}
	return Pick(infos, selector)
}

// resolvePath takes a path as it is; a file that is no session says why and where.
func (s *Store) resolvePath(path string) (sessionio.Info, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return sessionio.Info{}, err
	}
	if _, err := os.Lstat(abs); errors.Is(err, fs.ErrNotExist) {
		return sessionio.Info{}, fmt.Errorf("%w: %s does not exist", ErrNotFound, abs)
	}
	real := canonical(abs)
	folder, ours := s.folderOf(real)
	info, problem := s.look(real, folder, ours)
	if problem != nil {
		at := abs
		if problem.Line > 0 {
			at = fmt.Sprintf("%s:%d", abs, problem.Line)
		}
		return sessionio.Info{Path: real}, fmt.Errorf("%s: %w: %w; the file is left as it is", at, sessionio.ErrNotSession, problem.Err)
	}
	return info, nil
}

func named(i sessionio.Info, name string) bool {
	return i.Name != "" && i.Name == strings.TrimSpace(name)
}

// Pick chooses among sessions by a full id, a name, or a unique beginning or end of an id. Pure.
func Pick(infos []sessionio.Info, selector string) (sessionio.Info, error) {
	want := bare(selector)
	for _, stage := range []func(sessionio.Info) bool{
		func(i sessionio.Info) bool { return string(i.ID) == selector },
		func(i sessionio.Info) bool { return bare(string(i.ID)) == want },
		func(i sessionio.Info) bool { return named(i, selector) },
		func(i sessionio.Info) bool {
			id := bare(string(i.ID))
			return want != "" && (strings.HasPrefix(id, want) || strings.HasSuffix(id, want))
		},
	} {
		var found []sessionio.Info
		for _, i := range infos {
			if stage(i) {
				found = append(found, i)
			}
		}
		switch {
		case len(found) == 1:
			return found[0], nil
		case len(found) > 1:
			return sessionio.Info{}, fmt.Errorf("%q is %w: %s", selector, ErrAmbiguous, describe(found))
		}
	}
	if near := nearest(infos, selector); len(near) > 0 {
		return sessionio.Info{}, fmt.Errorf("%w: %q; near it: %s", ErrNotFound, selector, describe(near))
	}
	return sessionio.Info{}, fmt.Errorf("%w: %q; `dugout ls` lists them", ErrNotFound, selector)
}

func bare(id string) string { return strings.ToLower(strings.ReplaceAll(id, "-", "")) }

func describe(infos []sessionio.Info) string {
	var out []string
	for _, i := range infos[:min(len(infos), 5)] {
		d := string(i.ID)
		if i.Name != "" {
			d += fmt.Sprintf(" (%q)", i.Name)
		}
		if slices.ContainsFunc(infos, func(o sessionio.Info) bool { return o.ID == i.ID && o.Path != i.Path }) {
			d += " in " + i.Path // a copy has the same id
		}
		out = append(out, d)
	}
	if n := len(infos) - 5; n > 0 {
		out = append(out, fmt.Sprintf("and %d more", n))
	}
	return strings.Join(out, ", ")
}

// nearest names the sessions whose id or name is few letters away from the selector.
func nearest(infos []sessionio.Info, selector string) []sessionio.Info {
	type scored struct {
		info sessionio.Info
		d    int
	}
	want := bare(selector)
	if len(want) < 4 {
		return nil
	}
	var all []scored
	for _, i := range infos {
		id := bare(string(i.ID))
		n := min(len(want), len(id))
		d := min(distance(want, id[:n]), distance(want, id[len(id)-n:]))
		if i.Name != "" {
			d = min(d, distance(strings.ToLower(selector), strings.ToLower(i.Name)))
		}
		if d <= max(1, len(want)/4) {
			all = append(all, scored{i, d})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return a.d - b.d })
	var out []sessionio.Info
	for _, s := range all[:min(len(all), 3)] {
		out = append(out, s.info)
	}
	return out
}

// distance is the number of letters to change, add or drop (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		prev := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			prev, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, prev+cost)
		}
	}
	return row[len(b)]
}
