// Package directory names and finds agents.
package directory

import "github.com/meshd/meshd/node/core"

// Directory finds agents. It is safe for concurrent use.
type Directory struct {
	core       *core.Core
	AgentCache AgentCache // figures of all agents
}

// New returns the Directory of a node.
func New(c *core.Core) *Directory { return &Directory{core: c} }
