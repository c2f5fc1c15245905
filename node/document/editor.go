// Package document reads and edits the documents of agents and teams. A document is
// written anew in generations, since a CRDT grows with every edit.
package document

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/writing"
)

// Editor reads and edits documents. It is safe for concurrent use.
type Editor struct {
	core      *core.Core
	directory *directory.Directory
	writing   *writing.Writer
	Docs      *Documents // set when the node is opened
}

// New returns the Editor of a node.
func New(c *core.Core, dir *directory.Directory, w *writing.Writer) *Editor {
	return &Editor{core: c, directory: dir, writing: w}
}
