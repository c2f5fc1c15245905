// Package welcome is the first things a client asks for: the overview, the quickstart, configuration for MCP
// clients, completion, and the provenance of an entry.
package welcome

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/board"
	"github.com/meshd/meshd/gateway/knowledge"
	"github.com/meshd/meshd/gateway/team"
)

// Config tunes a Service.
type Config struct {
	Version string
	DID     string   // of this gateway, the audience of tokens; "" when it takes none
	Welcome string   // "": one line naming the network
	Lobby   string   // guild that a quickstart joins when it names none; "" for none
	Tools   []string // names of the live MCP tools, in their order
	// NetworkFile is the file of the network with addresses of this node, for newcomers
	// who know the address of the gateway; nil: the gateway does not publish it.
	NetworkFile func() (string, error)
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh      Node
	access    *access.Service
	account   *account.Service
	board     *board.Service
	knowledge *knowledge.Service
	team      *team.Service
	cfg       Config
}

// New returns a Service over a node.
func New(node Node, a *access.Service, accounts *account.Service, boards *board.Service, entries *knowledge.Service, teams *team.Service, cfg Config) *Service {
	return &Service{mesh: node, access: a, account: accounts, board: boards, knowledge: entries, team: teams, cfg: cfg}
}
