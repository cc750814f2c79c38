package tuitest

import (
	"dugout/views/tui/screen"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

var named = func() map[string]tea.KeyMsg {
	out := map[string]tea.KeyMsg{"space": {Type: tea.KeySpace, Runes: []rune(" ")}}
	for t := tea.KeyType(-200); t < 200; t++ {
		k := tea.KeyMsg{Type: t}
		if s := k.String(); s != "" && t != tea.KeyRunes && t != tea.KeySpace {
			if _, ok := out[s]; !ok {
				out[s] = k
			}
			out["alt+"+s] = tea.KeyMsg{Type: t, Alt: true}
		}
	}
	return out
}()

// Key makes a key from its name: "ctrl+r", "alt+n", "enter", "space", or one character.
func Key(name string) tea.KeyMsg {
	if k, ok := named[name]; ok {
		return k
	}
	alt := false
	if rest, ok := strings.CutPrefix(name, "alt+"); ok {
		name, alt = rest, true
	}
	if r := []rune(name); len(r) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: r, Alt: alt}
	}
	panic(fmt.Sprintf("tuitest: no key %q", name))
}

// Keys makes keys from names between blanks; a name in quotes is typed letter by letter.
func Keys(names string) []tea.KeyMsg {
	var out []tea.KeyMsg
	for _, n := range strings.Fields(names) {
		if text, ok := strings.CutPrefix(n, "'"); ok {
			for _, r := range strings.TrimSuffix(text, "'") {
				out = append(out, Key(string(r)))
			}
			continue
		}
		out = append(out, Key(n))
	}
	return out
}

// Press sends keys to a screen and returns it with the last step.
func Press(s screen.Screen, names string) (screen.Screen, screen.Step) {
	var step screen.Step
	for _, k := range Keys(names) {
		s, step = s.Update(k)
	}
	return s, step
}
