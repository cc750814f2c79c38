// Package protocol is the wire between the daemon and its clients, shared by both ends.
//
// Framing: one JSON-RPC 2.0 object a line (LF), UTF-8, at most MaxFrame bytes. The client speaks
// first: "hello" must be the first request. Unknown fields pass, unknown methods get -32601.
// Notifications from the daemon: "event" (Event: one attached session) and "roster" (RosterEvent).
//
// Delivery: events of one session arrive in order, without gaps: seq grows by one within a
// generation (one life of the session in one daemon). A client that was too slow gets one event of
// type "snapshot" in place of what it missed, and goes on from its seq. A session never waits for a
// client.
package protocol
