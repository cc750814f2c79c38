package main

import (
	"context"
	"dugout/agentloop/tool"
	"dugout/sessionio"
	"dugout/sessionio/recall"
	"dugout/sessionio/store"
)

// memoryHits bounds what one call puts into a model's context.
const memoryHits = 10

// memoryOf lets a model search the sessions of its project.
func memoryOf(st *store.Store) tool.MemoryFunc {
	return func(ctx context.Context, cwd, query string, known []sessionio.Message) (string, error) {
		q, err := recall.ParseQuery(query)
		if err != nil {
			return "", err
		}
		infos, _, err := st.List(ctx, nil)
		if err != nil {
			return "", err
		}
		found, err := recall.Search(ctx, recall.Under(recall.Project(cwd), infos), q, recall.Options{
			Limit: memoryHits, Merge: true, Snippet: 600, Known: recall.KnownTo(known),
		})
		return found.Text(q), err
	}
}
