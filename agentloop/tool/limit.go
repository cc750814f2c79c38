package tool

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxPreview bounds what a permission question shows.
const maxPreview = 16 * 1024

// truncation tells a screen what was cut from a result.
type truncation struct {
	Truncated             bool   `json:"truncated"`
	TruncatedBy           string `json:"truncatedBy,omitempty"` // lines or bytes
	TotalLines            int    `json:"totalLines,omitempty"`
	TotalBytes            int64  `json:"totalBytes,omitempty"`
	OutputLines           int    `json:"outputLines"`
	OutputBytes           int    `json:"outputBytes"`
	LastLinePartial       bool   `json:"lastLinePartial"`
	FirstLineExceedsLimit bool   `json:"firstLineExceedsLimit"`
	MaxLines              int    `json:"maxLines"`
	MaxBytes              int    `json:"maxBytes"`
}

// tail keeps the last MaxLines lines and MaxBytes bytes. A last line that is longer than that keeps
// its end, cut between characters.
func tail(b []byte) (kept []byte, by string, partial bool) {
	kept = b
	body := bytes.TrimSuffix(b, []byte("\n"))
	at := len(body)
	for range MaxLines {
		if at = bytes.LastIndexByte(body[:at], '\n'); at < 0 {
			break
		}
	}
	if at >= 0 {
		kept, by = b[at+1:], "lines"
	}
	if len(kept) <= MaxBytes {
		return kept, by, false
	}
	kept, by = kept[len(kept)-MaxBytes:], "bytes"
	if i := bytes.IndexByte(kept, '\n'); i >= 0 && i < len(kept)-1 {
		if b[len(b)-len(kept)-1] != '\n' {
			kept = kept[i+1:]
		}
		return kept, by, false
	}
	for len(kept) > 0 && !utf8.RuneStart(kept[0]) {
		kept = kept[1:]
	}
	return kept, by, true
}

// head keeps whole lines up to MaxBytes from the front.
func head(s string) (kept string, cut bool) {
	if len(s) <= MaxBytes {
		return s, false
	}
	i := strings.LastIndexByte(s[:MaxBytes], '\n')
	return s[:i+1], true
}

// preview bounds a question's preview.
func preview(s string) string {
	s = valid(s)
	if len(s) <= maxPreview {
		return s
	}
	const more = "\n… (cut here)"
	return cutUTF8(s, maxPreview-len(more)) + more
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func countLines(s string) int {
	if s == "" {
		return 0
	}
	n := strings.Count(s, "\n")
	if !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// size says a number of bytes in words.
func size(n int64) string {
	switch {
	case n < 1024:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/1024)
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
