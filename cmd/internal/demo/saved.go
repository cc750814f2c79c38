package demo

import (
	"dugout/sessionio"
	"dugout/sessionio/store"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"
)

// past is a session that somebody had once: what was asked and answered, and what became of it.
type past struct {
	age      time.Duration
	project  string
	name     string
	turns    [][2]string // question, answer
	recap    string
	verdict  sessionio.Verdict
	archived bool
	failed   string // the last try to go on failed with this
	label    string // on the first question
	cost     float64
}

const (
	hour = time.Hour
	days = 24 * time.Hour
)

var pasts = []past{
	{
		age: 3 * hour, project: "greeter", turns: [][2]string{
			{"why does the test not cover an empty name?", "It only calls `Greet(\"Ada\")`. An empty name gives `Hello, !`, which nobody wants; a second case would show it."},
			{"and what should it say then?", "I would fall back to *world*, as `main` does. Shall I change it?"},
		},
		recap: "explained the missing test, offered a fix", verdict: sessionio.VerdictNeedsInput, cost: 0.012,
	},
	{
		age: 20 * hour, project: "shop", name: "cart in local storage", turns: [][2]string{
			{"keep the cart over a reload", "The map goes to `localStorage` under `cart`, as an array of pairs:\n\n```js\nlocalStorage.setItem('cart', JSON.stringify([...cart]));\n```\n\nand comes back at start. Prices are read anew each time."},
		},
		recap: "cart survives a reload", verdict: sessionio.VerdictCompleted, label: "storage", cost: 0.31,
	},
	{
		age: 2 * days, project: "notes", turns: [][2]string{{"list every open task by file", "| file | open |\n|---|---|\n| monday.md | 2 |\n| ideas.md | 1 |"}},
		recap: "three open tasks in two files", verdict: sessionio.VerdictCompleted, cost: 0.004,
	},
	{
		age: 3 * days, project: "greeter", name: "release script", turns: [][2]string{{"write a release script", "Done: it tags, builds for three systems, and refuses a dirty tree."}},
		recap: "release script written", verdict: sessionio.VerdictCompleted, failed: "anthropic: overloaded (HTTP 529)", cost: 0.9,
	},
	{
		age: 6 * days, project: "shop", turns: [][2]string{{"the total is wrong for pears", "`prices` has no entry for what the page calls *Pear*: the key is lower case. `total` then adds `NaN`."}},
		recap: "found the NaN in total", verdict: sessionio.VerdictCompleted, cost: 0.05,
	},
	{
		age: 12 * days, project: "notes", name: "tide page", turns: [][2]string{{"sketch a page that shows today's tide", "One static page, one table of the harbour's times, no server. Which harbour?"}},
		recap: "asks which harbour to show", verdict: sessionio.VerdictNeedsInput, cost: 0.02,
	},
	{
		age: 40 * days, project: "shop", turns: [][2]string{{"explain this code base to me", "A page, a script with the cart, and a file of prices."}},
		recap: "explained the code base", verdict: sessionio.VerdictCompleted, archived: true,
	},
	{
		age: 200 * days, project: "greeter", name: "first steps", turns: [][2]string{{"make a program that greets", "Here it is: `go run . Ada`."}},
		recap: "wrote the greeter", verdict: sessionio.VerdictCompleted, archived: true,
	},
}

func (w World) makeSaved(now time.Time) error {
	st, err := store.Open(store.Options{Home: w.Home})
	if err != nil {
		return err
	}
	for i, p := range pasts {
		if err := w.write(st, p, now.Add(-p.age)); err != nil {
			return fmt.Errorf("saved session %d: %w", i, err)
		}
	}
	return nil
}

// write makes one session file as the agent would have written it.
func (w World) write(st *store.Store, p past, at time.Time) error {
	clock := at
	tick := func() time.Time { clock = clock.Add(20 * time.Second); return clock }
	zero := 0
	id := store.NewID()
	s, err := sessionio.Create(st.NewPath(id), sessionio.Header{
		Version: sessionio.CurrentVersion, ID: id, Timestamp: at, CWD: filepath.Join(w.Projects, p.project), Depth: &zero,
		Git: &sessionio.Git{Branch: map[string]string{"shop": "new-cart"}[p.project]},
	}, sessionio.Options{Now: tick})
	if err != nil {
		return err
	}
	entries := []sessionio.Entry{{Type: sessionio.TypeModelChange, Provider: "scripted", ModelID: "demo"}}
	count := 0
	for _, turn := range p.turns {
		usage := &sessionio.Usage{Input: 900, Output: 80, TotalTokens: 980, Cost: sessionio.Cost{Total: p.cost / float64(len(p.turns))}}
		entries = append(entries,
			sessionio.Entry{Type: sessionio.TypeMessage, Message: &sessionio.Message{
				Role: sessionio.RoleUser, Content: text(turn[0]), Timestamp: tick().UnixMilli(),
			}},
			sessionio.Entry{Type: sessionio.TypeMessage, Message: &sessionio.Message{
				Role: sessionio.RoleAssistant, Content: text(turn[1]), Timestamp: tick().UnixMilli(), API: "scripted",
				Provider: "scripted", Model: "demo", Usage: usage, StopReason: sessionio.StopEnd,
			}})
		count += 2
	}
	entries = append(entries, sessionio.Entry{Type: sessionio.TypeAgentStatus, Status: &sessionio.AgentStatus{
		Summary: p.recap, TaskState: p.verdict, BasedOnMessageCount: count,
	}})
	if p.name != "" {
		entries = append(entries, sessionio.Entry{Type: sessionio.TypeSessionInfo, Name: p.name})
	}
	if p.failed != "" {
		data, err := json.Marshal(sessionio.ErrorRecord{
			Time: tick().UTC(), Turn: len(p.turns) + 1, Kind: sessionio.ErrorGeneration, Question: "now sign the binaries",
			Line: p.failed, Provider: "anthropic", Model: "claude-sonnet-4-5",
		})
		if err != nil {
			return err
		}
		entries = append(entries, sessionio.Entry{Type: sessionio.TypeCustom, CustomType: sessionio.CustomError, Data: data})
	}
	if p.archived {
		entries = append(entries, sessionio.Entry{Type: sessionio.TypeSessionState, State: &sessionio.State{Status: "archived"}})
	}
	return finish(s, entries, p.label)
}

// finish appends the entries, labels the first question, and closes the file.
func finish(s *sessionio.Session, entries []sessionio.Entry, label string) error {
	for _, e := range entries {
		written, err := s.Append(e)
		if err != nil {
			return err
		}
		if label != "" && e.Message != nil && e.Message.Role == sessionio.RoleUser {
			if _, err := s.Append(sessionio.Entry{Type: sessionio.TypeLabel, TargetID: written.ID, Label: label}); err != nil {
				return err
			}
			label = ""
		}
	}
	return s.Close()
}

func text(s string) []sessionio.Block {
	return []sessionio.Block{{Type: sessionio.BlockText, Text: s}}
}
