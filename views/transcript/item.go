package transcript

import (
	"dugout/sessionio"
	"time"
)

// Kind is what an item is.
type Kind string

const (
	User       Kind = "user"       // Text
	Answer     Kind = "answer"     // Text: a block of Markdown
	Thinking   Kind = "thinking"   // Text; Redacted says that there is none to show
	Tool       Kind = "tool"       // Card
	Error      Kind = "error"      // Text, Detail, Question: a record of the errors trail, or an answer that failed
	Compaction Kind = "compaction" // Text: the summary; Tokens before it
	Branch     Kind = "branch"     // Text: what was left behind
	Custom     Kind = "custom"     // Text, Title: the custom type
	Notice     Kind = "notice"     // Text: one quiet line
)

// Item is one thing to show. All its text is raw: it meets a terminal through sanitize alone. An
// item is owned by its Transcript; who draws it keeps (ID, Version) and draws again when Version
// moved.
type Item struct {
	ID       string // stable as long as the item is shown
	Kind     Kind
	Version  uint64 // grows with every change
	Finished bool   // will not change any more, but for Version's sake: never drawn again

	Entry    sessionio.EntryID // "" while no entry holds it
	Time     time.Time
	Text     string
	Title    string
	Detail   string
	Question string
	Images   int
	Tokens   int
	Redacted bool
	Model    string // answer: who said it
	Card     *Card
}

// CardState is what became of a tool call.
type CardState string

const (
	CardWriting     CardState = "writing"     // the model is still writing the call
	CardPending     CardState = "pending"     // waits for its turn
	CardAsking      CardState = "asking"      // waits for permission
	CardRunning     CardState = "running"     //
	CardOK          CardState = "ok"          //
	CardFailed      CardState = "failed"      // ran, and failed
	CardDenied      CardState = "denied"      // was not allowed to run
	CardInterrupted CardState = "interrupted" // was stopped, or its process died
)

// Card is a tool call with its result.
type Card struct {
	CallID    string
	Tool      string
	Title     string // one line; made from the arguments where nobody gave one
	Args      string // JSON; in part while it is being written
	State     CardState
	Output    string // live: the end of it, at most 64 KiB
	Cut       bool   // Output begins in the middle
	Diff      string // unified
	ExitCode  *int
	Images    int
	Started   time.Time
	Truncated bool // the tool cut its output
}

// Done says that the call has ended.
func (c *Card) Done() bool {
	switch c.State {
	case CardOK, CardFailed, CardDenied, CardInterrupted:
		return true
	}
	return false
}

func (it *Item) touch() { it.Version++ }
