package agentloop

import (
	"dugout/sessionio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/google/renameio/v2"
)

// queueFile keeps the waiting messages among the session's artifacts, so that one that was taken
// outlives the process. It is written whole at each change and gone when nothing waits. A crash
// between a delivery and the change after it leaves the message in both: better twice than never.
type queueFile struct {
	mu   sync.Mutex
	path string // "" keeps nothing
}

type storedMessage struct {
	ID     string            `json:"id"`
	Text   string            `json:"text"`
	Kind   QueueKind         `json:"kind"`
	Images []sessionio.Block `json:"images,omitempty"`
}

// loadQueue brings back what waited when the last process ended; it waits on until the next prompt.
// A file that can't be read is put aside and told of: it is no reason to keep the session shut.
func (a *Agent) loadQueue() {
	if a.o.ArtifactDir == "" {
		return
	}
	path := filepath.Join(a.o.ArtifactDir, "queue.json")
	a.queueFile.path = path
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var list []storedMessage
	if err == nil {
		err = json.Unmarshal(data, &list)
	}
	if err != nil {
		if aside := os.Rename(path, path+".bad"); aside != nil {
			a.queueFile.path = ""
		}
		a.st.LastError = fmt.Sprintf("the messages that waited can't be read, they are in %s.bad: %v", path, err)
		return
	}
	for _, m := range list {
		if m.Kind != FollowUp {
			m.Kind = Steer
		}
		a.queue = append(a.queue, waiting{Queued{ID: m.ID, Text: m.Text, Kind: m.Kind}, m.Images})
	}
}

// saveQueue writes what waits now. Called with no lock held.
func (a *Agent) saveQueue() error {
	f := &a.queueFile
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" {
		return nil
	}
	a.mu.Lock()
	list := make([]storedMessage, len(a.queue))
	for i, m := range a.queue {
		list[i] = storedMessage{m.ID, m.Text, m.Kind, m.images}
	}
	a.mu.Unlock()
	if len(list) == 0 {
		if err := os.Remove(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &storageError{err}
		}
		return nil
	}
	data, err := json.Marshal(list)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(f.path), 0o700)
	}
	if err == nil {
		err = renameio.WriteFile(f.path, data, 0o600)
	}
	if err != nil {
		return &storageError{err}
	}
	return nil
}
