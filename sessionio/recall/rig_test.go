package recall

import (
	"context"
	"dugout/sessionio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// world is a folder of session files.
type world struct {
	t     testing.TB
	dir   string
	infos []sessionio.Info
}

func newWorld(t testing.TB) *world {
	t.Helper()
	return &world{t: t, dir: t.TempDir()}
}

// file writes a session of lines behind a header.
func (w *world) file(id, cwd string, lines ...string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, id+".jsonl")
	head := fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2025-02-03T04:05:06.789Z","cwd":%q}`, id, cwd)
	text := strings.Join(append([]string{head}, lines...), "\n") + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.infos = append(w.infos, sessionio.Info{ID: sessionio.ID(id), Path: path, CWD: cwd, FirstMessage: "title of " + id})
	return path
}

// msg is one line; n gives its id, its parent (n-1) and its minute.
func msg(n int, role, text string) string { return under(n, n-1, role, text) }

func under(n, parent int, role, text string) string {
	up := "null"
	if parent > 0 {
		up = fmt.Sprintf(`"e%d"`, parent)
	}
	return fmt.Sprintf(`{"type":"message","id":"e%d","parentId":%s,"timestamp":"2025-02-03T05:%02d:00.000Z","message":{"role":%q,"content":[{"type":"text","text":%s}]}}`,
		n, up, n, role, quote(text))
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func (w *world) search(query string, o Options) Result {
	w.t.Helper()
	q, err := ParseQuery(query)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	r, err := Search(ctx, w.infos, q, o)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// names are the hits as session/entry.
func names(hits []Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, string(h.Session)+"/"+string(h.Entry))
	}
	return strings.Join(out, " ")
}
