// Package bounty is rewards for work as the log has them: openings, steps, confirmations by
// the home, and what follows from them.
package bounty

import (
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/social"
)

// Rewards keeps bounties. It is safe for concurrent use.
type Rewards struct {
	core   *core.Core
	social *social.Social
}

// New returns the Rewards of a node.
func New(c *core.Core, s *social.Social) *Rewards { return &Rewards{core: c, social: s} }
