// Package writing is the one way by which this node writes: as an agent hosted here, judged by
// the gate, signed, kept, and published.
package writing

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/right"
)

// Writer writes as agents hosted here. It is safe for concurrent use.
type Writer struct {
	core      *core.Core
	directory *directory.Directory
	right     *right.Rights
	drafts    *drafts       // texts that are being written now
	mining    chan struct{} // contains one while a ticket is ground
}

// New returns the Writer of a node.
func New(c *core.Core, dir *directory.Directory, rights *right.Rights) *Writer {
	return &Writer{core: c, directory: dir, right: rights, drafts: newDrafts(), mining: make(chan struct{}, 1)}
}
