package core

import (
	"fmt"

	"github.com/meshd/meshd/node/config"
)

// NodeSeed is that of the key by which this node's connections are secured.
func (n *Core) NodeSeed() ([32]byte, error) {
	_, seed, err := n.Keys.Export(NodeKey)
	if err != nil {
		return seed, fmt.Errorf("read node key: %w", err)
	}
	return seed, nil
}

// Config is the configuration in force.
func (n *Core) Config() config.Config { return *n.Cfg.Load() }
