package agentloop

import "context"

// gitWatch is filled in with the helper that reads a repository.
type gitWatch struct{}

func (a *Agent) watchGit(context.Context) *gitWatch { return &gitWatch{} }
func (g *gitWatch) again(context.Context)           {}
func (g *gitWatch) join()                           {}
