package permission

import "testing"

func TestSensitive(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]bool{
		"/proj/main.go":                 false,
		"/proj/.env":                    true,
		"/proj/.ENV":                    true,
		"/proj/.env.local":              true,
		"/proj/.env.example":            false,
		"/proj/environment.go":          false,
		"/proj/.git/config":             true,
		"/proj/.git/modules/a/config":   true,
		"/proj/.git/hooks/pre-commit":   true,
		"/proj/.git/modules/a/hooks/x":  true,
		"/proj/.git/HEAD":               false,
		"/proj/.github/hooks/x":         false,
		"/proj/config":                  false,
		"/home/u/.ssh/config":           true,
		"/home/u/.ssh":                  true,
		"/home/u/.sshx/a":               false,
		"/home/u/.bashrc":               true,
		"/home/u/.zshenv":               true,
		"/home/u/.profile":              true,
		"/home/u/.aws/credentials":      true,
		"/home/u/.config/gh/hosts.yml":  true,
		"/home/u/.netrc":                true,
		"/srv/cert/server.key":          true,
		"/h/settings.json":              true,
		"/h":                            true,
		"/hx/settings.json":             false,
		"/proj/../h/x":                  true,
		"/proj/.dugout/settings.json":   true,
		"/etc/shadow":                   true,
		"/proc/12/environ":              true,
		"/etc/hosts":                    false,
		"/home/u/Library/Keychains/a.x": true,
	} {
		if got := Sensitive(p, "/h"); (got != "") != want {
			t.Errorf("%s: %q, want sensitive %v", p, got, want)
		}
	}
}

