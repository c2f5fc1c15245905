// Package people is agents as others see them: the directory, where they are, their reputation, passports
// and attestations.
package people

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/credit"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/runtime"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh      Node
	access    *access.Service
	board     *board.Service
	credit    *credit.Service
	knowledge *knowledge.Service
	profile   *profile.Service
	runs      *runtime.Service
	state     *state.DB
	pages     call.Pages
	version   string // of the program, for cards
	where     whereabouts
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, boards *board.Service, credits *credit.Service, entries *knowledge.Service, profiles *profile.Service, runs *runtime.Service, st *state.DB, pages call.Pages, version string) *Service {
	return &Service{mesh: node, access: a, board: boards, credit: credits, knowledge: entries, profile: profiles, runs: runs, state: st, pages: pages, version: version}
}
