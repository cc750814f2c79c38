package protocol

import (
	"dugout/sessionio"
	"encoding/json"
	"time"
)

// Version of the protocol. A peer of another version is told so in a sentence.
const Version = 1

// MaxFrame bounds one line, in bytes.
const MaxFrame = 64 << 20

// Methods. The parameters and results are the types named beside them.
const (
	MethodHello           = "hello"            // Hello -> Welcome
	MethodSessionList     = "session.list"     // nil -> RosterSnapshot (live sessions)
	MethodSessionNew      = "session.new"      // NewSession -> Opened
	MethodSessionOpen     = "session.open"     // OpenSession -> Opened: makes a saved session live
	MethodSessionAttach   = "session.attach"   // Attach -> Attached; events follow
	MethodSessionDetach   = "session.detach"   // SessionRef -> Detached
	MethodSessionPrompt   = "session.prompt"   // Prompt -> Prompted
	MethodSessionDequeue  = "session.dequeue"  // Dequeue -> Queued
	MethodSessionAbort    = "session.abort"    // SessionRef -> nil
	MethodSessionAnswer   = "session.answer"   // Answer -> nil
	MethodSessionRename   = "session.rename"   // Rename -> nil; works on saved sessions too
	MethodSessionArchive  = "session.archive"  // Archive -> nil; stops a live one first
	MethodSessionStop     = "session.stop"     // SessionRef -> nil: abort, close; the file stays
	MethodSessionDelete   = "session.delete"   // SessionRef -> Deleted; a live one is stopped first
	MethodSessionEntries  = "session.entries"  // EntriesRange -> Entries: older entries of the path
	MethodSessionTree     = "session.tree"     // SessionRef -> Tree
	MethodSessionNavigate = "session.navigate" // Navigate -> Navigated
	MethodSessionFork     = "session.fork"     // Fork -> Forked
	MethodSessionClone    = "session.clone"    // SessionRef -> Forked
	MethodSessionCompact  = "session.compact"  // Compact -> nil, when it is done
	MethodSessionLabel    = "session.label"    // Label -> nil
	MethodSessionSet      = "session.set"      // Set -> nil: model, thinking level, permission mode
	MethodSessionErrors   = "session.errors"   // SessionRef -> Errors
	MethodRosterSubscribe = "roster.subscribe" // nil -> RosterSnapshot; "roster" notifications follow
	MethodDaemonStatus    = "daemon.status"    // nil -> Status
	MethodDaemonShutdown  = "daemon.shutdown"  // Shutdown -> nil
	MethodModelList       = "model.list"       // nil -> Models
	MethodMemorySearch    = "memory.search"    // MemorySearch -> MemoryHits

	NotifyEvent  = "event"  // Event
	NotifyRoster = "roster" // RosterEvent
)

// Hello opens a connection.
type Hello struct {
	Version      int      `json:"version"`
	Client       string   `json:"client"` // a word for other people's screens: "tui pid 12"
	AppVersion   string   `json:"appVersion"`
	Capabilities []string `json:"capabilities,omitempty"`
}

// Welcome answers Hello.
type Welcome struct {
	Version      int      `json:"version"`
	AppVersion   string   `json:"appVersion"`
	PID          int      `json:"pid"`
	Generation   string   `json:"generation"` // of this daemon process
	Capabilities []string `json:"capabilities,omitempty"`
	Home         string   `json:"home"`
}

// SessionRef names a session: by id, or by the path of its file (which wins).
type SessionRef struct {
	ID   sessionio.ID `json:"id,omitempty"`
	Path string       `json:"path,omitempty"`
}

// NewSession starts a session. No file exists before its first prompt.
type NewSession struct {
	CWD        string `json:"cwd"`
	Model      string `json:"model,omitempty"` // provider/model
	Permission string `json:"permission,omitempty"`
	Name       string `json:"name,omitempty"`
	Prompt     string `json:"prompt,omitempty"`
	ClientID   string `json:"clientId,omitempty"`
	Headless   bool   `json:"headless,omitempty"`  // permission "ask" denies
	NoSession  bool   `json:"noSession,omitempty"` // writes no file
}

