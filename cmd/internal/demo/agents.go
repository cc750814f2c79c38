package demo

import (
	"context"
	"dugout/daemonclient"
	"dugout/daemonclient/protocol"
	"fmt"
	"path/filepath"
	"strings"
)

// agent is a live session of the demo: a script that says what it does.
type agent struct {
	project, name, permission string
	lines                     []string
	followUp                  string // queued behind
}

var agents = []agent{
	{project: "greeter", name: "greet in five languages", permission: "all", lines: []string{
		"think: The greeting is built in one place, so a table of languages will do.",
		"read: greet.go", "say: One function builds the greeting. I add a table of languages beside it.",
		"write: languages.go package main\\n\\nvar hello = map[string]string{\\n    \"en\": \"Hello\",\\n    \"de\": \"Hallo\",\\n    \"fr\": \"Bonjour\",\\n    \"es\": \"Hola\",\\n    \"it\": \"Ciao\",\\n}\\n",
		"tokens: 6000 @ 9",
	}, followUp: "say: And now the README."},
	{project: "shop", name: "prices with tax", permission: "all", lines: []string{
		"read: prices.json", "say: Reading the prices, then a long look at the cart.",
		"run: for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo \"checking article $i\"; sleep 15; done",
		"say: All prices carry tax now.",
	}},
	{project: "notes", name: "sort the ideas", permission: "all", lines: []string{
		"read: ideas.md", "tokens: 9000 @ 14",
	}},
	{project: "greeter", name: "make the tests pass", permission: "ask", lines: []string{
		"say: The tests should pass before I touch anything.", "run: go test ./...", "say: They pass.",
	}},
	{project: "shop", name: "the total is NaN", permission: "ask", lines: []string{
		"read: cart.js",
		"say: The sum must not become NaN when a price is missing.",
		"edit: cart.js sum += prices[article] * n => sum += (prices[article] || 0) * n",
		"say: Missing prices count as nothing now.",
	}},
	{project: "notes", name: "which branch?", permission: "all", lines: []string{
		"ls: .", "ask: There is a branch for the tide page and one for the task list. Which one shall I work on?",
	}},
	{project: "shop", name: "publish the page", permission: "all", lines: []string{
		"say: Publishing.", "fail: 529", "fail: 529", "say: Never reached.",
	}},
	{project: "greeter", name: "an empty name", permission: "all", lines: []string{
		"grep: Hello", "edit: greet.go return \"Hello, \" => if name == \"\" {\\n        name = \"world\"\\n    }\\n    return \"Hello, \"",
		"run: head -20 greet.go", "say: **Done.** An empty name greets the world: `Greet(\"\")` gives `Hello, world!`, and the test for *Ada* still holds.",
	}},
	{project: "notes", name: "count the tasks", permission: "all", lines: []string{
		"run: sh tasks.sh", "say: Three tasks are open.",
	}},
	{project: "shop", name: "survey of the shop", permission: "all", lines: []string{
		"say: Two helpers look at the page and at the script while I wait.",
		"spawn: read: index.html\\ntokens: 3000 @ 10", "say: The survey is complete.",
	}},
	{project: "notes", name: "survey of the notes", permission: "all", lines: []string{
		"spawn: ls: .\\nsay: Four files.", "say: My helper has counted the files.",
	}},
	{project: "greeter", name: "a long thought", permission: "all", lines: []string{
		"think: A slow one: the reader should see a session that works for a while without a word.",
		"wait: 8m", "say: Here I am again.",
	}},
}

// Start begins the agents in the world's daemon.
func (w World) Start(ctx context.Context, c *daemonclient.Client) error {
	for i, a := range agents {
		var opened protocol.Opened
		err := c.Call(ctx, protocol.MethodSessionNew, protocol.NewSession{
			CWD: filepath.Join(w.Projects, a.project), Model: "scripted/demo", Name: a.name, Permission: a.permission,
			Prompt: strings.Join(a.lines, "\n"), ClientID: fmt.Sprintf("demo-%d", i),
		}, &opened)
		if err != nil {
			return fmt.Errorf("demo: agent %d: %w", i, err)
		}
		if a.followUp == "" {
			continue
		}
		ref := protocol.SessionRef{ID: opened.Summary.ID, Path: opened.Summary.Path}
		err = c.Call(ctx, protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: ref, Text: a.followUp, FollowUp: true}, nil)
		if err != nil {
			return fmt.Errorf("demo: agent %d: %w", i, err)
		}
	}
	return nil
}
