//go:build race

package automerge

// floodEdits is small here: the race detector fills most of what the worker may use.
const floodEdits = 5
