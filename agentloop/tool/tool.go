// Package tool is what the agent can do: read, write, edit, bash, grep, find, ls and spawn, each
// with bounded time, memory and output.
//
// A call is judged before it runs: Effect says what it would do, on paths with their links
// resolved, and Run works on those same paths. What fails tells the model what to do next. Text is
// always valid UTF-8, but not clean: a terminal needs it sanitised.
package tool

import (
	"context"
	"dugout/sessionio"
	"encoding/json"
)

// Limits that all tools share; what comes first cuts.
const (
	MaxLines = 2000
	MaxBytes = 50 * 1024
)

// Tool is one thing that the model can call.
type Tool interface {
	Name() string
	Description() string     // for the model
	Schema() json.RawMessage // JSON Schema of the arguments
	// Effect says what a call would do, before anyone is asked, without doing it. Arguments that do
	// not fit are an error whose text the model reads.
	Effect(call Call) (Effect, error)
	// Run does it. The error is for the model: it becomes an error result. A cancelled ctx ends it
	// within a second, its processes with it.
	Run(ctx context.Context, call Call) (Result, error)
}

// Call is one tool call with the place it runs in.
type Call struct {
	ID          string
	Args        json.RawMessage
	CWD         string
	ArtifactDir string // for long outputs; made on demand
	Env         []string
	// Progress is told output as it comes, at most every 100 ms and 64 KiB a time; nil is allowed.
	Progress func(chunk string)
	// Context is what the model that calls has before it; nil where there is none.
	Context func() ([]sessionio.Message, error)
}

// EffectKind orders effects by how much they change.
type EffectKind string

const (
	Reads EffectKind = "read"  // changes nothing: free, may run in parallel with other reads
	Edits EffectKind = "edit"  // changes the files in Paths
	Execs EffectKind = "exec"  // runs Command
	Spawn EffectKind = "spawn" // starts a child session
)

// Effect is what a call would do, as the permission question shows it.
type Effect struct {
	Kind    EffectKind
	Paths   []string // absolute, links resolved as far as they exist
	Command string   // the exact command
	Title   string   // one line: "edit main.go", "go test ./..."
	Preview string   // unified diff, new content or command, at most 16 KiB
}

// Result is what the model reads.
type Result struct {
	Content []sessionio.Block
	Details json.RawMessage // for screens: {"diff": ...}, {"truncation": ...}, {"exitCode": ...}
	IsError bool
}

// Text makes a result of one text block.
func Text(s string) Result {
	return Result{Content: []sessionio.Block{{Type: sessionio.BlockText, Text: s}}}
}

// Options of Default. The zero value is fit for use.
type Options struct {
	Shell   string // for bash; default bash, else sh
	Ripgrep string // path of rg for grep; "" searches without
	Locks   *Locks // shared by the sessions of a process; default this set's own
	// Private says of a file, by its absolute path, that a search over a folder leaves it out: no one
	// was asked about it. Default none.
	Private func(path string) bool
	// Started is told the process group of each command that runs, and calls what it gets back once
	// nothing of the group is left. Default nothing.
	Started func(group int) (ended func())
}

// Default is the set of tools, without spawn.
func Default(o Options) []Tool {
	if o.Private == nil {
		o.Private = func(string) bool { return false }
	}
	if o.Locks == nil {
		o.Locks = &Locks{}
	}
	return []Tool{
		readTool{},
		writeTool{o.Locks},
		editTool{o.Locks},
		newBash(o),
		grepTool{rg: o.Ripgrep, private: o.Private},
		findTool{},
		lsTool{},
	}
}
