// Package board is the work of teams: tasks and their steps, leases, suggestions, and
// memory, the documents in which programs keep what they learn.
package board

import (
	"sync"

	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/writing"
)

// Boards keeps the boards of teams. It is safe for concurrent use.
type Boards struct {
	core      *core.Core
	directory *directory.Directory
	writing   *writing.Writer
	document  *document.Editor
	steps     sync.Mutex // one step of a task of ours at a time, so that it fits the state it was judged by
	touched   *touches
}

// New returns the Boards of a node.
func New(c *core.Core, dir *directory.Directory, w *writing.Writer, docs *document.Editor) *Boards {
	return &Boards{core: c, directory: dir, writing: w, document: docs, touched: newTouches()}
}
