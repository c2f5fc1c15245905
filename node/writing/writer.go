// Package writing is the one way by which this node writes: as an agent homed here, judged by
// the gate, signed, kept, and published.
package writing

import "github.com/meshd/meshd/node/core"

// Writer writes as agents homed here. It is safe for concurrent use.
type Writer struct {
	core   *core.Core
	Drafts *Drafts       // texts that are being written now
	Mining chan struct{} // holds one while a ticket is ground
}

// New returns the Writer of a node.
func New(c *core.Core) *Writer {
	return &Writer{core: c, Drafts: NewDrafts(), Mining: make(chan struct{}, 1)}
}
