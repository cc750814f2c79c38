package agentloop

import (
	"context"
	"dugout/sessionio"
	"os"
	"path/filepath"
	"time"
)

// longestGit bounds what git may take: it never holds up the end of a turn for longer.
const longestGit = 3 * time.Second

// gitWatch keeps the file up with the state of the repository that the tools work in.
type gitWatch struct {
	a       *Agent
	started chan struct{} // closed when the snapshot of the run's start is in; nil outside a repository
}

// watchGit takes a snapshot beside the first model call.
func (a *Agent) watchGit(ctx context.Context) *gitWatch {
	g := &gitWatch{a: a}
	if a.git == nil || !inRepository(a.o.CWD) {
		return g
	}
	g.started = make(chan struct{})
	go func() {
		defer close(g.started)
		g.snapshot(ctx)
	}()
	return g
}

// join waits for the snapshot under way, so that nothing is appended after the turn's last entry.
func (g *gitWatch) join() {
	if g.started != nil {
		<-g.started
	}
}

// again takes another snapshot: a command may have committed or switched the branch.
func (g *gitWatch) again(ctx context.Context) {
	if g.started != nil {
		g.snapshot(ctx)
	}
}

func (g *gitWatch) snapshot(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, longestGit)
	defer cancel()
	now := g.a.git(ctx, g.a.o.CWD)
	if now == nil || ctx.Err() != nil {
		return
	}
	if was := g.a.lastGit(); was != nil && *was == *now {
		return
	}
	// a failed append is told by the turn's own next one
	_, _ = g.a.append(sessionio.Entry{Type: sessionio.TypeGitState, Git: now})
}

// lastGit is the nearest git_state on the path, else the header's.
func (a *Agent) lastGit() *sessionio.Git {
	l := &a.ledger
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.git != nil {
		return l.git
	}
	tree := a.sess.Tree()
	for id := a.sess.Leaf(); id != ""; {
		m, ok := tree.Get(id)
		if !ok {
			break
		}
		if m.Type == sessionio.TypeGitState {
			if e, err := a.sess.Entry(id); err == nil {
				l.git = e.Git
			}
			break
		}
		id = m.Parent
	}
	if l.git == nil {
		l.git = a.sess.Header().Git
	}
	return l.git
}

// inRepository looks for a .git above a folder, which costs nothing beside asking git.
func inRepository(dir string) bool {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return true
		}
		up := filepath.Dir(dir)
		if up == dir || !filepath.IsAbs(dir) {
			return false
		}
		dir = up
	}
}
