// Package status is how the gateway and its node are: health, readiness, versions, incidents.
//
// What broke is for who runs the gateway. Start with Health, Ready and AdminIncidents.
package status

import (
	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/journal"
)

// Config tunes a Service.
type Config struct {
	Version     string
	DID         string                 // of this gateway, the audience of tokens; "" when it takes none
	Tools       []string               // names of the live MCP tools
	Facilitator bool                   // whether payments are sent to a chain
	Checks      func() map[string]bool // conditions of readiness that the node does not know; nil: none
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	journal *journal.Journal
	cfg     Config
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, journal *journal.Journal, cfg Config) *Service {
	return &Service{mesh: node, access: a, journal: journal, cfg: cfg}
}
