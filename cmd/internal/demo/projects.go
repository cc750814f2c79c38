package demo

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
)

// files of the projects, by path.
var files = map[string]string{
	"greeter/go.mod":        "module greeter\n\ngo 1.22\n",
	"greeter/main.go":       "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tname := \"world\"\n\tif len(os.Args) > 1 {\n\t\tname = os.Args[1]\n\t}\n\tfmt.Println(Greet(name))\n}\n",
	"greeter/greet.go":      "package main\n\n// Greet greets.\nfunc Greet(name string) string {\n\treturn \"Hello, \" + name + \"!\"\n}\n",
	"greeter/greet_test.go": "package main\n\nimport \"testing\"\n\nfunc TestGreet(t *testing.T) {\n\tif got := Greet(\"Ada\"); got != \"Hello, Ada!\" {\n\t\tt.Errorf(\"got %q\", got)\n\t}\n}\n",
	"greeter/AGENTS.md":     "Run `go test ./...` before you say that something works.\n",
	"notes/README.md":       "# notes\n\nA folder of Markdown notes and one script that lists the open tasks.\n",
	"notes/tasks.sh":        "#!/bin/sh\n# Lists the open tasks of all notes.\ngrep -rn '^- \\[ \\]' --include='*.md' .\n",
	"notes/monday.md":       "# Monday\n\n- [x] order filters\n- [ ] call the garage\n- [ ] renew the library card\n",
	"notes/ideas.md":        "# Ideas\n\n- [ ] a page that shows today's tide\n- a shorter name for the greeter\n",
	"shop/index.html":       "<!doctype html>\n<title>Shop</title>\n<h1>Apples</h1>\n<script src=\"cart.js\"></script>\n",
	"shop/cart.js":          "// The cart: a map from article to number.\nconst cart = new Map();\nfunction add(article) {\n  cart.set(article, (cart.get(article) || 0) + 1);\n}\nfunction total(prices) {\n  let sum = 0;\n  for (const [article, n] of cart) sum += prices[article] * n;\n  return sum;\n}\n",
	"shop/prices.json":      "{\"apple\": 0.4, \"pear\": 0.5}\n",
}

// makeProjects writes the projects; where git is at hand each is a repository with one commit.
func (w World) makeProjects(ctx context.Context) error {
	for name, text := range files {
		path := filepath.Join(w.Projects, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		mode := os.FileMode(0o600)
		if filepath.Ext(path) == ".sh" {
			mode = 0o700
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			return err
		}
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return nil // folders without a branch are projects too
	}
	for project, branch := range map[string]string{"greeter": "main", "notes": "main", "shop": "new-cart"} {
		for _, args := range [][]string{
			{"init", "-q"},
			{"symbolic-ref", "HEAD", "refs/heads/" + branch},
			{"add", "."},
			{"-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "begin"},
		} {
			cmd := exec.CommandContext(ctx, git, args...)
			cmd.Dir = filepath.Join(w.Projects, project)
			if out, err := cmd.CombinedOutput(); err != nil {
				return &gitError{args: args, out: string(out), err: err}
			}
		}
	}
	return nil
}

type gitError struct {
	args []string
	out  string
	err  error
}

func (e *gitError) Error() string { return "git " + e.args[0] + ": " + e.err.Error() + ": " + e.out }
func (e *gitError) Unwrap() error { return e.err }
