package live

import (
	"dugout/roster"
	"dugout/sessionio"
	"reflect"
)

// seen is what was told of the stores, by path.
type seen struct {
	infos  map[string]sessionio.Info
	listed map[string]bool // by the listing under way
	since  map[string]bool // looked at since it began: what is known of them is newer
}

func newSeen(infos []sessionio.Info) seen {
	s := seen{infos: make(map[string]sessionio.Info, len(infos))}
	for _, i := range infos {
		s.infos[i.Path] = i
	}
	return s
}

// begin begins a listing.
func (s *seen) begin() { s.listed, s.since = map[string]bool{}, map[string]bool{} }

// found takes what the listing found; true when it is news.
func (s *seen) found(i sessionio.Info) bool {
	s.listed[i.Path] = true
	return !s.since[i.Path] && s.news(i)
}

// missing are the paths that the listing did not find, at its end.
func (s *seen) missing() (gone []string) {
	for path := range s.infos {
		if !s.listed[path] && !s.since[path] {
			gone = append(gone, path)
			delete(s.infos, path)
		}
	}
	s.listed, s.since = nil, nil
	return gone
}

// news keeps an info; true when it is not what was known.
func (s *seen) news(i sessionio.Info) bool {
	old, had := s.infos[i.Path]
	if had && (old == i || reflect.DeepEqual(old, i)) {
		return false
	}
	s.infos[i.Path] = i
	return true
}

// refresher looks at one file again; *store.Store is one.
type refresher interface {
	Refresh(path string) (info sessionio.Info, ok bool, err error)
}

// refresh looks at some files again.
func (s *seen) refresh(r refresher, paths map[string]bool) (d roster.Delta) {
	for path := range paths {
		info, ok, err := r.Refresh(path)
		if err != nil || !ok {
			s.touched(path)
			if _, had := s.infos[path]; had {
				d.Removed = append(d.Removed, path)
				delete(s.infos, path)
			}
			continue
		}
		s.touched(info.Path)
		if s.news(info) {
			d.Saved = append(d.Saved, info)
		}
	}
	return d
}

func (s *seen) touched(path string) {
	if s.since != nil {
		s.since[path] = true
	}
}
