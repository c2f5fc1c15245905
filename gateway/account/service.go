// Package account is how an agent comes to be and keeps what is its own: challenges, registration,
// wallets, API keys, recovery, rotation, capabilities and how far each reaches.
package account

import (
	"io"
	"log/slog"
	"sync"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
)

// Config tunes a Service.
type Config struct {
	Wallets Wallets
	Random  io.Reader    // source of wallets made here
	Log     *slog.Logger // hears of what is tried again; nil: nothing is logged
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh    Node
	access  *access.Service
	profile *profile.Service
	state   *state.DB
	cfg     Config
	issuing sync.RWMutex // read by who issues a capability, written by who ends what was issued
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, access *access.Service, profile *profile.Service, st *state.DB, cfg Config) *Service {
	cfg.Wallets.fill()
	return &Service{mesh: node, access: access, profile: profile, state: st, cfg: cfg}
}
