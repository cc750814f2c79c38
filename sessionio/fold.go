package sessionio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// maxErrors is how many records of the errors trail readers show: the newest.
const maxErrors = 200

// maxTitleUnits bounds the first question that a listing keeps, in UTF-16 units.
const maxTitleUnits = 1000

// Fold folds a file's lines, in order, to its saved info. It is plain data: kept beside the length
// that it covers, it goes on where it ended when the file has grown.
type Fold struct {
	Scanned int64 // bytes folded: up to the last LF
	Lines   int   // lines folded
	Headed  bool

	FirstBad int // the first unreadable line before the header

	Version       int
	ID            ID
	CWD           string
	ParentSession string
	Depth         int
	Created       time.Time

	Name         string
	FirstMessage string
	State        Lifecycle
	Status       *AgentStatus
	Activity     int64 // Unix milliseconds of the newest user or assistant message

	Messages, UserMessages, Errors, Unreadable int

	Model, GitBranch string
	CostUSD          float64
	Tokens           int
	Open             bool // the last word is a question, or a call without its result
	Calls            map[string]bool
}

// LineError is something wrong with one line of a file.
type LineError struct {
	Line int // 1-based
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// ErrNoHeader is told by Line for a first line that is no session header.
var ErrNoHeader = errors.New("no session header")

// ScanFile folds a file from where f ended. A torn last line is left for the next time, unless it
// is whole JSON: then it counts in the info and is read again when more stands behind it.
func (f *Fold) ScanFile(r io.ReaderAt, size int64) (Info, error) {
	var tail *Fold
	_, err := eachLine(io.NewSectionReader(r, f.Scanned, size-f.Scanned), f.Scanned, f.Lines, func(l line) error {
		if l.whole {
			f.Scanned, f.Lines = l.offset+l.length+1, l.no
			return f.Line(l.content(), l.no)
		}
		if _, ok := parseObject(l.content()); !ok {
			return nil // torn
		}
		t := f.clone()
		tail = &t
		return tail.Line(l.content(), l.no)
	})
	if err != nil {
		return Info{}, err
	}
	if tail == nil {
		tail = f
	}
	if !tail.Headed {
		return Info{}, &LineError{Line: max(tail.FirstBad, 1), Err: ErrNoHeader}
	}
	return tail.info(size), nil
}

func (f *Fold) clone() Fold {
	c := *f
	c.Calls = map[string]bool{}
	for k := range f.Calls {
		c.Calls[k] = true
	}
	return c
}

// Line folds one line. The first must be the header.
func (f *Fold) Line(b []byte, no int) error {
	if !f.Headed {
		if _, ok := parseObject(b); !ok {
			f.Unreadable++
			if f.FirstBad == 0 {
				f.FirstBad = no
			}
			return nil
		}
		var h Header
		if err := h.UnmarshalJSON(b); err != nil {
			if f.FirstBad > 0 {
				no = f.FirstBad
			}
			return &LineError{Line: no, Err: ErrNoHeader}
		}
		f.header(h)
		return nil
	}
	line, ok := parseObject(b)
	if !ok {
		f.Unreadable++
		return nil
	}
	f.entryLine(line)
	return nil
}

// entryLine folds an entry by its fields, decoding only what a listing keeps.
func (f *Fold) entryLine(line fields) {
	switch EntryType(line.str("type")) {
	case TypeMessage:
		f.messageLine(line)
		return
	case TypeSessionInfo:
		if name := line.get("name"); name != nil && name[0] != '"' {
			return // of the wrong shape: the name before it stands
		}
	}
	e := entryOf(line)
	f.entry(&e)
}

func (f *Fold) header(h Header) {
	f.Headed, f.Version, f.ID, f.CWD, f.ParentSession, f.Created = true, h.Version, h.ID, h.CWD, h.ParentSession, h.Timestamp
	if h.Depth != nil {
		f.Depth = *h.Depth
	}
	if h.Git != nil {
		f.GitBranch = h.Git.Branch
	}
}

func (f *Fold) entry(e *Entry) {
	switch e.Type {
	case TypeMessage:
		f.message(e)
	case TypeSessionInfo:
		f.Name = clipUnits(strings.TrimSpace(e.Name), maxTitleUnits)
	case TypeSessionState:
		if e.State != nil {
			f.State = lifecycle(e.State.Status, f.State)
		}
	case TypeAgentStatus:
		if e.Status != nil {
			st := *e.Status
			st.Summary = clipUnits(st.Summary, maxTitleUnits)
			f.Status = &st
		}
	case TypeGitState:
		if e.Git != nil {
			f.GitBranch = e.Git.Branch
		}
	case TypeModelChange:
		if e.Provider != "" {
			f.Model = e.Provider + "/" + e.ModelID
		}
	case TypeCustom:
		if e.CustomType == CustomError {
			f.Errors = min(f.Errors+1, maxErrors)
			f.Open = false // a failed turn is over
		}
		if e.CustomType == CustomLeaf {
			f.Open = false
		}
	case TypeBranchSummary:
		f.Open = false
	}
}

// lifecycle reads a stored state; what it does not know leaves the one before.
func lifecycle(status string, before Lifecycle) Lifecycle {
	switch status {
	case "active":
		return LifecycleActive
	case "archived", "sleep", "hidden":
		return LifecycleArchived
	case "crash":
		return LifecycleCrash
	}
	return before
}

// messageLine is message, decoding only what a listing keeps.
func (f *Fold) messageLine(line fields) {
	e := Entry{Type: TypeMessage, Timestamp: line.time("timestamp")}
	if m, ok := line.object("message"); ok {
		e.Message = &Message{
			Role: Role(m.str("role")), Provider: m.str("provider"), Model: m.str("model"), Usage: usageOf(m, "usage"),
			StopReason: StopReason(m.str("stopReason")), ToolCallID: m.str("toolCallId"),
		}
		e.Message.Timestamp, _ = m.number("timestamp")
		wanted := 0
		if e.Message.Role == RoleUser && f.FirstMessage == "" {
			wanted = maxTitleUnits
		}
		if wanted > 0 || e.Message.Role == RoleAssistant {
			eachBlock(m.get("content"), func(kind, text string, b fields) {
				e.Message.Content = append(e.Message.Content, Block{Type: BlockType(kind), Text: text, ID: b.str("id")})
			}, wanted)
		}
	}
	f.message(&e)
}

func (f *Fold) message(e *Entry) {
	f.Messages++
	m := e.Message
	if m == nil {
		return
	}
	switch m.Role {
	case RoleUser:
		f.UserMessages++
		f.Open, f.Calls = true, nil
		if text := textOf(m.Content); f.FirstMessage == "" {
			f.FirstMessage = clipUnits(text, maxTitleUnits)
		}
		f.active(e)
	case RoleAssistant:
		f.assistant(m)
		f.active(e)
	case RoleToolResult:
		delete(f.Calls, m.ToolCallID)
	case RoleBash, RoleCustom, RoleBranchSummary, RoleCompactionSummary:
	}
}

func (f *Fold) assistant(m *Message) {
	if m.Provider != "" {
		f.Model = m.Provider + "/" + m.Model
	}
	if m.Usage != nil {
		f.CostUSD += m.Usage.Cost.Total
		f.Tokens += m.Usage.TotalTokens
	}
	f.Calls = map[string]bool{}
	for _, b := range m.Content {
		if b.Type == BlockToolCall {
			f.Calls[b.ID] = true
		}
	}
	f.Open = len(f.Calls) > 0 && m.StopReason != StopAborted && m.StopReason != StopError
}

func (f *Fold) active(e *Entry) {
	at := e.Message.Timestamp
	if at == 0 {
		at = unixMilli(e)
	}
	f.Activity = max(f.Activity, at)
}

func (f *Fold) info(size int64) Info {
	i := Info{
		ID: f.ID, CWD: f.CWD, ParentSession: f.ParentSession, Depth: f.Depth, Created: f.Created, Modified: f.Created, Size: size,
		Name: f.Name, FirstMessage: f.FirstMessage, State: f.State, Status: f.Status,
		MessageCount: f.Messages, UserMessages: f.UserMessages, Errors: f.Errors, UnreadableLines: f.Unreadable,
		Model: f.Model, GitBranch: f.GitBranch, CostUSD: f.CostUSD, Tokens: f.Tokens,
		Interrupted: f.Open,
	}
	if f.Activity > 0 {
		i.Modified = time.UnixMilli(f.Activity).UTC()
	}
	return i
}

// Info folds the whole session to its saved info.
func (s *Session) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.fold.info(s.size)
	i.Path, i.Source = s.path, "dugout"
	return i
}

