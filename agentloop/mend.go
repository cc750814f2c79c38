package agentloop

import (
	"bytes"
	"crypto/rand"
	"dugout/sessionio"
	"encoding/json"
)

// mendCalls makes the tool calls of an answer fit for the file and the next request: each with an id
// of its own and an object for arguments. What a model wrote in place of an object is returned by
// the call's id, for the error that it reads.
func mendCalls(m *sessionio.Message) (bad map[string]string) {
	seen := map[string]bool{}
	for i := range m.Content {
		b := &m.Content[i]
		if b.Type != sessionio.BlockToolCall {
			continue
		}
		if b.ID == "" || seen[b.ID] {
			b.ID, b.Raw = "call_"+rand.Text()[:12], nil
		}
		seen[b.ID] = true
		switch args := bytes.TrimSpace(b.Arguments); {
		case len(args) == 0:
			b.Arguments, b.Raw = json.RawMessage("{}"), nil
		case args[0] != '{' || !json.Valid(args):
			if bad == nil {
				bad = map[string]string{}
			}
			bad[b.ID] = string(args)
			b.Arguments, b.Raw = json.RawMessage("{}"), nil
		}
	}
	return bad
}
