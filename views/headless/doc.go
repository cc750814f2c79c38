// Package headless prints for scripts, pipes and screen readers: the roster as plain lines, a
// session's conversation and tree, and one prompt answered on standard output. Every text of
// foreign making goes through sanitize, or into JSON.
package headless
