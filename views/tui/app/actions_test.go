package app

import (
	"dugout/views/tui/keymap"
	"fmt"
	"testing"
)

func TestUnknownActions(t *testing.T) {
	t.Parallel()
	o := keymap.Overrides{"roster.rename": {"f2"}, "chat.send": {"ctrl+s"}, "edit.undo": {}, "permission.allow": {"ctrl+y"}, "peek.deny": {"x"}, "app.suspend": {}, "rooster.rename": {"f3"}}
	if got := fmt.Sprint(UnknownActions(o)); got != "[rooster.rename]" {
		t.Error(got)
	}
}
