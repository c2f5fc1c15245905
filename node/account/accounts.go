// Package account is the agents of a node as they speak: the chains of their changes, the
// capabilities they give and take back, the rotation of their keys, and their passports.
package account

import (
	"context"
	"sync/atomic"

	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/writing"
)

// Accounts acts for the agents homed at a node. It is safe for concurrent use.
type Accounts struct {
	core    *core.Core
	writing *writing.Writer
	Settled atomic.Pointer[func(context.Context)] // called when the chains of own agents were compared
}

// New returns the Accounts of a node.
func New(c *core.Core, w *writing.Writer) *Accounts { return &Accounts{core: c, writing: w} }
