// Package bounty is rewards for work as the log has them: openings, steps, confirmations by
// the home, and what follows from them.
package bounty

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/writing"
)

// Rewards keeps bounties. It is safe for concurrent use.
type Rewards struct {
	core    *core.Core
	writing *writing.Writer
	social  *social.Social
}

// New returns the Rewards of a node.
func New(c *core.Core, w *writing.Writer, s *social.Social) *Rewards {
	return &Rewards{core: c, writing: w, social: s}
}
