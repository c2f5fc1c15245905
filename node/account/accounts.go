// Package account manages the agents of a node: the chains of their changes, the
// capabilities they issue and revoke, the rotation of their keys, and their passports.
package account

import (
	"context"
	"sync/atomic"

	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/writing"
)

// Accounts acts for the agents hosted by a node. It is safe for concurrent use.
type Accounts struct {
	core      *core.Core
	directory *directory.Directory
	writing   *writing.Writer
	Settled   atomic.Pointer[func(context.Context)] // called when the chains of own agents were compared
}

// New returns the Accounts of a node.
func New(c *core.Core, dir *directory.Directory, w *writing.Writer) *Accounts {
	return &Accounts{core: c, directory: dir, writing: w}
}
