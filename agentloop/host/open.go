package host

import (
	"context"
	"dugout/agentloop"
	"dugout/agentloop/model"
	"dugout/agentloop/permission"
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/uuid"
)

// settings are what a session is made live with. Empty ones stay as they are.
type settings struct {
	Model      string
	Permission string
	CWD        string
	Headless   bool
	rules      []permission.Rule
	spawnedBy  *live
	cleanup    func() // removes what a session without a file needed
}

// canonical is the one name of a file: absolute, links resolved.
func canonical(path string) (string, error) {
	if !filepath.IsAbs(path) {
		return "", refuse(protocol.CodeParams, "the session's path %q is not absolute", path)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real, nil
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return filepath.Clean(path), nil
	}
	return filepath.Join(dir, filepath.Base(path)), nil
}

// find says what a reference means: a live session, or the path of a saved one.
func (h *Host) find(ctx context.Context, ref protocol.SessionRef) (*live, string, error) {
	if ref.Path == "" {
		if ref.ID == "" {
			return nil, "", refuse(protocol.CodeParams, "the request names no session: give its id or path")
		}
		h.mu.Lock()
		l := h.sessions[ref.ID]
		h.mu.Unlock()
		if l != nil {
			return l, l.path, nil
		}
		info, err := h.o.Store.Resolve(ctx, string(ref.ID))
		if err != nil {
			return nil, "", err
		}
		ref.Path = info.Path
	}
	path, err := canonical(ref.Path)
	if err != nil {
		return nil, "", err
	}
	h.mu.Lock()
	l := h.byPath[path]
	h.mu.Unlock()
	if l == nil {
		if _, err := os.Stat(path); err != nil {
			return nil, "", fmt.Errorf("session %s: %w", path, err)
		}
	}
	return l, path, nil
}

// findLive is find for what only a live session can do.
func (h *Host) findLive(ctx context.Context, ref protocol.SessionRef) (*live, error) {
	l, path, err := h.find(ctx, ref)
	if err == nil && l == nil {
		err = refuse(protocol.CodeNotFound, "the session %s is not live", path)
	}
	return l, err
}

// open finds a session and makes it live if it is saved. Two requests for one file, however named,
// get one live session.
func (h *Host) open(ctx context.Context, ref protocol.SessionRef, s settings) (l *live, fresh bool, err error) {
	l, path, err := h.find(ctx, ref)
	if err != nil || l != nil {
		return l, false, err
	}
	leave, err := h.gates.enter(ctx, path)
	if err != nil {
		return nil, false, err
	}
	defer leave()
	h.mu.Lock()
	l = h.byPath[path]
	h.mu.Unlock()
	if l != nil {
		return l, false, nil
	}
	sess, err := h.o.Store.OpenSession(path, false, h.holder())
	if err != nil {
		return nil, false, err
	}
	l, err = h.start(sess, path, s)
	if err != nil {
		return nil, false, errors.Join(err, sess.Close())
	}
	return l, true, nil
}

func (h *Host) holder() string { return fmt.Sprintf("daemon pid %d", pid()) }

// create makes a new live session. Nothing is on disk before its first prompt.
func (h *Host) create(header sessionio.Header, s settings, noFile bool) (*live, error) {
	if s.Model != "" { // before anything is made
		if _, err := h.modelRef(s.Model); err != nil {
			return nil, err
		}
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, err
	}
	header.ID, header.Version, header.Timestamp = sessionio.ID(id.String()), sessionio.CurrentVersion, h.o.Now().UTC()
	var sess *sessionio.Session
	if noFile {
		sess, s.cleanup, err = createNowhere(header)
	} else {
		sess, err = h.o.Store.CreateSession(header, h.holder())
	}
	if err != nil {
		return nil, err
	}
	path, err := canonical(sess.Path())
	if err != nil {
		return nil, err
	}
	l, err := h.start(sess, path, s)
	if err != nil {
		err = errors.Join(err, sess.Close())
		if s.cleanup != nil {
			s.cleanup()
		}
		return nil, err
	}
	return l, nil
}

