// Package bounty is rewards for work, from the log: openings, steps, and confirmations by
// the home.
package bounty

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/directory"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/writing"
)

// Rewards keeps bounties. It is safe for concurrent use.
type Rewards struct {
	core      *core.Core
	directory *directory.Directory
	writing   *writing.Writer
	social    *social.Social
}

// New returns the Rewards of a node.
func New(c *core.Core, dir *directory.Directory, w *writing.Writer, s *social.Social) *Rewards {
	return &Rewards{core: c, directory: dir, writing: w, social: s}
}