// OpenSession makes a saved session live without running anything.
type OpenSession struct {
	SessionRef
	Model      string `json:"model,omitempty"`
	Permission string `json:"permission,omitempty"`
	CWD        string `json:"cwd,omitempty"` // where tools run, when the stored folder is gone
	Headless   bool   `json:"headless,omitempty"`
}

// Opened is a live session.
type Opened struct {
	Summary Summary `json:"summary"`
}

// Attach asks for a session's events. A saved session is opened first. With a cursor that the
// daemon still holds, only the missing events come, and Attached has no entries.
type Attach struct {
	SessionRef
	Tail   int     `json:"tail,omitempty"` // entries of the path wanted at first; default 200
	Cursor *Cursor `json:"cursor,omitempty"`
	// LiveOnly refuses a session that is not live (CodeNotFound) where it would be opened.
	LiveOnly bool `json:"liveOnly,omitempty"`
}

// Cursor is a place in a session's events.
type Cursor struct {
	Generation string `json:"generation"`
	Seq        uint64 `json:"seq"`
}

// Attached is a session as it stands at Cursor.
type Attached struct {
	Session  sessionio.ID `json:"session"`
	Snapshot *Snapshot    `json:"snapshot,omitempty"` // nil when the events since the cursor follow
	Cursor   Cursor       `json:"cursor"`
}

// Detached says which session was meant.
type Detached struct {
	Session sessionio.ID `json:"session"`
}

// Prompt sends a user's message. ClientID makes it safe to send again.
type Prompt struct {
	SessionRef
	Text     string            `json:"text"`
	Images   []sessionio.Block `json:"images,omitempty"`
	FollowUp bool              `json:"followUp,omitempty"` // else it steers
	ClientID string            `json:"clientId,omitempty"`
}

// Prompted acknowledges a prompt: it is on disk, or queued.
type Prompted struct {
	Queued bool `json:"queued"`
}

// Dequeue takes a queued message back.
type Dequeue struct {
	SessionRef
	QueueID string `json:"queueId"`
}

// Answer answers a permission question.
type Answer struct {
	SessionRef
	PermissionID string `json:"permissionId"` // "" answers the oldest
	Allow        bool   `json:"allow"`
	Always       bool   `json:"always,omitempty"`
	Reason       string `json:"reason,omitempty"`
}

// Rename sets a session's name; "" clears it.
type Rename struct {
	SessionRef
	Name string `json:"name"`
}

// Archive sets or clears a session's archived state.
type Archive struct {
	SessionRef
	On bool `json:"on"`
}

// Deleted says which way a session's file went.
type Deleted struct {
	Path      string `json:"path"`
	Way       string `json:"way"` // trashed, unlinked, or "" for a session that had no file
	Program   string `json:"program,omitempty"`
	Artifacts bool   `json:"artifacts"`
}

// EntriesRange asks for the entries of the path before one of its entries.
type EntriesRange struct {
	SessionRef
	Before sessionio.EntryID `json:"before"`
	Limit  int               `json:"limit"`
}

// Entries are consecutive entries of the path, oldest first.
type Entries struct {
	Entries []sessionio.Entry `json:"entries"`
	More    bool              `json:"more"` // older ones exist
}

// Tree is a session's shape.
type Tree struct {
	Nodes []TreeNode        `json:"nodes"` // file order
	Leaf  sessionio.EntryID `json:"leaf"`
}

// TreeNode is one entry in the tree.
type TreeNode struct {
	ID         sessionio.EntryID   `json:"id"`
	Parent     sessionio.EntryID   `json:"parentId"`
	Type       sessionio.EntryType `json:"type"`
	Role       sessionio.Role      `json:"role,omitempty"`
	Time       time.Time           `json:"time"`
	Preview    string              `json:"preview"` // raw
	Label      string              `json:"label,omitempty"`
	OnLeafPath bool                `json:"onLeafPath"`
	HasTools   bool                `json:"hasTools,omitempty"`
}

// Navigate moves the leaf in place.
type Navigate struct {
	SessionRef
	To        sessionio.EntryID `json:"to"`
	Summarise bool              `json:"summarise,omitempty"`
}

