// Package access is who may do what: whom a caller acts for, which teams it is in with which rights, and the
// ids of what it names. The rooms of the use cases ask it before they do anything; no rule about
// callers stands twice.
package access

import (
	"time"

	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
)

// Config tunes a Service.
type Config struct {
	Now     func() time.Time
	DID     string        // of this gateway, the audience of tokens; "" when it takes none
	BaseURL func() string // the address of this gateway without a final slash, or ""; asked for each reply
}

// Service answers the use cases of this package. It is safe for concurrent use.
type Service struct {
	mesh   Node
	state  *state.DB
	limits *limit.Limiter
	cfg    Config
}

// New returns a Service over a node and the state of the gateway.
func New(node Node, st *state.DB, limits *limit.Limiter, cfg Config) *Service {
	return &Service{mesh: node, state: st, limits: limits, cfg: cfg}
}
