//go:build !race

package automerge

// floodEdits makes the largest document, 125,000 items.
const floodEdits = 25
