package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSessionFromFirstQuestionToDeletion(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("tui")
	sum := c.start("")
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	if len(r.files()) != 0 || s.sum.OnDisk {
		t.Fatalf("a file before the first question: %v", r.files())
	}
	c.prompt(sum.ID, "write: a.txt hello\nrun: cat a.txt")
	if len(r.files()) != 1 {
		t.Fatalf("acknowledged without a file: %v", r.files())
	}
	s.idle()
	if got := s.texts(sessionio.RoleToolResult); len(got) != 2 || !strings.Contains(got[1], "hello") {
		t.Errorf("tool results %q", got)
	}
	if b, err := os.ReadFile(filepath.Join(r.cwd, "a.txt")); err != nil || strings.TrimSpace(string(b)) != "hello" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	if s.sum.UserMessages != 1 || !s.sum.OnDisk || s.sum.Attention != protocol.AttentionNone || !s.sum.Scripted {
		t.Errorf("summary %+v", s.sum)
	}
	if s.sum.FirstMessage == "" || s.sum.Recap == "" || s.sum.Path != r.files()[0] {
		t.Errorf("summary %+v", s.sum)
	}

	c.must(protocol.MethodSessionStop, byID(sum.ID), nil)
	s.until("the end", func() bool { return s.closed == reasonStopped })
	if len(r.files()) != 1 {
		t.Fatal("stopping took the file")
	}
	c.prompt(sum.ID, "say: again") // resumes it
	s = c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.until("the second answer", func() bool { return s.heard("again") && s.sum.State == protocol.StateIdle })
	if len(r.files()) != 1 || s.sum.UserMessages != 2 {
		t.Errorf("resumed into %v: %+v", r.files(), s.sum)
	}

	var gone protocol.Deleted
	c.must(protocol.MethodSessionDelete, byID(sum.ID), &gone)
	s.until("the end", func() bool { return s.closed == reasonDeleted })
	if len(r.files()) != 0 || gone.Path != s.sum.Path || gone.Way == "" {
		t.Errorf("deleted %+v, left %v", gone, r.files())
	}
	if code := c.code(protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: byID(sum.ID), Text: "x"}); code != protocol.CodeNotFound {
		t.Errorf("prompt after deletion: code %d", code)
	}
}

