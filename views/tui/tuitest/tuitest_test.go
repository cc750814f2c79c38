package tuitest

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestKeysHaveTheirNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"ctrl+r": "ctrl+r", "alt+n": "alt+n", "alt+enter": "alt+enter", "space": " ", "漢": "漢", "pgdown": "pgdown", "esc": "esc", "ctrl+_": "ctrl+_"} {
		if got := Key(name).String(); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if n := len(Keys("esc 'abc' ctrl+d")); n != 5 {
		t.Errorf("%d keys", n)
	}
}

func TestFrameShowsWhatATerminalShows(t *testing.T) {
	t.Parallel()
	if got := Frame(t, "a\x1b[31mred\x1b[m 漢字  \n\x1b[6nb", 20, 3); got != "ared 漢字\nb\n" {
		t.Errorf("%q", got)
	}
}
