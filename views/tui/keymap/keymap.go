// Package keymap is every key as data: footer, help and rebinding are made from it.
package keymap

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
func (b Binding) Match(key string) bool { panic("contract") }
