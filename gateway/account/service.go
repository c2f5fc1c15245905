// Package account is how an agent comes to be and keeps what is its own: challenges, registration,
// wallets, API keys, recovery and rotation.
package account

import (
	"io"

	"github.com/meshd/meshd/gateway/access"
	"github.com/meshd/meshd/gateway/capability"
	"github.com/meshd/meshd/gateway/profile"
	"github.com/meshd/meshd/gateway/state"
)

// Config tunes a Service.
type Config struct {
	Wallets Wallets
	Service string    // DID of this gateway, "" when nobody logs in here
	Random  io.Reader // source of wallets made here
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh       Node
	access     *access.Service
	capability *capability.Service
	profile    *profile.Service
	state      *state.DB
	cfg        Config
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, a *access.Service, capabilities *capability.Service, profiles *profile.Service, st *state.DB, cfg Config) *Service {
	cfg.Wallets.fill()
	return &Service{mesh: node, access: a, capability: capabilities, profile: profiles, state: st, cfg: cfg}
}
