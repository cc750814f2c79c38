package widget

import "testing"

func TestBar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		done, total, width int
		want               string
	}{
		{0, 10, 10, "----------"}, {5, 10, 10, "=====-----"}, {10, 10, 10, "=========="}, {20, 10, 4, "===="},
		{-1, 10, 4, "----"}, {1, 0, 4, ""}, {1, 2, 0, ""},
	} {
		if got := Bar(c.done, c.total, c.width); got != c.want {
			t.Errorf("%d of %d in %d: got %q, want %q", c.done, c.total, c.width, got, c.want)
		}
	}
}
