// Package transcript folds entries and live events into the items that every front end shows: what
// the user said, answers, thinking, tool cards, errors, marks of compactions and branches. Pure.
package transcript
