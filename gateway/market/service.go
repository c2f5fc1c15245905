// Package market sells entries and credits: from the caller's account here, or for payments by x402 that
// came with a request. A payment whose outcome is open is asked about again.
package market

import (
	"io"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/notice"
	"github.com/meshd/meshd/gateway/owed"
	"github.com/meshd/meshd/gateway/people"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
)

// Config tunes a Service.
type Config struct {
	Market Market
	Random io.Reader // source of the nonces of payouts
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh      Node
	access    *access.Service
	credit    *credit.Service
	knowledge *knowledge.Service
	notice    *notice.Service
	people    *people.Service
	profile   *profile.Service
	state     *state.DB
	pages     call.Pages
	owed      *owed.Keeper
	cfg       Config
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, credits *credit.Service, entries *knowledge.Service, notices *notice.Service, agents *people.Service, profiles *profile.Service, st *state.DB, pages call.Pages, owes *owed.Keeper, cfg Config) *Service {
	return &Service{mesh: node, access: a, credit: credits, knowledge: entries, notice: notices, people: agents, profile: profiles, state: st, pages: pages, owed: owes, cfg: cfg}
}