// Labels maps entries to their labels: the last one in the file counts, an empty one clears.
func (s *Session) Labels() map[EntryID]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	labels := map[EntryID]string{}
	for _, e := range s.ofType(TypeLabel) {
		if e.Label == "" {
			delete(labels, e.TargetID)
		} else {
			labels[e.TargetID] = e.Label
		}
	}
	return labels
}

// Errors lists the errors trail, oldest first, the newest 200.
func (s *Session) Errors() ([]ErrorRecord, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []ErrorRecord
	for _, e := range s.ofType(TypeCustom) {
		var r ErrorRecord
		if e.CustomType == CustomError && json.Unmarshal(e.Data, &r) == nil {
			out = append(out, r)
		}
	}
	return out[max(0, len(out)-maxErrors):], nil
}

// ofType reads the entries of one type in file order; one that can't be read is passed over.
func (s *Session) ofType(t EntryType) []Entry {
	var out []Entry
	for _, m := range s.metas {
		if m.Type != t {
			continue
		}
		if e, err := s.entryLocked(m.ID); err == nil {
			out = append(out, e)
		}
	}
	return out
}

// Context is BuildContext at the leaf. What children used counts in their parents' messages.
func (s *Session) Context() (Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	attributed := map[EntryID]*Usage{}
	for _, e := range s.ofType(TypeChildUsageAttributed) {
		if e.AggregateUsage != nil {
			attributed[e.TargetID] = e.AggregateUsage
		}
	}
	var path []Entry
	for _, m := range s.treeLocked().Path(s.leaf) {
		e, err := s.entryLocked(m.ID)
		if err != nil {
			return Context{}, fmt.Errorf("%s:%d: %w", s.path, m.Line, err)
		}
		if u := attributed[m.ID]; u != nil && e.Message != nil && e.Message.Role == RoleAssistant {
			msg := *e.Message
			msg.Usage = u
			if msg.Raw != nil {
				msg.Raw = rewrite(msg.Raw, map[string]any{"usage": u}, nil)
			}
			e.Message = &msg
		}
		path = append(path, e)
	}
	return BuildContext(path), nil
}