func TestOneLiveSessionHoweverNamed(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("tui")
	sum := c.start("say: hi")
	c.attach(protocol.Attach{SessionRef: byID(sum.ID)}).idle()
	c.must(protocol.MethodSessionStop, byID(sum.ID), nil)
	link := filepath.Join(t.TempDir(), "link.jsonl")
	if err := os.Symlink(sum.Path, link); err != nil {
		t.Fatal(err)
	}
	dir, base := filepath.Split(sum.Path)
	refs := []protocol.SessionRef{{Path: link}, {Path: sum.Path}, {Path: dir + "./" + base}, byID(sum.ID), {Path: link, ID: "wrong"}}
	done := make(chan error, len(refs))
	for _, ref := range refs {
		go func() {
			done <- c.Call(r.ctx(), protocol.MethodSessionOpen, protocol.OpenSession{SessionRef: ref}, nil)
		}()
	}
	for range refs {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	var list protocol.RosterSnapshot
	c.must(protocol.MethodSessionList, nil, &list)
	if len(list.Sessions) != 1 || list.Sessions[0].ID != sum.ID {
		t.Errorf("live: %+v", list.Sessions)
	}
}

func TestAbortKeepsWhatWasSaidAndTheQueue(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("tui")
	sum := c.start("say: one two three\nwait: 10m\nsay: never")
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.until("some of the answer", func() bool { return s.heard("three") })
	if !c.prompt(sum.ID, "say: later").Queued {
		t.Error("a prompt behind a running turn is not queued")
	}
	c.must(protocol.MethodSessionAbort, byID(sum.ID), nil)
	s.until("rest with a queue", func() bool { return s.sum.State == protocol.StateQueued })
	if !s.heard("three") || s.heard("never") || len(s.queue) != 1 {
		t.Errorf("said %q, queue %+v", s.texts(sessionio.RoleAssistant), s.queue)
	}
	c.must(protocol.MethodSessionStop, byID(sum.ID), nil)
	s = c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	if len(s.queue) != 1 || s.sum.State != protocol.StateQueued {
		t.Fatalf("opened again with the queue %+v, %s", s.queue, s.sum.State)
	}
	var back protocol.Queued
	c.must(protocol.MethodSessionDequeue, protocol.Dequeue{SessionRef: byID(sum.ID), QueueID: s.queue[0].ID}, &back)
	if back.Text != "say: later" {
		t.Errorf("took back %+v", back)
	}
	s.until("rest", func() bool { return s.sum.State == protocol.StateIdle })
	if code := c.code(protocol.MethodSessionDequeue, protocol.Dequeue{SessionRef: byID(sum.ID), QueueID: back.ID}); code != protocol.CodeNotFound {
		t.Errorf("twice: code %d", code)
	}
}

func TestPromptSentTwiceRunsOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("tui")
	sum := c.start("")
	p := protocol.Prompt{SessionRef: byID(sum.ID), Text: "say: once", ClientID: "p1"}
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	c.must(protocol.MethodSessionPrompt, p, nil)
	r.client("the same, reconnected").must(protocol.MethodSessionPrompt, p, nil)
	s.idle()
	if got := s.texts(sessionio.RoleUser); len(got) != 1 || len(s.queue) != 0 {
		t.Errorf("asked %q, waiting %v", got, s.queue)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("tui")
	text := filepath.Join(r.cwd, "notes.txt")
	if err := os.WriteFile(text, []byte("hello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(r.cwd, "gone")
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	homeless := c.start("say: hi", func(p *protocol.NewSession) { p.CWD = gone })
	c.attach(protocol.Attach{SessionRef: byID(homeless.ID)}).idle()
	if err := os.RemoveAll(gone); err != nil {
		t.Fatal(err)
	}
	busy := c.start("wait: 10m")
	tests := []struct {
		name, method string
		params       any
		code         int
	}{
		{"unknown method", "session.dance", nil, protocol.CodeNoMethod},
		{"parameters of another shape", protocol.MethodSessionPrompt, 7, protocol.CodeParams},
		{"no session named", protocol.MethodSessionStop, nil, protocol.CodeParams},
		{"unknown id", protocol.MethodSessionAttach, byID("no-such-session"), protocol.CodeNotFound},
		{"unknown path", protocol.MethodSessionAttach, protocol.SessionRef{Path: filepath.Join(r.cwd, "x.jsonl")}, protocol.CodeNotFound},
		{"relative path", protocol.MethodSessionAttach, protocol.SessionRef{Path: "x.jsonl"}, protocol.CodeParams},
		{"no session file", protocol.MethodSessionAttach, protocol.SessionRef{Path: text}, protocol.CodeNotSession},
		{"new in a folder that is not there", protocol.MethodSessionNew, protocol.NewSession{CWD: gone}, protocol.CodeMissingFolder},
		{"new without a folder", protocol.MethodSessionNew, protocol.NewSession{}, protocol.CodeParams},
		{"new with an unknown provider", protocol.MethodSessionNew, protocol.NewSession{CWD: r.cwd, Model: "none/x"}, protocol.CodeProvider},
		{"new with an unknown mode", protocol.MethodSessionNew, protocol.NewSession{CWD: r.cwd, Permission: "yolo"}, protocol.CodeParams},
		{"prompt where the folder is gone", protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: byID(homeless.ID), Text: "x"}, protocol.CodeMissingFolder},
		{"empty prompt", protocol.MethodSessionPrompt, protocol.Prompt{SessionRef: byID(busy.ID), Text: " \n"}, protocol.CodeParams},
		{"navigate while busy", protocol.MethodSessionNavigate, protocol.Navigate{SessionRef: byID(busy.ID)}, protocol.CodeBusy},
		{"answer to nothing", protocol.MethodSessionAnswer, protocol.Answer{SessionRef: byID(busy.ID), Allow: true}, protocol.CodeNotFound},
		{"shutdown while busy", protocol.MethodDaemonShutdown, protocol.Shutdown{}, protocol.CodeBusy},
	}
	for _, tt := range tests {
		if got := c.code(tt.method, tt.params); got != tt.code {
			t.Errorf("%s: code %d, want %d", tt.name, got, tt.code)
		}
	}
	if b, _ := os.ReadFile(text); string(b) != "hello\n" {
		t.Errorf("the text file is now %q", b)
	}
	var list protocol.RosterSnapshot
	c.must(protocol.MethodSessionList, nil, &list)
	if len(list.Sessions) != 2 {
		t.Errorf("refused sessions stay live: %+v", list.Sessions)
	}

	c.must(protocol.MethodSessionOpen, protocol.OpenSession{SessionRef: byID(homeless.ID), CWD: r.cwd}, nil)
	c.prompt(homeless.ID, "run: pwd")
	s := c.attach(protocol.Attach{SessionRef: byID(homeless.ID)})
	s.until("pwd's answer", func() bool {
		got := s.texts(sessionio.RoleToolResult)
		return len(got) == 1 && strings.Contains(got[0], r.cwd)
	})
}

func TestUnsavedSessionLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("run")
	sum := c.start("say: hi", func(p *protocol.NewSession) { p.NoSession = true })
	s := c.attach(protocol.Attach{SessionRef: byID(sum.ID)})
	s.idle()
	if len(r.files()) != 0 || !s.heard("hi") {
		t.Errorf("files %v, said %q", r.files(), s.texts(sessionio.RoleAssistant))
	}
	c.must(protocol.MethodSessionStop, byID(sum.ID), nil)
	if _, err := os.Stat(filepath.Dir(sum.Path)); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", filepath.Dir(sum.Path), err)
	}
}
