package node

import (
	"errors"
	"fmt"
	"io"

	"github.com/libp2p/go-libp2p/core/peer"

	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/p2p/host"
)

// OpenVault opens the vault of a home as Open would, for commands that prepare
// a home before a node is opened in it.
func OpenVault(home *store.Home, cfg config.Vault, random io.Reader) (*vault.Vault, error) {
	opt := Options{Home: home, Config: config.Config{Vault: cfg}}
	unlock, err := opt.unlock()
	if err != nil {
		return nil, err
	}
	return vault.Open(home.Path(store.KeysDir), unlock, random)
}

// Identify returns the peer id that a node of this home has or will have, and
// makes its key when there is none.
func Identify(home *store.Home, cfg config.Vault, random io.Reader) (peer.ID, error) {
	v, err := OpenVault(home, cfg, random)
	if err != nil {
		return "", err
	}
	if _, err := v.Create(nodeKey, vault.Node); err != nil && !errors.Is(err, vault.ErrExists) {
		return "", fmt.Errorf("make node key: %w", err)
	}
	_, seed, err := v.Export(nodeKey)
	if err != nil {
		return "", fmt.Errorf("read node key: %w", err)
	}
	return host.PeerID(seed)
}