// createNowhere makes a session whose file lives as long as it does, in a folder of its own.
func createNowhere(header sessionio.Header) (*sessionio.Session, func(), error) {
	dir, err := os.MkdirTemp("", "dugout-unsaved-")
	if err != nil {
		return nil, nil, err
	}
	cleanup := func() { _ = os.RemoveAll(dir) }
	sess, err := sessionio.Create(filepath.Join(dir, string(header.ID)+".jsonl"), header, sessionio.Options{})
	if err != nil {
		cleanup()
		return nil, nil, err
	}
	return sess, cleanup, nil
}

// modelRef reads provider/model and sees that the provider is configured.
func (h *Host) modelRef(text string) (sessionio.ModelRef, error) {
	ref, err := model.ParseRef(text)
	if err != nil {
		return ref, refuse(protocol.CodeParams, "%v", err)
	}
	_, _, err = h.o.Models.Get(ref)
	return ref, err
}

// start makes an open session live.
func (h *Host) start(sess *sessionio.Session, path string, s settings) (*live, error) {
	l := &live{
		h: h, sess: sess, id: sess.Header().ID, path: path, cwd: s.CWD, generation: newGeneration(),
		headless: s.Headless, spawnedBy: s.spawnedBy, cleanup: s.cleanup, subs: map[*sub]bool{}, busyKids: map[*live]bool{}, touched: h.o.Now(),
	}
	if l.cwd == "" {
		l.cwd = sess.Header().CWD
	}
	agent, err := h.agent(l, s)
	if err != nil {
		return nil, err
	}
	l.agent = agent
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errShutdown
	}
	if other := h.sessions[l.id]; other != nil {
		return nil, refuse(protocol.CodeHeld, "%s has the id of a session that is live, %s: stop that one first", path, other.path)
	}
	h.sessions[l.id], h.byPath[path] = l, l
	l.begin()
	return l, nil
}

// agent makes the agent of a live session, in its folder.
func (h *Host) agent(l *live, s settings) (*agentloop.Agent, error) {
	mode := h.o.Permission
	if s.Permission != "" {
		m, err := permission.ParseMode(s.Permission)
		if err != nil {
			return nil, refuse(protocol.CodeParams, "%v", err)
		}
		mode = m
	}
	ref := h.o.DefaultModel
	if s.Model != "" {
		given, err := h.modelRef(s.Model)
		if err != nil {
			return nil, err
		}
		ref = given
	}
	rules := s.rules
	if rules == nil {
		rules = h.o.Rules
	}
	cwd := l.cwd
	a, err := agentloop.New(agentloop.Options{
		Session: l.sess, Models: h.o.Models, Model: ref, Tools: h.o.Tools(cwd, l.spawn), Permission: mode, Rules: rules,
		Home: h.o.Home, ArtifactDir: h.o.Store.ArtifactDir(l.path), CWD: cwd, Env: h.o.ToolEnv,
		System: func() string { return h.o.System(cwd) }, Emit: l.emit, Headless: s.Headless,
		Retry: h.o.Retry, Watchdog: h.o.Watchdog, Compaction: h.o.Compaction, Now: h.o.Now,
	})
	if err != nil {
		return nil, err
	}
	if s.Model != "" && a.State().Model != ref {
		if err := a.SetModel(ref); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// checkFolder refuses work in a folder that is gone.
func checkFolder(cwd string) error {
	st, err := os.Stat(cwd)
	switch {
	case cwd == "":
		return refuse(protocol.CodeMissingFolder, "the session names no working folder: open it with one")
	case errors.Is(err, fs.ErrNotExist), err == nil && !st.IsDir():
		return refuse(protocol.CodeMissingFolder, "the session's folder %s is gone: go on with it in another one (--cwd)", cwd)
	}
	return err
}
