package roster

import (
	"cmp"
	"strings"
	"time"
)

// SortMode orders the records inside a section. Ties are broken by the time of entering the
// section, then by key, so that rows hold still; no mode looks at what changes with each token.
type SortMode string

const (
	SortRecent   SortMode = "recent"   // entered the section, newest first
	SortActivity SortMode = "activity" // last message, newest first; running ones as in recent
	SortName     SortMode = "name"
	SortCost     SortMode = "cost" // dearest first
	SortFolder   SortMode = "folder"
)

// SortModes lists the modes in the order in which a key walks through them.
func SortModes() []SortMode {
	return []SortMode{SortRecent, SortActivity, SortName, SortCost, SortFolder}
}

// Next is the mode after this one, around.
func (m SortMode) Next() SortMode {
	modes := SortModes()
	for i, x := range modes {
		if x == m {
			return modes[(i+1)%len(modes)]
		}
	}
	return modes[0]
}

// compare orders two records of one section.
func compare(m SortMode, a, b *Record) int {
	c := 0
	switch m {
	case SortActivity:
		if a.Section != Running || b.Section != Running {
			c = newest(a.Modified(), b.Modified())
		}
	case SortName:
		c = cmp.Compare(a.corpus.title, b.corpus.title)
	case SortCost:
		c = cmp.Compare(b.CostUSD(), a.CostUSD())
	case SortFolder:
		c = strings.Compare(a.CWD(), b.CWD())
	case SortRecent:
	}
	if c == 0 {
		c = newest(a.SectionAt, b.SectionAt)
	}
	if c == 0 {
		c = cmp.Compare(a.Key, b.Key)
	}
	return c
}

func newest(a, b time.Time) int { return b.Compare(a) }
