package keymap

// Actions of the program, on every screen.
const (
	Interrupt Action = "app.interrupt"
	Suspend   Action = "app.suspend"
)

// Global are the keys that the app keeps for itself: they work on every screen.
func Global() []Binding {
	return []Binding{
		{Action: Interrupt, Keys: []string{"ctrl+c"}, Help: "twice: leave (agents go on)"},
		{Action: Suspend, Keys: []string{"ctrl+z"}, Help: "suspend"},
	}
}

// Actions of moving in a list.
const (
	Up       Action = "list.up"
	Down     Action = "list.down"
	PageUp   Action = "list.pageUp"
	PageDown Action = "list.pageDown"
	First    Action = "list.first"
	Last     Action = "list.last"
)

// List are the keys that move in a list. No letter is among them, so they hold while one types.
func List() []Binding {
	return []Binding{
		{Action: Up, Keys: []string{"up"}, Help: "up"},
		{Action: Down, Keys: []string{"down"}, Help: "down"},
		{Action: PageUp, Keys: []string{"pgup"}, Help: "a page up"},
		{Action: PageDown, Keys: []string{"pgdown"}, Help: "a page down"},
		{Action: First, Keys: []string{"ctrl+home"}, Help: "first"},
		{Action: Last, Keys: []string{"ctrl+end"}, Help: "last"},
	}
}
