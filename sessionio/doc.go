// Package sessionio reads and writes session files: JSONL, version 3, the format that Prime Agent
// and pi share. A file that dugout writes opens in both; a file that they wrote opens in dugout.
//
// The words, as they are used everywhere in dugout:
//
//   - session: one file. Its first readable line is the header; every other line is an entry.
//   - entry: one line. It has a type, an id, a parent (or none: a root) and a time.
//   - message: what a role said; carried by entries of type "message".
//   - leaf: the entry that the next one will hang under. It is the last entry of the file.
//   - path: the entries from a root to a leaf. branch: a path that leaves another one.
//   - turn: a user's message until the agent settles.
//   - compaction: an entry whose summary stands for what came before it.
//   - branch summary: an entry whose summary stands for a branch that was left.
//   - recap and verdict: the agent's last status (entry "agent_status").
//   - errors trail: custom entries "dugout.error", beside the conversation and never in it.
//   - store: a folder of session files. artifacts: a session's other files, in a folder of their own.
//
// Rules of the format:
//
//   - Lines end in LF alone (U+2028 and the like are text). A last line without LF counts when it
//     is whole JSON and is torn when it is not; the next append starts on a fresh line either way.
//   - A file is only ever appended to, one write a line. The single exception is the first append
//     to a version 1 or 2 file, which migrates it by writing beside and renaming over, with the
//     old bytes kept.
//   - Unknown entry types, roles, blocks and fields are kept byte for byte and passed over.
//   - A malformed line is skipped, counted and reported, never dropped from the file.
//   - What dugout adds are custom entries whose customType begins "dugout.".
package sessionio
