// Package mail is messages between the members of a team, sealed for their recipients.
package mail

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/writing"
)

// Mail sends and reads messages. It is safe for concurrent use.
type Mail struct {
	core      *core.Core
	directory *directory.Directory
	writing   *writing.Writer
}

// New returns the Mail of a node.
func New(c *core.Core, dir *directory.Directory, w *writing.Writer) *Mail {
	return &Mail{core: c, directory: dir, writing: w}
}
