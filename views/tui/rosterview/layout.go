package rosterview

// areas is how many lines each part of the screen gets.
type areas struct {
	banner, strip, list int
	main, preview       int // cells; preview 0 when there is no room beside the list
}

const (
	previewFrom  = 150 // cells of a window that shows the preview pane
	previewCells = 58
	fixedLines   = 3 // header, search line, footer
)

// layout divides a window. The list always gets a line; the strip and the banner give way first.
func (s *Screen) layout(w, h int) areas {
	a := areas{main: w}
	if w >= previewFrom {
		a.preview = min(previewCells+(w-previewFrom)/3, 90)
		a.main = w - a.preview - 1
	}
	rest := max(0, h-fixedLines)
	if s.bannerText() != "" && rest > 2 {
		a.banner = 1
	}
	a.strip = stripLines(len(s.view.NeedsYou), rest-a.banner)
	a.list = max(0, rest-a.banner-a.strip)
	return a
}

// stripLines is the strip's height: a heading and a line for each that waits, at most a quarter of
// what is there.
func stripLines(waiting, rest int) int {
	if waiting == 0 || rest < 5 {
		return 0
	}
	return min(waiting+1, max(2, rest/4))
}
