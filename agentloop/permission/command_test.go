package permission

import "testing"

func TestAlwaysForACommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"ls":                       "ls",
		"ls -la":                   "ls",
		"go test ./...":            "go test",
		"git status --short":       "git status",
		"./run.sh -v":              "./run.sh",
		"pytest -x":                "pytest",
		"python tool.py --all":     "python tool.py",
		"git -C x status":          "",
		"git -p":                   "",
		"npm --version":            "",
		"python -c 'x'":            "",
		"python":                   "",
		"make":                     "",
		"make test":                "make test",
		"rm -rf x":                 "",
		"rm x":                     "",
		"git add && git push":      "",
		"git add $x":               "",
		"sudo ls":                  "",
		"ls > x":                   "",
		"grep '*' x":               "",
		"echo 'two words' and one": "",
		"A=1 ls":                   "",
		"cat .env":                 "",
	} {
		q := Question{Tool: "bash", Kind: "exec", Command: line, CWD: "/proj"}
		d := Decide(Ask, nil, q)
		got := ""
		if d.Rule != nil {
			got = d.Rule.Pattern
		}
		if d.Verdict != Asks || got != want {
			t.Errorf("%q: %s, rule %q; want rule %q", line, d.Verdict, got, want)
		}
		if d.Rule == nil {
			continue
		}
		if d := Decide(Ask, []Rule{*d.Rule}, q); d.Verdict != Allowed {
			t.Errorf("%q: the rule %q does not allow it: %s", line, got, d.Reason)
		}
	}
}

func TestRulesForCommands(t *testing.T) {
	t.Parallel()
	blanket := Rule{"bash", "*", true}
	for name, c := range map[string]struct {
		rules []Rule
		line  string
		want  Verdict
	}{
		"blanket":                          {[]Rule{blanket}, "x=$(ls) && rm $x", Allowed},
		"blanket and a secret":             {[]Rule{blanket}, "cat .env", Asks},
		"blanket lifts no denial":          {[]Rule{{"bash", "rm", false}, blanket}, "rm x", Denied},
		"nor one behind another program":   {[]Rule{{"bash", "rm", false}, blanket}, "sudo rm x", Denied},
		"a denial after an allow":          {[]Rule{{"bash", "git", true}, {"bash", "git push", false}}, "git push", Denied},
		"an allow after a denial":          {[]Rule{{"bash", "git", false}, {"bash", "git status", true}}, "git status", Allowed},
		"which leaves the rest denied":     {[]Rule{{"bash", "git", false}, {"bash", "git status", true}}, "git push", Denied},
		"one denied command denies":        {[]Rule{{"bash", "ls", true}, {"bash", "rm", false}}, "ls && rm x", Denied},
		"an allowed wrapper hides nothing": {[]Rule{{"bash", "sudo", true}, {"bash", "rm", false}}, "sudo rm x", Denied},
		"a rule for another tool":          {[]Rule{{"edit", "*", true}}, "ls", Asks},
		"a star in a word":                 {[]Rule{{"bash", "npm run test:*", true}}, "npm run test:a:b", Allowed},
		"a star for a word":                {[]Rule{{"bash", "git * --stat", true}}, "git diff --stat", Allowed},
		"a star at the end is optional":    {[]Rule{{"bash", "go test *", true}}, "go test", Allowed},
	} {
		d := Decide(Ask, c.rules, Question{Tool: "bash", Kind: "exec", Command: c.line, CWD: "/proj"})
		if d.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", name, d.Verdict, d.Reason, c.want)
		}
	}
}
