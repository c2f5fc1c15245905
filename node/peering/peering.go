// Package peering connects a node to its peers: reconciliation and gossip, fetched bodies,
// requests to join guilds, and the events about them.
package peering

import (
	"sync/atomic"

	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/judging"
	"github.com/meshd/meshd/node/social"
	"github.com/meshd/meshd/node/team"
	"github.com/meshd/meshd/p2p/invite"
)

// Peering connects a node. It is safe for concurrent use.
type Peering struct {
	core    *core.Core
	judging *judging.Judging
	account *account.Accounts
	social  *social.Social
	team    *team.Teams

	Net         atomic.Pointer[Network] // nil without peers
	joinHandler atomic.Pointer[JoinHandler]
	greeter     atomic.Pointer[invite.Greeter]
}

// New returns the Peering of a node that is not connected.
func New(c *core.Core, accounts *account.Accounts, s *social.Social, teams *team.Teams, j *judging.Judging) *Peering {
	return &Peering{core: c, judging: j, account: accounts, social: s, team: teams}
}
