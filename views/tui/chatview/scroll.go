package chatview

// page is what a scroll position is computed over: blocks of lines, laid out when asked for.
type page interface {
	count() int
	lines(i int) []string
}

// scroll says which lines of the transcript show: the end, or those from an anchor on. The anchor is
// an item, so that nothing moves when older or newer items come.
type scroll struct {
	follow bool
	item   string // the topmost item that shows
	line   int    // of it
	fresh  int    // items that came while not following
}

func (s *scroll) toEnd() { *s = scroll{follow: true} }

// grew counts new items.
func (s *scroll) grew(n int) {
	if !s.follow && n > 0 {
		s.fresh += n
	}
}

// place is a line of a page.
type place struct{ block, line int }

func (p place) before(o place) bool {
	return p.block < o.block || p.block == o.block && p.line < o.line
}

// bottom is the place from which h lines reach the end; the beginning when there are fewer.
func bottom(p page, h int) place {
	for i := p.count() - 1; i >= 0; i-- {
		n := len(p.lines(i))
		if n >= h {
			return place{i, n - h}
		}
		h -= n
	}
	return place{}
}

// moved goes by lines from a place, within the page.
func moved(p page, at place, by int) place {
	for by < 0 && (at.block > 0 || at.line > 0) {
		if at.line > 0 {
			step := min(at.line, -by)
			at.line -= step
			by += step
			continue
		}
		at.block--
		at.line = len(p.lines(at.block)) // one past its end
	}
	for by > 0 && at.block < p.count() {
		left := len(p.lines(at.block)) - at.line
		if by < left {
			at.line += by
			break
		}
		by -= left
		at = place{at.block + 1, 0}
	}
	return at
}

// window gathers h lines from a place on.
func window(p page, at place, h int) []string {
	out := make([]string, 0, h)
	for i := at.block; i < p.count() && len(out) < h; i++ {
		lines := p.lines(i)
		if i == at.block {
			lines = lines[min(at.line, len(lines)):]
		}
		out = append(out, lines[:min(len(lines), h-len(out))]...)
	}
	return out
}
