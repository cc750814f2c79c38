package sessionio

import "time"

// Meta is what an open session keeps in memory of each entry: where its line is, and what a tree
// or a list needs. Bodies are read from the file when asked for.
type Meta struct {
	ID        EntryID
	Parent    EntryID // "" for a root; after Tree repair also where the parent does not exist
	Type      EntryType
	Role      Role // of a message
	Time      time.Time
	Preview   string // first 200 UTF-16 units of text, raw: not yet safe for a terminal
	Line      int    // 1-based line number
	Offset    int64  // of the line's first byte
	Length    int64  // without the LF
	HasTools  bool   // an assistant message with tool calls
	StopError string // an assistant message's errorMessage when it stopped by error or abort
}
