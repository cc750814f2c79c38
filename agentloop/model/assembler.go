package model

import (
	"dugout/sessionio"
	"encoding/json"
	"strings"
)

// Assembler builds an answer from the pieces of a stream, and tells each piece on. Providers use it
// so that deltas and message cannot differ.
type Assembler struct {
	emit   func(Delta)
	blocks []sessionio.Block
	texts  []*strings.Builder // what has come for each block
}

// NewAssembler makes an empty answer.
func NewAssembler(emit func(Delta)) *Assembler { return &Assembler{emit: emit} }

// Open begins a block and returns its index; what text it has must come through Add.
func (a *Assembler) Open(b sessionio.Block) int {
	at := len(a.blocks)
	a.blocks = append(a.blocks, b)
	a.texts = append(a.texts, &strings.Builder{})
	if b.Type == sessionio.BlockToolCall {
		a.emit(Delta{Kind: DeltaToolStart, Block: at, ToolID: b.ID, ToolName: b.Name})
	}
	return at
}

// Add appends a piece to a block: to its text, its thinking or its arguments.
func (a *Assembler) Add(at int, piece string) {
	if piece == "" {
		return
	}
	a.texts[at].WriteString(piece)
	d := Delta{Kind: DeltaText, Block: at, Text: piece}
	switch b := &a.blocks[at]; b.Type {
	case sessionio.BlockThinking:
		d.Kind = DeltaThinking
	case sessionio.BlockToolCall:
		d.Kind, d.ToolID, d.ToolName = DeltaToolArgs, b.ID, b.Name
	default:
	}
	a.emit(d)
}

// Continue appends to the last block when it is of a type, and opens one otherwise.
func (a *Assembler) Continue(t sessionio.BlockType, piece string) {
	if piece == "" {
		return
	}
	at := len(a.blocks) - 1
	if at < 0 || a.blocks[at].Type != t {
		at = a.Open(sessionio.Block{Type: t})
	}
	a.Add(at, piece)
}

// Block gives access to what is no text: ids, signatures. It is valid until the next Open.
func (a *Assembler) Block(at int) *sessionio.Block { return &a.blocks[at] }

// Len counts the blocks.
func (a *Assembler) Len() int { return len(a.blocks) }

// Blocks is the content as it stands. Blocks without any content, which streams open in vain, are
// kept: deltas have named the blocks by index.
func (a *Assembler) Blocks() []sessionio.Block {
	out := make([]sessionio.Block, len(a.blocks))
	for i, b := range a.blocks {
		s := a.texts[i].String()
		switch b.Type {
		case sessionio.BlockText:
			b.Text = s
		case sessionio.BlockThinking:
			b.Thinking = s
		case sessionio.BlockToolCall:
			b.Arguments = json.RawMessage(s)
			if strings.TrimSpace(s) == "" {
				b.Arguments = json.RawMessage("{}")
			}
		default:
		}
		out[i] = b
	}
	return out
}

// BadCall finds a call whose arguments are not one whole JSON object.
func BadCall(blocks []sessionio.Block) (name string, found bool) {
	for _, b := range blocks {
		if b.Type == sessionio.BlockToolCall && !IsObject(b.Arguments) {
			return b.Name, true
		}
	}
	return "", false
}

// WholeCalls leaves out the calls whose arguments are not one whole JSON object.
func WholeCalls(blocks []sessionio.Block) []sessionio.Block {
	var out []sessionio.Block
	for _, b := range blocks {
		if b.Type != sessionio.BlockToolCall || IsObject(b.Arguments) {
			out = append(out, b)
		}
	}
	return out
}

// HasCalls says whether an answer calls a tool.
func HasCalls(blocks []sessionio.Block) bool {
	for _, b := range blocks {
		if b.Type == sessionio.BlockToolCall {
			return true
		}
	}
	return false
}
