// Package keymap is every key as data: footer, help and rebinding are made from it.
package keymap

import (
	"slices"
	"strings"
)

// Action names what a key does: "roster.rename". Settings rebind by it.
type Action string

// Binding is one action with its keys.
type Binding struct {
	Action Action
	Keys   []string // as Bubble Tea spells them: "ctrl+r", "enter"; the first is shown
	Help   string   // two or three words: "rename"
	Footer bool     // shown in the footer
	Off    string   // why it is off just now; "" when it works
}

// Match says whether a key (tea.KeyMsg.String()) is bound to the action, and on.
func (b Binding) Match(key string) bool { return b.Off == "" && slices.Contains(b.Keys, key) }

// Shown is the binding's first key as a person reads it, "" when it has none.
func (b Binding) Shown() string {
	if len(b.Keys) == 0 {
		return ""
	}
	return Spell(b.Keys[0])
}

// Spell writes a key for a person.
func Spell(key string) string {
	switch key {
	case " ":
		return "space"
	case "pgdown":
		return "pgdn"
	}
	return key
}

// Find is the first binding that a key means, among those that are on.
func Find(bindings []Binding, key string) (Binding, bool) {
	for _, b := range bindings {
		if b.Match(key) {
			return b, true
		}
	}
	return Binding{}, false
}

// Footer lists the bindings for a footer: marked for it, on, and with a key.
func Footer(bindings []Binding) []Binding {
	var out []Binding
	for _, b := range bindings {
		if b.Footer && b.Off == "" && len(b.Keys) > 0 {
			out = append(out, b)
		}
	}
	return out
}

// Overrides are a person's keys: action to keys. An empty list takes an action's keys away.
type Overrides map[Action][]string

// Apply puts a person's keys in place of the default ones. The result shares nothing with bindings.
// A key given to one action of the set is taken from the others, so that it means one thing.
func (o Overrides) Apply(bindings []Binding) []Binding {
	out := slices.Clone(bindings)
	taken := map[string]bool{}
	for i, b := range out {
		if keys, ok := o[b.Action]; ok {
			out[i].Keys = slices.Clone(keys)
			for _, k := range keys {
				taken[k] = true
			}
		}
	}
	for i, b := range out {
		if _, ok := o[b.Action]; !ok {
			out[i].Keys = slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool { return taken[k] })
		}
	}
	return out
}

// Unknown lists the actions that none of the bindings has, sorted: settings that name nothing.
func (o Overrides) Unknown(bindings ...[]Binding) []Action {
	var out []Action
	for a := range o {
		if !slices.ContainsFunc(bindings, func(bs []Binding) bool {
			return slices.ContainsFunc(bs, func(b Binding) bool { return b.Action == a })
		}) {
			out = append(out, a)
		}
	}
	slices.SortFunc(out, func(a, b Action) int { return strings.Compare(string(a), string(b)) })
	return out
}

// Conflict is a key that two actions of one set claim.
type Conflict struct {
	Key  string
	A, B Action
}

// Conflicts lists keys that two bindings claim; the first one wins.
func Conflicts(bindings []Binding) []Conflict {
	var out []Conflict
	owner := map[string]Action{}
	for _, b := range bindings {
		for _, k := range b.Keys {
			if a, ok := owner[k]; ok {
				out = append(out, Conflict{k, a, b.Action})
				continue
			}
			owner[k] = b.Action
		}
	}
	return out
}
