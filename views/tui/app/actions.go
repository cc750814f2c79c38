package app

import (
	"dugout/views/tui/chatview"
	"dugout/views/tui/keymap"
	"dugout/views/tui/rosterview"
)

// UnknownActions lists what a person's keys name and no screen has.
func UnknownActions(o keymap.Overrides) []keymap.Action {
	return o.Unknown(keymap.Global(), keymap.List(), keymap.Edit(), rosterview.Bindings(), chatview.Bindings())
}
