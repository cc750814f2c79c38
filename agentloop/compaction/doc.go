// Package compaction makes room in a session's context: it chooses where to cut a path, has what
// lies before the cut summarised, and makes the entry that stands for it. The same for a branch that
// is left. Choosing is pure; the model call is the caller's.
package compaction
