package chatview

import "dugout/views/tui/keymap"

// Bindings are all actions of the chat, for checking a person's keys.
func Bindings() []keymap.Binding { return append(bindings(), askBindings()...) }
