package core

import (
	"fmt"
	"os"

	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/descriptors"
	"github.com/meshd/meshd/node/store"
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

// Files is how many files the store, the peers and HTTP may each have open.
func (n *Core) Files() descriptors.Share { return descriptors.Here(n.Config().P2P.ConnectionsHigh) }

// freeDisk asks the file system of the home.
func (o *Options) freeDisk() (uint64, error) { return store.FreeBytes(o.Home.Dir()) }

// ReadPassphrase reads a passphrase from a file; line ends at its end are none of it.
func ReadPassphrase(path string) (vault.Unlock, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return vault.Unlock{}, fmt.Errorf("read passphrase file: %w", err)
	}
	text := trimNewline(string(b))
	if text == "" {
		return vault.Unlock{}, fmt.Errorf("read passphrase file: %s contains no passphrase", path)
	}
	return vault.Passphrase(text), nil
}
