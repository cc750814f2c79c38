// Package demo is the world of `dugout demo`: a home of its own, a few small real projects, saved
// sessions of several ages, and a dozen scripted agents at work. Nothing in it needs a key or a
// network, the tools are the real ones, and all of it lies in one temporary folder.
package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// World is a demo on disk.
type World struct {
	Root     string // everything is below it
	Home     string // DUGOUT_HOME
	Projects string
}

// prefix begins the name of every demo's folder; Remove touches nothing else.
const prefix = "dugout-demo-"

// Build makes a world in a new folder below dir, the system's temporary one where dir is "". now is
// the time that the ages of sessions count back from.
func Build(ctx context.Context, dir string, now time.Time) (w World, err error) {
	root, err := os.MkdirTemp(dir, prefix)
	if err != nil {
		return World{}, fmt.Errorf("demo: %w", err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return World{}, fmt.Errorf("demo: %w", err)
	}
	w = World{Root: root, Home: filepath.Join(root, "home"), Projects: filepath.Join(root, "src")}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(root) // half a world is no use; err says what went wrong
		}
	}()
	if err := os.MkdirAll(w.Home, 0o700); err != nil {
		return w, fmt.Errorf("demo: %w", err)
	}
	// Retries short enough to watch one fail; nothing of the demo goes to the person's trash.
	settings := `{"model": "scripted/demo", "retry": {"max": 1, "base": "1s"}, "sessions": {"noTrash": true}}` + "\n"
	if err := os.WriteFile(filepath.Join(w.Home, "settings.json"), []byte(settings), 0o600); err != nil {
		return w, fmt.Errorf("demo: %w", err)
	}
	if err := w.makeProjects(ctx); err != nil {
		return w, fmt.Errorf("demo: %w", err)
	}
	if err := w.makeSaved(now); err != nil {
		return w, fmt.Errorf("demo: %w", err)
	}
	return w, nil
}

// At is the world below a root that Build made.
func At(root string) (World, error) {
	if len(filepath.Base(root)) <= len(prefix) || filepath.Base(root)[:len(prefix)] != prefix {
		return World{}, fmt.Errorf("demo: %s is no demo's folder", root)
	}
	return World{Root: root, Home: filepath.Join(root, "home"), Projects: filepath.Join(root, "src")}, nil
}

// Remove deletes the world.
func (w World) Remove() error {
	if _, err := At(w.Root); err != nil {
		return err
	}
	return os.RemoveAll(w.Root)
}
