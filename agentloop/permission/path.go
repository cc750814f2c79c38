package permission

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// artifactFolder of dugout's home keeps long outputs, which an agent is told to read.
const artifactFolder = "session-artifacts"

// Folders, by their trailing components, whose whole content is sensitive.
var sensitiveFolders = []struct{ suffix, why string }{
	{".ssh", "ssh keys"},
	{".gnupg", "keys"},
	{".aws", "credentials"},
	{".azure", "credentials"},
	{".kube", "credentials"},
	{".docker", "credentials"},
	{".config/gcloud", "credentials"},
	{".config/gh", "credentials"},
	{".config/op", "credentials"},
	{".password-store", "passwords"},
	{"library/keychains", "passwords"},
	{".local/share/keyrings", "passwords"},
	{".git/hooks", "git hooks run by themselves"},
	{".config/git", "git's configuration can run programs"},
	{".config/fish", "a shell's start-up file"},
	{".config/autostart", "programs started by themselves"},
	{".config/systemd", "programs started by themselves"},
	{"library/launchagents", "programs started by themselves"},
	{".dugout", "dugout's own files"},
}

// Files, by name (path.Match), that are sensitive wherever they lie.
var sensitiveFiles = []struct{ pattern, why string }{
	{".env", "secrets of the environment"},
	{".env.*", "secrets of the environment"},
	{".envrc", "secrets of the environment"},
	{".netrc", "credentials"},
	{"_netrc", "credentials"},
	{".npmrc", "credentials"},
	{".pypirc", "credentials"},
	{".pgpass", "credentials"},
	{".my.cnf", "credentials"},
	{".htpasswd", "credentials"},
	{".git-credentials", "credentials"},
	{"credentials.json", "credentials"},
	{"credentials.toml", "credentials"},
	{"application_default_credentials.json", "credentials"},
	{"id_rsa*", "ssh keys"},
	{"id_dsa*", "ssh keys"},
	{"id_ecdsa*", "ssh keys"},
	{"id_ed25519*", "ssh keys"},
	{"authorized_keys*", "ssh keys"},
	{"*.pem", "keys"},
	{"*.key", "keys"},
	{"*.p12", "keys"},
	{"*.pfx", "keys"},
	{"*.kdbx", "passwords"},
	{"*.keystore", "keys"},
	{".gitconfig", "git's configuration can run programs"},
	{".bash*rc", "a shell's start-up file"},
	{".bash_*", "a shell's start-up file or history"},
	{".profile", "a shell's start-up file"},
	{".zsh*", "a shell's start-up file or history"},
	{".zprofile", "a shell's start-up file"},
	{".zlog*", "a shell's start-up file"},
	{".kshrc", "a shell's start-up file"},
	{".*cshrc", "a shell's start-up file"},
}

// Names that look sensitive and are not.
var harmlessFiles = []string{".env.example", ".env.sample", ".env.template", ".env.dist", ".env.defaults"}

var sensitivePaths = []struct{ pattern, why string }{
	{"/etc/shadow*", "passwords"},
	{"/etc/gshadow*", "passwords"},
	{"/etc/sudoers*", "who may become root"},
	{"/etc/sudoers.d/*", "who may become root"},
	{"/etc/ssh/*", "ssh keys"},
	{"/proc/*/environ", "secrets of the environment"},
	{"/proc/*/mem", "another program's memory"},
}

// Sensitive says why a path always asks, "" when it does not. The path is absolute and home is
// dugout's own. Letter case is ignored, as some file systems do.
func Sensitive(p, home string) string {
	p = path.Clean(p)
	if home != "" && inside(p, path.Clean(home)) {
		return "dugout's own files"
	}
	p = strings.ToLower(p)
	for _, s := range sensitivePaths {
		if ok, _ := path.Match(s.pattern, p); ok {
			return s.why
		}
	}
	for _, s := range sensitiveFolders {
		if strings.Contains(p+"/", "/"+s.suffix+"/") {
			return s.why
		}
	}
	base := path.Base(p)
	if inGit(p) && (base == "config" || base == "config.worktree" || strings.Contains(p+"/", "/hooks/")) {
		return "git's configuration can run programs"
	}
	if slices.Contains(harmlessFiles, base) {
		return ""
	}
	for _, s := range sensitiveFiles {
		if ok, _ := path.Match(s.pattern, base); ok {
			return s.why
		}
	}
	return ""
}

