package keymap

import (
	"fmt"
	"testing"
)

func TestOverrides(t *testing.T) {
	t.Parallel()
	set := []Binding{
		{Action: "a", Keys: []string{"ctrl+r", "r"}, Help: "rename", Footer: true},
		{Action: "b", Keys: []string{"f2"}, Help: "other", Footer: true},
		{Action: "c", Keys: []string{"x"}, Help: "off", Off: "no session", Footer: true},
	}
	o := Overrides{"a": {"f2"}, "zz": {"q"}, "c": {}}
	got := o.Apply(set)
	if s := fmt.Sprint(got[0].Keys, got[1].Keys, got[2].Keys); s != "[f2] [] []" {
		t.Errorf("keys %s", s)
	}
	if set[0].Keys[0] != "ctrl+r" {
		t.Error("Apply changed its input")
	}
	if s := fmt.Sprint(o.Unknown(set, List())); s != "[zz]" {
		t.Errorf("unknown %s", s)
	}
	if b, ok := Find(got, "f2"); !ok || b.Action != "a" {
		t.Errorf("f2 means %v", b.Action)
	}
	if _, ok := Find(set, "x"); ok {
		t.Error("a binding that is off matched")
	}
	if n := len(Footer(got)); n != 1 {
		t.Errorf("footer of %d", n)
	}
	if c := Conflicts(append(set, Binding{Action: "d", Keys: []string{"r"}})); len(c) != 1 || c[0] != (Conflict{"r", "a", "d"}) {
		t.Errorf("conflicts %v", c)
	}
	if c := Conflicts(append(Global(), List()...)); len(c) > 0 {
		t.Errorf("conflicts %v", c)
	}
}
