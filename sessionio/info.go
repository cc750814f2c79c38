package sessionio

import (
	"path/filepath"
	"strings"
	"time"
)

// Lifecycle is the last valid session_state of a file.
type Lifecycle string

const (
	LifecycleNone     Lifecycle = "" // no session_state entry
	LifecycleActive   Lifecycle = "active"
	LifecycleArchived Lifecycle = "archived" // also the legacy sleep and hidden
	LifecycleCrash    Lifecycle = "crash"    // read only
)

// Info is saved info: what a listing knows of one session file, from a scan that decodes no bodies
// beyond what it needs. All text is raw: sanitize before it meets a terminal.
type Info struct {
	Path     string // absolute
	Store    string // the store's folder
	Source   string // dugout, prime, pi, claude, codex, mm
	ReadOnly bool   // the store is not ours to write

	ID            ID
	CWD           string
	ParentSession string // path, as in the header
	Depth         int
	Created       time.Time // header
	Modified      time.Time // last user or assistant message, else header, else the file's mtime
	Size          int64     // bytes

	Name         string // last session_info
	FirstMessage string // first user text, raw, cut at 1,000 UTF-16 units
	State        Lifecycle
	Status       *AgentStatus // last agent_status

	MessageCount    int // message entries, all roles and branches
	UserMessages    int
	Errors          int // records of the errors trail, at most 200
	UnreadableLines int
	Interrupted     bool // the last message leaves a turn unfinished: an unanswered question or call

	Model     string // provider/model of the last assistant message or model_change
	GitBranch string
	CostUSD   float64
	Tokens    int // total of all assistant messages
}

// Title is the name, else the first question, else the folder's last part, else the id.
func (i Info) Title() string {
	for _, t := range []string{i.Name, i.FirstMessage} {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	if i.CWD != "" {
		return filepath.Base(i.CWD)
	}
	return string(i.ID)
}
