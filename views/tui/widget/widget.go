// Package widget holds the parts that screens share: a list's window, text editors, and the
// overlays to confirm, to pick and to help.
package widget
