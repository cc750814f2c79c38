package live

import (
	"context"
	"dugout/roster"
	"dugout/sessionio"
	"dugout/sessionio/store"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a file must be quiet before it is read, at most so long after its first change.
const settle = 15 * time.Millisecond

// files tells what lies in the stores: first what the index knows, then what a listing finds, then
// each change, by the watcher and, behind it, by the sweep.
func (f *Feed) files(ctx context.Context, o Options) {
	seen := files{store: o.Store, infos: map[string]sessionio.Info{}}
	first := o.Store.Known()
	if len(first) > 0 && !f.tell(ctx, change{delta: roster.Delta{AllSaved: &first}, scan: &scan{0, len(first)}}) {
		return
	}
	seen.keep(first)
	watcher, err := fsnotify.NewWatcher() // before the listing, so that nothing falls in between
	if err != nil {
		why := fmt.Sprintf("changes show late: files can't be watched: %s", err)
		if !f.tell(ctx, change{problem: &why}) {
			return
		}
	} else {
		defer func() { _ = watcher.Close() }() // leaving anyway
	}
	watch(watcher, o.Store.Dirs())
	if !f.list(ctx, &seen, true) {
		return
	}
	f.follow(ctx, &seen, watcher, o)
}

// watch adds the folders that can be watched; the sweep tries again and covers the others.
func watch(w *fsnotify.Watcher, dirs []string) {
	if w == nil {
		return
	}
	for _, d := range dirs {
		_ = w.Add(d) // a folder that is not there yet
	}
}

func (f *Feed) follow(ctx context.Context, seen *files, w *fsnotify.Watcher, o Options) {
	var events chan fsnotify.Event
	var errs chan error
	if w != nil {
		events, errs = w.Events, w.Errors
	}
	sweep := time.NewTicker(o.Sweep)
	defer sweep.Stop()
	dirty := map[string]bool{}
	quiet := time.NewTimer(time.Hour)
	quiet.Stop()
	mark := func(path string) {
		if len(dirty) == 0 {
			quiet.Reset(settle)
		}
		dirty[path] = true
	}
	for {
		select {
		case <-ctx.Done():
			return
		case ev, ok := <-events:
			if !ok {
				events = nil
			} else if strings.HasSuffix(ev.Name, ".jsonl") && !ev.Has(fsnotify.Chmod) {
				mark(ev.Name)
			}
		case _, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			if !f.list(ctx, seen, false) { // events were lost
				return
			}
		case path := <-f.touch:
			mark(path)
		case <-quiet.C:
			d := seen.refresh(dirty)
			clear(dirty)
			if !empty(d) && !f.tell(ctx, change{delta: d}) {
				return
			}
		case <-sweep.C:
			watch(w, o.Store.Dirs())
			if !f.list(ctx, seen, false) {
				return
			}
		}
	}
}

// list looks at every folder and tells what is not as it was; false when it is over.
func (f *Feed) list(ctx context.Context, seen *files, tellProgress bool) bool {
	var progress store.Progress
	if tellProgress {
		progress = func(done, total int) {
			if done%64 == 0 {
				f.tell(ctx, change{scan: &scan{done, max(total, done+1)}})
			}
		}
	}
	infos, problems, err := seen.store.List(ctx, progress)
	if ctx.Err() != nil {
		return false
	}
	why := ""
	switch {
	case err != nil:
		why = fmt.Sprintf("sessions can't be listed: %s", err)
	case len(problems) > 0:
		why = fmt.Sprintf("%d file(s) are no readable sessions; `dugout doctor` names them", len(problems))
	}
	c := change{problem: &why}
	if tellProgress {
		c.scan = &scan{}
	}
	if err == nil {
		c.delta = seen.diff(infos)
	}
	if !tellProgress && empty(c.delta) && why == seen.said {
		return true
	}
	seen.said = why
	return f.tell(ctx, c)
}

func empty(d roster.Delta) bool { return len(d.Saved)+len(d.Removed) == 0 }

// files is what was told of the stores.
type files struct {
	store *store.Store
	infos map[string]sessionio.Info
	said  string
}

func (s *files) keep(infos []sessionio.Info) {
	for _, i := range infos {
		s.infos[i.Path] = i
	}
}

// diff is what differs from what was told.
func (s *files) diff(infos []sessionio.Info) roster.Delta {
	var d roster.Delta
	there := make(map[string]bool, len(infos))
	for _, i := range infos {
		there[i.Path] = true
		if old, ok := s.infos[i.Path]; !ok || !reflect.DeepEqual(old, i) {
			d.Saved = append(d.Saved, i)
		}
	}
	for path := range s.infos {
		if !there[path] {
			d.Removed = append(d.Removed, path)
			delete(s.infos, path)
		}
	}
	s.keep(d.Saved)
	return d
}

// refresh looks at some files again.
func (s *files) refresh(paths map[string]bool) roster.Delta {
	var d roster.Delta
	for path := range paths {
		info, ok, err := s.store.Refresh(path)
		if err != nil || !ok {
			if _, had := s.infos[path]; had {
				d.Removed = append(d.Removed, path)
				delete(s.infos, path)
			}
			continue
		}
		if old, had := s.infos[info.Path]; !had || !reflect.DeepEqual(old, info) {
			d.Saved = append(d.Saved, info)
			s.infos[info.Path] = info
		}
	}
	return d
}
