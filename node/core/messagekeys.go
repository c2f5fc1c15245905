package core

import (
	"crypto/ecdh"
	"sync"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/sealed"
)

// messageKeys keeps the secrets that open direct messages, by the acting key that each
// is derived from.
type messageKeys struct {
	mu  sync.Mutex
	all map[did.Key]*ecdh.PrivateKey
}

// Box is the secret that goes with a key of this node; nil when the key lies
// elsewhere.
func (n *Core) Box(k did.Key) (*ecdh.PrivateKey, error) {
	n.messageKeys.mu.Lock()
	defer n.messageKeys.mu.Unlock()
	if s := n.messageKeys.all[k]; s != nil {
		return s, nil
	}
	seed, ok, err := n.Local.seed(k)
	if err != nil || !ok {
		return nil, err
	}
	s, err := sealed.Secret(seed)
	if err != nil {
		return nil, err
	}
	if n.messageKeys.all == nil || len(n.messageKeys.all) >= maxSigners {
		n.messageKeys.all = map[did.Key]*ecdh.PrivateKey{}
	}
	n.messageKeys.all[k] = s
	return s, nil
}

// BoxOf is the public key that messages for the holder of a key are sealed to,
// nil when the key lies elsewhere.
func (n *Core) BoxOf(k did.Key) ([]byte, error) {
	s, err := n.Box(k)
	if s == nil || err != nil {
		return nil, err
	}
	return s.PublicKey().Bytes(), nil
}
