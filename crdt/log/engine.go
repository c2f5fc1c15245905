package log

import "github.com/meshd/meshd/crdt/log/engine"

// Engine is the store below a log; see package engine.
type Engine = engine.Engine

// ErrFull means that the disk has no room; see IsFull.
var ErrFull = engine.ErrFull

// IsFull reports whether err comes from a disk (or quota) without room. Nothing
// is lost then, and the same call succeeds when there is room again.
func IsFull(err error) bool { return engine.IsFull(err) }

// NewMemory makes the engine that keeps everything in memory, for tests and
// simulated nodes.
func NewMemory() Engine { return engine.NewMemory() }
