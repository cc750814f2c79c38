// Package roster is what is true of every session: live summaries from the daemon and saved info
// from the files, merged into records, classified, sorted, searched. Pure: no files, no network, no
// goroutine, no clock.
package roster

import (
	"time"

	"dugout/daemonclient/protocol"
	"dugout/sessionio"
)

// Section is where a record stands on the screen.
type Section string

const (
	Running  Section = "running"  // busy in any way
	Idle     Section = "idle"     // live, not busy
	Inactive Section = "inactive" // no live part
)

// Key identifies a record across becoming saved, live or renamed: canonical path, else session id.
type Key string

// Record is one session: a live summary, saved info, or both. Values; never mutated in place.
type Record struct {
	Key     Key
	Aliases []Key // all keys that this record has been known by
	Live    *protocol.Summary
	Saved   *sessionio.Info

	Section   Section
	Attention protocol.Attention
	State     protocol.State
	StateAt   time.Time // entered the section or attention; zero when unknown
	Parent    Key       // "" for a root; only where the parent is in the roster
	Depth     int
}

// ID, Path, Title and the like take the live side for what happens and the saved for what lasts.
func (r Record) ID() sessionio.ID           { panic("contract") }
func (r Record) Path() string               { panic("contract") }
func (r Record) CWD() string                { panic("contract") }
func (r Record) Name() string               { panic("contract") }
func (r Record) Title() string              { panic("contract") } // name, first question, folder, id
func (r Record) Recap() string              { panic("contract") }
func (r Record) Verdict() sessionio.Verdict { panic("contract") }
func (r Record) Model() string              { panic("contract") }
func (r Record) Branch() string             { panic("contract") }
func (r Record) Errors() int                { panic("contract") }
func (r Record) Modified() time.Time        { panic("contract") }
func (r Record) Created() time.Time         { panic("contract") }
func (r Record) CostUSD() float64           { panic("contract") }
func (r Record) Tokens() int                { panic("contract") }
func (r Record) MessageCount() int          { panic("contract") }

// Merge makes records of live summaries and saved infos. Live wins for what is happening, saved
// fills in what is durable. Sessions that asked nothing and have no name are left out unless live.
func Merge(live []protocol.Summary, saved []sessionio.Info) []Record { panic("contract") }

// Classify names a record's section. Attend names its attention.
func Classify(live *protocol.Summary) Section                                 { panic("contract") }
func Attend(live *protocol.Summary, saved *sessionio.Info) protocol.Attention { panic("contract") }

// SortMode orders the records inside a section; ties by the time of entering the state, then key.
type SortMode string

const (
	SortRecent   SortMode = "recent"   // entering the section, newest first
	SortActivity SortMode = "activity" // last message, newest first
	SortName     SortMode = "name"
	SortCost     SortMode = "cost"
	SortFolder   SortMode = "folder"
)

// Query is a parsed search line: fuzzy words, "phrases", re:pattern, and filters is: has: cwd:
// model: named:.
type Query struct{ _ struct{} }

// ParseQuery reads a search line. A bad regular expression is an error, and matches nothing.
func ParseQuery(s string) (Query, error) { panic("contract") }

// Delta is a change to apply to a State.
type Delta struct {
	Live     []protocol.Summary // changed or new
	Gone     []protocol.Gone
	AllLive  *[]protocol.Summary // replaces every live summary
	Saved    []sessionio.Info    // changed or new
	Removed  []string            // paths of files that are gone
	AllSaved *[]sessionio.Info   // replaces every saved info
}

// State is the whole roster, updated by deltas: one event costs no full pass. Not safe for
// concurrent use; Snapshot is.
type State struct{ _ struct{} }

// NewState makes an empty roster.
func NewState() *State { panic("contract") }

// Apply updates the roster and names the records that changed or went.
func (s *State) Apply(d Delta) (changed []Key, gone []Key) { panic("contract") }

// Snapshot is an immutable view of the roster.
func (s *State) Snapshot() Snapshot { panic("contract") }

// Snapshot is the roster at one moment.
type Snapshot struct{ _ struct{} }

// Len, Get (by key or alias) and All read it.
func (s Snapshot) Len() int                 { panic("contract") }
func (s Snapshot) Get(k Key) (Record, bool) { panic("contract") }
func (s Snapshot) All() []Record            { panic("contract") }

// ViewOptions choose what a screen shows.
type ViewOptions struct {
	Query     Query
	Sort      SortMode
	NamedOnly bool
	Folder    string // only sessions of this folder; "" for all
}

// Row is a record in its place.
type Row struct {
	Record   Record
	Indent   int  // depth under its root, for children
	Children int  // direct children
	Matched  bool // false for a parent shown for a child's sake
}

// View is what a screen lists.
type View struct {
	NeedsYou []Record // attention permission, question, failed; oldest first
	Sections map[Section][]Row
	Counts   map[Section]int // before the query
	Matches  int
	Total    int
}

// Arrange filters, sorts and nests a snapshot.
func Arrange(s Snapshot, o ViewOptions) View { panic("contract") }
