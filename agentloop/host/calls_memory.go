package host

import (
	"context"
	"dugout/daemonclient/protocol"
	"dugout/sessionio/recall"
	"path/filepath"
	"time"
)

const (
	memoryLimit = 20
	memoryTime  = time.Minute
)

// memory searches what was said in the sessions of a folder's project.
func (c *conn) memory(p protocol.MemorySearch) (any, error) {
	if !filepath.IsAbs(p.CWD) {
		return nil, refuse(protocol.CodeParams, "the folder %q is not absolute", p.CWD)
	}
	q, err := recall.ParseQuery(p.Query)
	if err != nil {
		return nil, refuse(protocol.CodeParams, "%v", err)
	}
	if p.Limit <= 0 {
		p.Limit = memoryLimit
	}
	ctx, cancel := context.WithTimeout(c.ctx, memoryTime)
	defer cancel()
	infos, _, err := c.h.o.Store.List(ctx, nil)
	if err != nil {
		return nil, err
	}
	got := protocol.MemoryHits{Hits: []protocol.MemoryHit{}, Project: recall.Project(p.CWD)}
	found, err := recall.Search(ctx, recall.Under(got.Project, infos), q, recall.Options{Limit: p.Limit, Merge: true})
	if err != nil {
		return nil, err
	}
	for _, h := range found.Hits {
		hit := protocol.MemoryHit{
			SessionRef: protocol.SessionRef{ID: h.Session, Path: h.Path}, Title: h.Title,
			Entry: h.Entry, Role: h.Role, Time: h.Time, Snippet: h.Snippet,
		}
		if h.Answer != nil {
			hit.Answer = h.Answer.Snippet
		}
		got.Hits = append(got.Hits, hit)
	}
	return got, nil
}
