package openai

import (
	"dugout/agentloop/model"
	"dugout/sessionio"
	"strings"

	"github.com/google/uuid"
	sdk "github.com/openai/openai-go/v3"
)

// callReader puts tool calls together from their deltas. Servers differ: the index may be missing
// or always 0, the id may be missing, name and arguments come whole or in pieces.
type callReader struct {
	answer *model.Assembler
	calls  []*callInParts // in the order of their first delta
	latest *callInParts
}

type callInParts struct {
	index    int64
	hasIndex bool
	id, name string
	block    int // in the answer; -1 until its name is known to be whole
}

func newCallReader(a *model.Assembler) *callReader { return &callReader{answer: a} }

func (r *callReader) add(d sdk.ChatCompletionChunkChoiceDeltaToolCall) {
	c := r.find(d)
	r.latest = c
	if c.id == "" {
		c.id = d.ID
	}
	args := arguments(d)
	if name := d.Function.Name; name != "" && c.block < 0 && name != c.name {
		c.name += name
	}
	if args != "" {
		r.open(c)
		r.answer.Add(c.block, args)
	}
}

// find decides which call a delta goes on with; it makes a new one where none fits.
func (r *callReader) find(d sdk.ChatCompletionChunkChoiceDeltaToolCall) *callInParts {
	hasIndex := d.JSON.Index.Valid()
	differs := func(c *callInParts) bool { return d.ID != "" && c.id != "" && d.ID != c.id }
	if hasIndex {
		for i := len(r.calls) - 1; i >= 0; i-- {
			if c := r.calls[i]; c.hasIndex && c.index == d.Index && !differs(c) {
				return c
			}
		}
	} else {
		for _, c := range r.calls {
			if d.ID != "" && c.id == d.ID {
				return c
			}
		}
		// Neither id nor index: it goes on with the latest, unless it begins a call of its own.
		begins := d.Function.Name != "" && (d.ID != "" || r.latest != nil && r.latest.block >= 0)
		if r.latest != nil && !differs(r.latest) && !begins {
			return r.latest
		}
	}
	c := &callInParts{index: d.Index, hasIndex: hasIndex, block: -1}
	r.calls = append(r.calls, c)
	return c
}

// arguments are a string by the format; some servers send the object itself.
func arguments(d sdk.ChatCompletionChunkChoiceDeltaToolCall) string {
	if raw := strings.TrimSpace(d.Function.JSON.Arguments.Raw()); strings.HasPrefix(raw, "{") {
		return raw
	}
	return d.Function.Arguments
}

// open puts a call into the answer, after those that began before it.
func (r *callReader) open(c *callInParts) {
	for _, e := range r.calls {
		if e.block < 0 {
			if e.id == "" {
				e.id = "call_" + strings.ReplaceAll(uuid.NewString(), "-", "")
			}
			e.block = r.answer.Open(sessionio.Block{Type: sessionio.BlockToolCall, ID: e.id, Name: e.name})
		}
		if e == c {
			return
		}
	}
}

// finish opens the calls that came without arguments.
func (r *callReader) finish() {
	if n := len(r.calls); n > 0 {
		r.open(r.calls[n-1])
	}
}
