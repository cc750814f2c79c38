package live

import (
	"dugout/sessionio"
	"errors"
	"slices"
	"testing"
	"time"
)

func info(path string, messages int) sessionio.Info {
	return sessionio.Info{Path: path, MessageCount: messages, Status: &sessionio.AgentStatus{Summary: "s"}, Created: time.Unix(1, 0).UTC()}
}

// disk is what refresh finds.
type disk map[string]sessionio.Info

func (d disk) Refresh(path string) (sessionio.Info, bool, error) {
	i, ok := d[path]
	if i.MessageCount < 0 {
		return i, false, errors.New("can't be read")
	}
	return i, ok, nil
}

func set(paths ...string) map[string]bool {
	m := map[string]bool{}
	for _, p := range paths {
		m[p] = true
	}
	return m
}

func TestListingTellsNewsAlone(t *testing.T) {
	t.Parallel()
	s := newSeen([]sessionio.Info{info("a", 1), info("b", 1), info("c", 1)})
	s.begin()
	for path, want := range map[string]bool{"a": false, "b": true, "d": true} {
		i := info(path, 1)
		if path == "b" {
			i.MessageCount = 2
		}
		if got := s.found(i); got != want {
			t.Errorf("%s is news: %v", path, got)
		}
	}
	if gone := s.missing(); !slices.Equal(gone, []string{"c"}) {
		t.Errorf("gone: %v", gone)
	}
	s.begin()
	for _, i := range []sessionio.Info{info("a", 1), info("b", 2), info("d", 1)} {
		if s.found(i) {
			t.Errorf("%s is told twice", i.Path)
		}
	}
	if gone := s.missing(); len(gone) != 0 {
		t.Errorf("gone: %v", gone)
	}
}

// What was looked at while a listing ran is newer than what the listing says, or does not say.
func TestListingLosesToWhatCameSince(t *testing.T) {
	t.Parallel()
	s := newSeen([]sessionio.Info{info("grown", 1), info("deleted", 1)})
	s.begin()
	d := s.refresh(disk{"grown": info("grown", 5), "new": info("new", 1)}, set("grown", "deleted", "new", "never"))
	if len(d.Saved) != 2 || !slices.Equal(d.Removed, []string{"deleted"}) {
		t.Errorf("refreshed: %+v", d)
	}
	if s.found(info("grown", 1)) || s.found(info("deleted", 1)) {
		t.Error("the listing brought back what was")
	}
	if gone := s.missing(); len(gone) != 0 {
		t.Errorf("gone: %v", gone)
	}
	if s.infos["grown"].MessageCount != 5 || len(s.infos) != 2 {
		t.Errorf("known: %v", s.infos)
	}
	if d := s.refresh(disk{"new": info("new", -1)}, set("new")); !slices.Equal(d.Removed, []string{"new"}) {
		t.Errorf("one that can't be read any more: %+v", d)
	}
}
