// Package reputation computes the points and tiers of agents, the leaders, what gateways
// served, and the events about it.
package reputation

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/writing"
)

// Ranks computes the reputation of agents. It is safe for concurrent use.
type Ranks struct {
	core      *core.Core
	directory *directory.Directory
	social    *social.Social
	writing   *writing.Writer
}

// New returns the Ranks of a node.
func New(c *core.Core, dir *directory.Directory, s *social.Social, w *writing.Writer) *Ranks {
	return &Ranks{core: c, directory: dir, social: s, writing: w}
}
