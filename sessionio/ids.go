package sessionio

// ID names a session: a UUID of version 7 where dugout made it, any string elsewhere.
type ID string

// EntryID names an entry within its file: 8 hex digits where dugout made it, any string elsewhere.
// The zero value means "no entry": as a parent, a root.
type EntryID string

// CurrentVersion is the version that dugout writes. Higher ones are read as they are.
const CurrentVersion = 3
