package live

import (
	"dugout/sessionio/store"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// watch hears of changes in the stores' folders, and of those folders themselves from the ones above.
type watch struct {
	store  *store.Store
	w      *fsnotify.Watcher
	events chan fsnotify.Event
	errors chan error
	dirs   map[string]bool // the folders that hold sessions
}

// open begins to watch; the sentence says why it can't.
func (w *watch) open(s *store.Store) (why string) {
	w.store = s
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Sprintf("changes show late: files can't be watched: %s", err)
	}
	w.w, w.events, w.errors = fs, fs.Events, fs.Errors
	w.add(s.Dirs())
	return ""
}

func (w *watch) close() {
	if w.w != nil {
		_ = w.w.Close() // leaving anyway
	}
}

// add watches the folders that can be watched; the sweep tries again and covers the others.
func (w *watch) add(dirs []string) {
	w.dirs = make(map[string]bool, len(dirs))
	for _, d := range dirs {
		w.dirs[d] = true
	}
	if w.w == nil {
		return
	}
	for _, d := range dirs {
		_ = w.w.Add(d) // a folder that is not there yet
		if up := filepath.Dir(d); !w.dirs[up] {
			_ = w.w.Add(up)
		}
	}
}

type meaning int

const (
	nothing meaning = iota
	fileChanged
	foldersChanged
)

// means says what to do about an event. A folder of sessions that came is watched from then on.
func (w *watch) means(ev fsnotify.Event) meaning {
	inside := w.dirs[filepath.Dir(ev.Name)]
	switch {
	case inside && strings.HasSuffix(ev.Name, ".jsonl"):
		if ev.Op == fsnotify.Chmod || strings.HasPrefix(filepath.Base(ev.Name), ".") {
			return nothing
		}
		return fileChanged
	case ev.Has(fsnotify.Create):
		dirs := w.store.Dirs()
		if !slices.Contains(dirs, ev.Name) {
			return nothing
		}
		_ = w.w.Remove(ev.Name) // the one that was there before under this name
		w.add(dirs)
		return foldersChanged
	case w.dirs[ev.Name] && (ev.Has(fsnotify.Remove) || ev.Has(fsnotify.Rename)):
		return foldersChanged
	}
	return nothing
}