func inGit(p string) bool { return strings.Contains(p+"/", "/.git/") }

// sensitiveFor is Sensitive with what matters to one kind only: nothing inside .git is for editing,
// and an agent may read the outputs that dugout kept for it.
func sensitiveFor(kind, p, home string) string {
	if kind == kindRead && home != "" && inside(path.Clean(p), path.Join(home, artifactFolder)) {
		return ""
	}
	if why := Sensitive(p, home); why != "" {
		return why
	}
	if kind == kindEdit && inGit(strings.ToLower(path.Clean(p))) {
		return "git's own files"
	}
	return ""
}

// inside says whether p is dir or below it; both are clean.
func inside(p, dir string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, "/")+"/")
}

// names says whether a rule's own pattern names something sensitive: a rule for a whole project
// does not open its .env.
func (r Rule) names(kind, cwd, home string) bool {
	p := r.Pattern
	for {
		rest, ok := strings.CutPrefix(p, "**/")
		if !ok {
			break
		}
		p = rest
	}
	if !path.IsAbs(p) {
		p = path.Join(cwd, p)
	}
	return sensitiveFor(kind, strings.TrimRight(p, "/*"), home) != "" || sensitiveFor(kind, p, home) != ""
}

func decidePaths(m Mode, rules []Rule, q Question) Decision {
	if len(q.Paths) == 0 {
		return Decision{Verdict: Asks, Reason: "does not say what it touches"}
	}
	var open Decision // the worst of the paths that no rule allowed
	var by *Rule
	for _, p := range q.Paths {
		r, d := decidePath(m, rules, q, p)
		switch {
		case d.Verdict == Denied:
			return d
		case d.Verdict == Asks:
			if open.Verdict == "" || open.Rule != nil && d.Rule == nil {
				open = d
			}
		case r != nil:
			by = r
		}
	}
	switch {
	case open.Verdict != "":
		return open
	case by != nil:
		return allowedBy(*by)
	}
	return Decision{Verdict: Allowed, Reason: freeReason(m, q.Kind)}
}

func freeReason(m Mode, kind string) string {
	if kind == kindRead {
		return "reading is free"
	}
	return "mode " + string(m)
}

// decidePath decides one path; the rule is the one that allowed it.
func decidePath(m Mode, rules []Rule, q Question, p string) (*Rule, Decision) {
	why := sensitiveFor(q.Kind, p, q.Home)
	var last *Rule
	if i := decisive(rules, func(r Rule) bool {
		return r.about(q) && r.matchesPath(p, q.CWD) && (!r.Allow || why == "" || r.names(q.Kind, q.CWD, q.Home))
	}); i >= 0 {
		last = &rules[i]
	}
	switch {
	case last != nil && !last.Allow:
		return nil, denied(*last)
	case last != nil:
		return last, Decision{Verdict: Allowed}
	case why != "":
		return nil, Decision{Verdict: Asks, Reason: fmt.Sprintf("%s is sensitive: %s", p, why)}
	case q.Kind == kindRead, m == All, m == Edits && inside(path.Clean(p), path.Clean(q.CWD)):
		return nil, Decision{Verdict: Allowed}
	}
	d := Decision{Verdict: Asks, Reason: "edits " + p}
	if inside(path.Clean(p), path.Clean(q.CWD)) {
		d.Rule = &Rule{Tool: kindEdit, Pattern: escapeGlob(path.Clean(q.CWD)) + "/**", Allow: true}
	} else {
		d.Reason += ", outside the project"
	}
	return nil, d
}
