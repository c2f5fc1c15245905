// Package passport signs statements about the agents that a node speaks for: passports
// and cards.
package passport

import (
	"github.com/meshd/meshd/node/core"
)

// Passports signs statements. It is safe for concurrent use.
type Passports struct {
	core *core.Core
}

// New returns the Passports of a node.
func New(c *core.Core) *Passports {
	return &Passports{core: c}
}
