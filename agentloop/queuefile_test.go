package agentloop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What waits outlives the process, is delivered once, and leaves no file behind.
func TestQueueOutlivesProcess(t *testing.T) {
	t.Parallel()
	artifacts := filepath.Join(t.TempDir(), "artifacts")
	with := func(o *Options) { o.ArtifactDir = artifacts }
	r := newRig(t, []step{hangs("x")}, nil, with)
	r.prompt("go")
	r.untilDelta()
	for _, in := range []Input{{Text: "later", Kind: FollowUp}, {Text: "now"}, {Text: "never"}} {
		if queued, err := r.Prompt(testContext(t), in); err != nil || !queued {
			t.Fatal(queued, err)
		}
	}
	r.Dequeue(r.Queue()[2].ID)
	if err := r.Close(testContext(t)); err != nil {
		t.Fatal(err)
	}
	r2 := openRig(t, r.path, nil, nil, with)
	if q := r2.Queue(); len(q) != 2 || q[0].Text != "later" || q[0].Kind != FollowUp || q[1].Text != "now" {
		t.Fatalf("queue %+v", q)
	}
	r2.ask("again")
	r2.wantContext("user go", "assistant x [aborted]", "user again", "assistant done.",
		"user now", "assistant done.", "user later", "assistant done.")
	if _, err := os.Stat(filepath.Join(artifacts, "queue.json")); !os.IsNotExist(err) {
		t.Errorf("the file of an empty queue: %v", err)
	}
}

func TestUnreadableQueueFile(t *testing.T) {
	t.Parallel()
	artifacts := t.TempDir()
	if err := os.WriteFile(filepath.Join(artifacts, "queue.json"), []byte("{torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, nil, nil, func(o *Options) { o.ArtifactDir = artifacts })
	if st := r.State(); !strings.Contains(st.LastError, "queue.json.bad") {
		t.Errorf("error %q", st.LastError)
	}
	r.ask("go")
	r.wantContext("user go", "assistant done.")
	if b, err := os.ReadFile(filepath.Join(artifacts, "queue.json.bad")); err != nil || string(b) != "{torn" {
		t.Errorf("put aside: %q, %v", b, err)
	}
}

// A message that can't be kept is not taken.
func TestQueueThatCannotBeSaved(t *testing.T) {
	t.Parallel()
	artifacts := filepath.Join(t.TempDir(), "artifacts")
	if err := os.WriteFile(artifacts, nil, 0o600); err != nil { // a file where the folder should be
		t.Fatal(err)
	}
	r := newRig(t, []step{hangs("x")}, nil, func(o *Options) { o.ArtifactDir = "" })
	r.queueFile.path = filepath.Join(artifacts, "queue.json")
	r.prompt("go")
	r.untilDelta()
	if queued, err := r.Prompt(testContext(t), Input{Text: "lost"}); err == nil || queued || !strings.Contains(err.Error(), "not saved") {
		t.Errorf("queued %v, %v", queued, err)
	}
	if q := r.Queue(); len(q) != 0 {
		t.Errorf("queue %v", q)
	}
}
