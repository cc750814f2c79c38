// Package theme holds the styles of the terminal screens. It is also where Bubble Tea's question to
// the terminal at start is kept from being asked.
package theme

import "github.com/charmbracelet/lipgloss"

// Bubble Tea v1 asks the terminal for its background colour in its own package initialisation and
// waits up to 5 s for an answer, in every command that links it. Telling lipgloss a value first
// keeps it from asking. Go initialises packages by import path, and this one sorts before
// github.com/charmbracelet/bubbletea; it must not import it.
func init() { lipgloss.SetHasDarkBackground(true) }
