package markdown

import (
	"dugout/views/tui/cells"
	"slices"
	"strings"

	extast "github.com/yuin/goldmark/extension/ast"
)

// minColumn is the narrowest a column gets before the table is cut at the edge.
const minColumn = 4

const gap = " │ "

// table draws a table in at most w cells: the widest columns give way first, and their cells wrap.
func (p *painter) table(n *extast.Table, w int) []string {
	var rows [][][]span
	columns := 0
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		a := p.base
		if _, head := row.(*extast.TableHeader); head {
			a.bold = true
		}
		var line [][]span
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			line = append(line, p.inline(c, a))
		}
		columns = max(columns, len(line))
		rows = append(rows, line)
	}
	if columns == 0 {
		return nil
	}
	wide := make([]int, columns)
	for _, row := range rows {
		for i, c := range row {
			for _, l := range wrap(c, 1<<20) {
				wide[i] = max(wide[i], cells.Width(flat(l)))
			}
		}
	}
	fit(wide, w-cells.Width(gap)*(columns-1))
	var out []string
	for i, row := range rows {
		out = append(out, p.row(row, wide, n.Alignments)...)
		if i == 0 {
			out = append(out, p.rule(wide))
		}
	}
	return out
}

// fit narrows columns until they sum up to at most w, the widest first.
func fit(wide []int, w int) {
	for i := range wide {
		wide[i] = max(1, wide[i])
	}
	for {
		sum := 0
		for _, n := range wide {
			sum += n
		}
		if sum <= w {
			return
		}
		i := slices.Index(wide, slices.Max(wide))
		if wide[i] <= minColumn {
			return
		}
		second := minColumn
		for k, n := range wide {
			if k != i {
				second = max(second, min(n, wide[i]-1))
			}
		}
		wide[i] = max(second, wide[i]-(sum-w), minColumn)
	}
}

func (p *painter) row(row [][]span, wide []int, align []extast.Alignment) []string {
	lines := make([][][]span, len(wide))
	height := 1
	for i := range wide {
		var c []span
		if i < len(row) {
			c = row[i]
		}
		lines[i] = wrap(c, wide[i])
		height = max(height, len(lines[i]))
	}
	bar := p.r.paint([]span{{gap, attr{ink: inkMuted}}})
	out := make([]string, height)
	for y := range out {
		parts := make([]string, len(wide))
		for i := range wide {
			var c []span
			if y < len(lines[i]) {
				c = lines[i][y]
			}
			left, right := 0, max(0, wide[i]-cells.Width(flat(c)))
			if i < len(align) {
				switch align[i] {
				case extast.AlignRight:
					left, right = right, 0
				case extast.AlignCenter:
					left, right = right/2, right-right/2
				}
			}
			if i == len(wide)-1 {
				right = 0
			}
			parts[i] = strings.Repeat(" ", left) + p.r.paint(c) + strings.Repeat(" ", right)
		}
		out[y] = strings.Join(parts, bar)
	}
	return out
}

func (p *painter) rule(wide []int) string {
	parts := make([]string, len(wide))
	for i, n := range wide {
		parts[i] = strings.Repeat("─", n)
	}
	return p.r.paint([]span{{strings.Join(parts, "─┼─"), attr{ink: inkMuted}}})
}
