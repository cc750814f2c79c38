package sessionio

import (
	"encoding/json"
	"time"
)

// Header is the first line of a session file. It is no entry and not part of the tree.
type Header struct {
	Version       int       // 1 when the file has none
	ID            ID        // any string on load
	Timestamp     time.Time // creation; zero when absent or unreadable
	CWD           string    // absolute working folder; "" when absent or not a string
	ParentSession string    // absolute path of the file that this one was forked or spawned from
	Depth         *int      // rlmDepth: 0 for a root session, nil when unknown
	Git           *Git
	Raw           json.RawMessage // the line as read; nil for a header made here
}

// Git is a snapshot of a working folder's repository, never with credentials in the URL.
type Git struct {
	RepoURL string `json:"repoUrl,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Branch  string `json:"branch,omitempty"`
}
