// Package cells measures and cuts text by terminal cells. One measure everywhere.
package cells

// Width is the number of cells of one line; escape sequences of ours count nothing.
func Width(s string) int { panic("contract") }

// Cut shortens one line to at most w cells, with an ellipsis when something was cut.
func Cut(s string, w int) string { panic("contract") }

// Fit is Cut, then padding with spaces to exactly w cells.
func Fit(s string, w int) string { panic("contract") }

// Wrap breaks text into lines of at most w cells, at words where it can.
func Wrap(s string, w int) []string { panic("contract") }