func TestDecidePaths(t *testing.T) {
	t.Parallel()
	const cwd, home = "/pro[j]", "/home/u/.dugout"
	always := Rule{Tool: "edit", Pattern: `/pro\[j\]/**`, Allow: true}
	for name, c := range map[string]struct {
		mode  Mode
		rules []Rule
		tool  string
		kind  string
		paths []string
		want  Verdict
		rule  bool
	}{
		"reading is free":                {Ask, nil, "read", "read", []string{"/anywhere/a"}, Allowed, false},
		"reading a secret asks":          {Ask, nil, "read", "read", []string{cwd + "/.env"}, Asks, false},
		"also in mode all":               {All, nil, "read", "read", []string{cwd + "/.env"}, Asks, false},
		"own files ask":                  {All, nil, "read", "read", []string{home + "/settings.json"}, Asks, false},
		"kept outputs are for reading":   {Ask, nil, "read", "read", []string{home + "/session-artifacts/1/a.log"}, Allowed, false},
		"and not for editing":            {All, nil, "write", "edit", []string{home + "/session-artifacts/1/a.log"}, Asks, false},
		"edits ask":                      {Ask, nil, "edit", "edit", []string{cwd + "/a.go"}, Asks, true},
		"edits outside name no rule":     {Ask, nil, "edit", "edit", []string{"/other/a.go"}, Asks, false},
		"mode edits":                     {Edits, nil, "edit", "edit", []string{cwd + "/a.go"}, Allowed, false},
		"mode edits, outside":            {Edits, nil, "edit", "edit", []string{"/other/a.go"}, Asks, false},
		"mode edits, beside":             {Edits, nil, "edit", "edit", []string{cwd + "x/a.go"}, Asks, false},
		"mode edits, dotdot":             {Edits, nil, "edit", "edit", []string{cwd + "/../other/a.go"}, Asks, false},
		"mode edits, one outside":        {Edits, nil, "edit", "edit", []string{cwd + "/a.go", "/b"}, Asks, false},
		"mode edits, hooks":              {Edits, nil, "write", "edit", []string{cwd + "/.git/hooks/pre-commit"}, Asks, false},
		"mode edits, all of git":         {Edits, nil, "write", "edit", []string{cwd + "/.git/HEAD"}, Asks, false},
		"mode edits, shell rc":           {Edits, nil, "write", "edit", []string{cwd + "/.bashrc"}, Asks, false},
		"mode all":                       {All, nil, "write", "edit", []string{"/other/a.go"}, Allowed, false},
		"mode all, hooks":                {All, nil, "write", "edit", []string{"/other/.git/hooks/x"}, Asks, false},
		"an unknown mode asks":           {"wild", nil, "write", "edit", []string{cwd + "/a.go"}, Asks, true},
		"no path asks":                   {All, nil, "write", "edit", nil, Asks, false},
		"an unknown kind asks":           {All, nil, "x", "magic", []string{cwd + "/a"}, Asks, false},
		"always rule":                    {Ask, []Rule{always}, "write", "edit", []string{cwd + "/d/a.go"}, Allowed, false},
		"always rule opens no secret":    {Ask, []Rule{always}, "write", "edit", []string{cwd + "/.env"}, Asks, false},
		"blanket opens no secret":        {Ask, []Rule{{"*", "*", true}}, "read", "read", []string{cwd + "/.env"}, Asks, false},
		"a rule that names it does":      {Ask, []Rule{{"read", "**/.env", true}}, "read", "read", []string{cwd + "/.env"}, Allowed, false},
		"by folder":                      {Ask, []Rule{{"read", "/home/u/.ssh/**", true}}, "read", "read", []string{"/home/u/.ssh/config"}, Allowed, false},
		"relative to the project":        {Ask, []Rule{{"edit", "*.go", true}}, "edit", "edit", []string{cwd + "/a.go"}, Allowed, false},
		"relative, deeper":               {Ask, []Rule{{"edit", "*.go", true}}, "edit", "edit", []string{cwd + "/d/a.go"}, Asks, true},
		"tool by name":                   {Ask, []Rule{{"write", "**", true}}, "edit", "edit", []string{cwd + "/a.go"}, Asks, true},
		"deny reading":                   {All, []Rule{{"read", "secret/**", false}}, "grep", "read", []string{cwd + "/secret/a"}, Denied, false},
		"later allow":                    {Ask, []Rule{{"read", "d/**", false}, {"read", "d/a", true}}, "read", "read", []string{cwd + "/d/a"}, Allowed, false},
		"later deny":                     {All, []Rule{{"read", "d/a", true}, {"read", "d/**", false}}, "read", "read", []string{cwd + "/d/a"}, Denied, false},
		"a blanket lifts no denial":      {Ask, []Rule{{"read", "d/**", false}, {"*", "*", true}}, "read", "read", []string{cwd + "/d/a"}, Denied, false},
		"one denied path denies":         {All, []Rule{{"read", "d/**", false}}, "read", "read", []string{cwd + "/x", cwd + "/d/a"}, Denied, false},
		"a faulty allow allows nothing":  {Ask, []Rule{{"edit", "[", true}}, "edit", "edit", []string{cwd + "/a"}, Asks, true},
		"a faulty deny denies the tool":  {All, []Rule{{"edit", "[", false}}, "edit", "edit", []string{cwd + "/a"}, Denied, false},
		"spawn asks":                     {Edits, nil, "spawn", "spawn", nil, Asks, true},
		"spawn in mode all":              {All, nil, "spawn", "spawn", nil, Allowed, false},
		"spawn by rule":                  {Ask, []Rule{{"spawn", "*", true}}, "spawn", "spawn", nil, Allowed, false},
		"spawn denied":                   {All, []Rule{{"spawn", "*", false}, {"*", "*", true}}, "spawn", "spawn", nil, Denied, false},
		"deny everything but reading":    {All, []Rule{{"*", "*", false}, {"read", "**/*.md", true}}, "read", "read", []string{cwd + "/a.md"}, Allowed, false},
		"case does not hide a secret":    {All, nil, "read", "read", []string{cwd + "/.Env"}, Asks, false},
		"the project folder is no glob":  {Ask, []Rule{always}, "edit", "edit", []string{"/proj/a.go"}, Asks, false},
		"dotdot does not leave a rule":   {Ask, []Rule{always}, "edit", "edit", []string{cwd + "/../proj/a.go"}, Asks, false},
		"deny with dotdot is no way out": {All, []Rule{{"read", "/d/**", false}}, "read", "read", []string{"/x/../d/a"}, Denied, false},
	} {
		d := Decide(c.mode, c.rules, Question{Tool: c.tool, Kind: c.kind, Paths: c.paths, CWD: cwd, Home: home})
		if d.Verdict != c.want || (d.Rule != nil) != c.rule {
			t.Errorf("%s: %s (%s), rule %v; want %s, a rule: %v", name, d.Verdict, d.Reason, d.Rule, c.want, c.rule)
		}
		if d.Reason == "" {
			t.Errorf("%s: no reason", name)
		}
	}
}

func TestAlwaysForAnEditHolds(t *testing.T) {
	t.Parallel()
	q := Question{Tool: "edit", Kind: "edit", Paths: []string{"/p*/a.go"}, CWD: "/p*", Home: "/h"}
	rule := Decide(Ask, nil, q).Rule
	if rule == nil || rule.Tool != "edit" {
		t.Fatalf("rule %v", rule)
	}
	if d := Decide(Ask, []Rule{*rule}, q); d.Verdict != Allowed {
		t.Errorf("the rule %v does not allow what it was made for: %s", rule, d.Reason)
	}
	q.Paths = []string{"/pro/a.go"}
	if d := Decide(Ask, []Rule{*rule}, q); d.Verdict != Asks {
		t.Errorf("the rule %v allows another project", rule)
	}
}
