package sessionio

import (
	"context"
	"net/url"
	"os/exec"
	"strings"
	"time"
)

// GitSnapshot reads a folder's commit, branch and origin; nil when it is in no repository or git
// does not answer within a second. The URL carries no credentials.
func GitSnapshot(ctx context.Context, cwd string) *Git {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	ask := func(args ...string) string {
		cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks"}, args...)...)
		cmd.Dir = cwd
		out, err := cmd.Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	g := Git{Commit: ask("rev-parse", "HEAD")}
	if g.Branch = ask("symbolic-ref", "--short", "-q", "HEAD"); g == (Git{}) {
		return nil
	}
	g.RepoURL = withoutCredentials(ask("config", "--get", "remote.origin.url"))
	return &g
}

func withoutCredentials(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		if at := strings.LastIndex(raw, "@"); at >= 0 && strings.Contains(raw[:at], ":") {
			return raw[at+1:] // not understood, and it may hold a password
		}
		return raw
	}
	u.User = nil
	return u.String()
}