// Navigated is where the leaf is now. A snapshot event goes to everybody attached.
type Navigated struct {
	Leaf       sessionio.EntryID `json:"leaf"`
	EditorText string            `json:"editorText,omitempty"`
}

// Fork makes a new session file from the path to an entry: before a user message, after another.
type Fork struct {
	SessionRef
	At sessionio.EntryID `json:"at"`
}

// Forked is the new session, not yet live.
type Forked struct {
	ID         sessionio.ID `json:"id"`
	Path       string       `json:"path"`
	EditorText string       `json:"editorText,omitempty"`
}

// Compact asks for a compaction.
type Compact struct {
	SessionRef
	Focus string `json:"focus,omitempty"`
}

// Label sets an entry's label; "" clears it.
type Label struct {
	SessionRef
	Entry sessionio.EntryID `json:"entry"`
	Label string            `json:"label"`
}

// Set changes a live session's settings; empty fields stay.
type Set struct {
	SessionRef
	Model         string `json:"model,omitempty"`
	ThinkingLevel string `json:"thinkingLevel,omitempty"`
	Permission    string `json:"permission,omitempty"`
}

// Errors is a session's errors trail, oldest first.
type Errors struct {
	Errors []sessionio.ErrorRecord `json:"errors"`
}

// Status is what `dugout daemon status --json` prints.
type Status struct {
	PID           int    `json:"pid"`
	Version       string `json:"version"`
	Socket        string `json:"socket"`
	Sessions      int    `json:"sessions"`
	Clients       int    `json:"clients"`
	RSSBytes      int64  `json:"rssBytes"`
	UptimeSeconds int64  `json:"uptimeSeconds"`
}

// Shutdown ends the daemon. Without Force it is refused while a session is busy.
type Shutdown struct {
	Force bool `json:"force,omitempty"`
}

// Models lists what can be chosen.
type Models struct {
	Models  []Model `json:"models"`
	Default string  `json:"default"`
}

// Model is one choice.
type Model struct {
	Ref           string `json:"ref"` // provider/model
	Name          string `json:"name"`
	ContextWindow int    `json:"contextWindow"`
	Thinking      bool   `json:"thinking,omitempty"`
	Scripted      bool   `json:"scripted,omitempty"`
}

// MemorySearch looks for words in what was said in the sessions of a folder's project.
type MemorySearch struct {
	CWD   string `json:"cwd"`
	Query string `json:"query"` // words, "exact phrase" or re:pattern
	Limit int    `json:"limit,omitempty"`
}

// MemoryHits are those with the most words first, then the newest. Texts are raw.
type MemoryHits struct {
	Hits    []MemoryHit `json:"hits"`
	Project string      `json:"project"` // the folder whose sessions were searched
}

// MemoryHit is one message that matches; a question comes with the answer that its turn ended on.
type MemoryHit struct {
	SessionRef
	Title   string            `json:"title"`
	Entry   sessionio.EntryID `json:"entry"`
	Role    sessionio.Role    `json:"role"`
	Time    time.Time         `json:"time,omitzero"`
	Snippet string            `json:"snippet"`
	Answer  string            `json:"answer,omitempty"`
}

// Request is a JSON-RPC request (ID set) or notification (ID nil).
type Request struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
}

// Response answers a request.
type Response struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Error is a JSON-RPC error. Code is one of the standard ones or of the codes below.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"` // a sentence for a person: what, where, what to do
}

func (e *Error) Error() string { return e.Message }

// Error codes. The command line maps them to exit statuses.
const (
	CodeParse         = -32700
	CodeInvalid       = -32600
	CodeNoMethod      = -32601
	CodeParams        = -32602
	CodeInternal      = -32603
	CodeVersion       = 1 // protocol versions differ
	CodeNotFound      = 2 // no such session or entry
	CodeHeld          = 3 // another writer holds the session
	CodeBusy          = 4 // a turn runs
	CodeProvider      = 5 // the provider failed or is not configured
	CodeChildren      = 6 // live children
	CodeNotSession    = 7 // the file is no session
	CodeMissingFolder = 8 // the session's working folder is gone
	CodeStorage       = 9 // disk full, read-only
	CodeShutdown      = 10
	CodeAborted       = 11 // somebody stopped it
)
