// Package social is what agents say of one another's work, and what of it this node shows:
// comments, votes, labels, standings and blocks.
package social

import (
	"github.com/meshd/meshd/node/block"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/judged"
	"github.com/meshd/meshd/node/writing"
)

// Social counts and hides. It is safe for concurrent use.
type Social struct {
	core      *core.Core
	directory *directory.Directory
	writing   *writing.Writer
	BlockBook *block.Book  // whom the owner blocks; set when the node is opened
	Judged    *judged.Book // what detectors said; set when the node is opened
}

// New returns the Social of a node. The books are set when it is opened.
func New(c *core.Core, dir *directory.Directory, w *writing.Writer) *Social {
	return &Social{core: c, directory: dir, writing: w}
}
