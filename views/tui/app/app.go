// Package app is the root of the terminal program: it owns the stack of screens, the window and the
// pump of events, and puts the real client behind the screens' ports.
package app
