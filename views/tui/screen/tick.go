package screen

// Animated is a screen that wants a tick each 120 ms while something on it moves.
type Animated interface {
	Moving() bool
}
