package widget

// History walks through earlier texts, newest first, and comes back to what was being written.
type History struct {
	items []string // newest first
	at    int      // 0: the draft
	draft string
}

// SetItems gives the earlier texts, newest first; a walk under way goes on by place.
func (h *History) SetItems(items []string) {
	h.items = items
	h.at = min(h.at, len(items))
}

// Older goes one text back. now is what stands in the editor.
func (h *History) Older(now string) (string, bool) {
	if h.at >= len(h.items) {
		return "", false
	}
	if h.at == 0 {
		h.draft = now
	}
	h.at++
	return h.items[h.at-1], true
}

// Newer goes one text forward, at last to the draft.
func (h *History) Newer() (string, bool) {
	if h.at == 0 {
		return "", false
	}
	h.at--
	if h.at == 0 {
		return h.draft, true
	}
	return h.items[h.at-1], true
}

// Done ends the walk: the text was sent.
func (h *History) Done() { h.at, h.draft = 0, "" }
