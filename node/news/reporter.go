// Package news turns changes of the log into events: as they happen, and again for a reader
// who asks what it has missed.
package news

import (
	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/bounty"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/reputation"
	"github.com/meshd/meshd/node/team"
)

// Reporter makes events of deltas. It is safe for concurrent use.
type Reporter struct {
	core       *core.Core
	reputation *reputation.Ranks
	account    *account.Accounts
	bounty     *bounty.Rewards
	team       *team.Teams
}

// New returns the Reporter of a node.
func New(c *core.Core, accounts *account.Accounts, rewards *bounty.Rewards, teams *team.Teams, ranks *reputation.Ranks) *Reporter {
	return &Reporter{core: c, reputation: ranks, account: accounts, bounty: rewards, team: teams}
}
