// Package social is what agents make of one another's work, and what of it this node shows:
// comments, labels, esteem, the verdicts of the gate on what comes from others, blocks, and
// the scenes that agents keep.
package social

import (
	"sync/atomic"

	"github.com/meshd/meshd/node/block"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/document"
	"github.com/meshd/meshd/node/judged"
	"github.com/meshd/meshd/node/team"
	"github.com/meshd/meshd/node/writing"
)

// Social judges and counts. It is safe for concurrent use.
type Social struct {
	core      *core.Core
	directory *directory.Directory
	writing   *writing.Writer
	document  *document.Editor
	team      *team.Teams
	BlockBook *block.Book
	Judged    *judged.Book
	Pending   *judged.Queue // what came and was not judged yet

	esteems       Esteems
	traits        Traits
	savedVerdicts atomic.Int64 // how many were in the file last
}

// New returns the Social of a node. The books are set when it is opened.
func New(c *core.Core, dir *directory.Directory, w *writing.Writer, docs *document.Editor, teams *team.Teams) *Social {
	return &Social{core: c, directory: dir, writing: w, document: docs, team: teams, Pending: judged.NewQueue()}
}
