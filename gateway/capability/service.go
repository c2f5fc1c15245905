// Package capability is rights that agents give one another by UCAN tokens: issued, listed,
// verified, revoked and endorsed, each bounded by the API key that asked, and ended with it.
package capability

import (
	"log/slog"
	"sync"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/state"
)

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	state   *state.DB
	log     *slog.Logger // records what is tried again; nil: nothing is logged
	issuing sync.RWMutex // read by who issues a capability, written by who ends what was issued
}

// New returns a Service over a node and the state of the gateway. log may be nil.
func New(node Node, a *access.Service, st *state.DB, log *slog.Logger) *Service {
	return &Service{mesh: node, access: a, state: st, log: log}
}
