package node

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
)

// Names of keys in the vault.
const (
	nodeKey  = "node"
	OwnerKey = "owner" // acting key of the owner's agent
)

// homed are the agents whose acting keys lie in this vault.
type homed struct {
	mu      sync.Mutex
	net     change.NetID
	vault   *vault.Vault
	names   map[change.AgentID]string // agent -> name of its key in the vault
	signers map[change.AgentID]keys.Signer
}

func openHomed(v *vault.Vault, net change.NetID) (*homed, error) {
	h := &homed{net: net, vault: v, names: map[change.AgentID]string{}, signers: map[change.AgentID]keys.Signer{}}
	infos, err := v.List()
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	for _, i := range infos {
		if i.Kind != vault.Agent {
			continue
		}
		k, err := did.ParseKey(i.Public)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", i.Name, err)
		}
		h.names[change.DeriveAgent(net, k)] = i.Name
	}
	return h, nil
}

// create makes an acting key; an empty name makes one up.
func (h *homed) create(name string, random io.Reader) (string, did.Key, error) {
	if name == "" {
		var b [12]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", did.Key{}, fmt.Errorf("name a key: %w", err)
		}
		name = "acting-" + hex.EncodeToString(b[:])
	}
	info, err := h.vault.Create(name, vault.Agent)
	if err != nil {
		return "", did.Key{}, fmt.Errorf("make acting key: %w", err)
	}
	k, err := did.ParseKey(info.Public)
	if err != nil {
		return "", did.Key{}, fmt.Errorf("make acting key: %w", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.names[change.DeriveAgent(h.net, k)] = name
	return name, k, nil
}

// forget drops a key that no agent was opened with.
func (h *homed) forget(name string) error {
	h.mu.Lock()
	for a, n := range h.names {
		if n == name {
			delete(h.names, a)
			delete(h.signers, a)
		}
	}
	h.mu.Unlock()
	return h.vault.Delete(name)
}

// signer is the acting key of an agent homed here; ok is false for others.
func (h *homed) signer(a change.AgentID) (s keys.Signer, ok bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.signers[a]; s != nil {
		return s, true, nil
	}
	name, ok := h.names[a]
	if !ok {
		return nil, false, nil
	}
	s, err = h.vault.Signer(name)
	if err != nil {
		return nil, true, fmt.Errorf("unlock acting key: %w", err)
	}
	if len(h.signers) >= maxSigners {
		clear(h.signers)
	}
	h.signers[a] = s
	return s, true, nil
}

func (h *homed) has(a change.AgentID) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.names[a]
	return ok
}

// byKeyName is the agent whose acting key has that name in the vault.
func (h *homed) byKeyName(name string) (change.AgentID, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for a, n := range h.names {
		if n == name {
			return a, true
		}
	}
	return change.AgentID{}, false
}

func (h *homed) all() []change.AgentID {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]change.AgentID, 0, len(h.names))
	for a := range h.names {
		out = append(out, a)
	}
	return out
}

// byName finds an agent homed here by its name, without regard to case.
func (n *Node) byName(name string) (change.AgentID, bool) {
	for _, a := range n.local.all() {
		if rec, ok := n.views.Agent(a); ok && strings.EqualFold(rec.Name, name) {
			return a, true
		}
	}
	return change.AgentID{}, false
}

// NewActingKey makes a key in the vault for an agent that is about to register.
// It is never offered to a second subject.
func (n *Node) NewActingKey(context.Context) (vaultName string, key did.Key, err error) {
	return n.local.create("", n.opt.Rand)
}

// DropActingKey deletes a key whose challenge was never answered. A key that an
// agent was opened with is kept.
func (n *Node) DropActingKey(_ context.Context, vaultName string) error {
	if a, ok := n.local.byKeyName(vaultName); ok {
		if _, opened := n.views.Agent(a); opened {
			return nil
		}
	}
	return n.local.forget(vaultName)
}

// Owner is the agent of this node's owner; ok is false before it was made.
func (n *Node) Owner() (change.AgentID, bool) {
	a, ok := n.local.byKeyName(OwnerKey)
	if !ok {
		return a, false
	}
	_, opened := n.views.Agent(a)
	return a, opened
}

// OwnerActingKey is the acting key for the owner's agent, made when it is not
// there yet.
func (n *Node) OwnerActingKey(context.Context) (did.Key, error) {
	if _, ok := n.local.byKeyName(OwnerKey); !ok {
		_, k, err := n.local.create(OwnerKey, n.opt.Rand)
		return k, err
	}
	s, err := n.vault.Signer(OwnerKey)
	if err != nil {
		return did.Key{}, fmt.Errorf("unlock acting key: %w", err)
	}
	return s.Key(), nil
}
