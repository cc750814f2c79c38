package host

import (
	"dugout/daemonclient/protocol"
	"dugout/sessionio"
	"testing"
)

func TestMemorySearch(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	c := r.client("a")
	sum, _ := c.saved("say: the port is 8080", "say: something else")
	var got protocol.MemoryHits
	c.must(protocol.MethodMemorySearch, protocol.MemorySearch{CWD: sum.CWD, Query: "port 8080"}, &got)
	if len(got.Hits) != 1 {
		t.Fatalf("got %+v", got)
	}
	h := got.Hits[0]
	if h.ID != sum.ID || h.Path == "" || h.Role != sessionio.RoleUser || h.Time.IsZero() || h.Snippet != "say: the port is 8080" || h.Answer != "the port is 8080" {
		t.Errorf("got %+v", h)
	}
	c.must(protocol.MethodMemorySearch, protocol.MemorySearch{CWD: t.TempDir(), Query: "port"}, &got)
	if len(got.Hits) != 0 {
		t.Errorf("another folder has %+v", got.Hits)
	}
	for _, bad := range []protocol.MemorySearch{{CWD: "here", Query: "port"}, {CWD: sum.CWD, Query: " "}, {CWD: sum.CWD, Query: "re:("}} {
		if code := c.code(protocol.MethodMemorySearch, bad); code != protocol.CodeParams {
			t.Errorf("%+v: code %d", bad, code)
		}
	}
}
