package core

import (
	"errors"
	"fmt"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/vault"
)

// ImportKey stores a secret that was made elsewhere under a name of the vault.
// A key that acts for agents does so from now on; one that the vault has under another
// name is the same key with one name more. public is what the secret must
// belong to. The refusal is name_taken or invalid_param; nothing is stored then.
func (n *Core) ImportKey(name string, kind vault.Kind, secret [32]byte, public string) (vault.Info, error) {
	return importKey(n, name, kind, public, func() (vault.Info, error) { return n.Keys.Import(name, kind, secret) }, n.Keys.Delete)
}

// ImportHybrid is ImportKey for a key with an ML-DSA-65 half, whose seed is second.
func (n *Core) ImportHybrid(name string, kind vault.Kind, secret, second [32]byte, public string) (vault.Info, error) {
	return importKey(n, name, kind, public, func() (vault.Info, error) { return n.Keys.ImportHybrid(name, kind, secret, second) },
		func(name string) error { return deleteKey(n.Keys, name) })
}

func importKey(n *Core, name string, kind vault.Kind, public string, store func() (vault.Info, error), undo func(string) error) (vault.Info, error) {
	if kind == vault.Node {
		return vault.Info{}, reason.Refuse(reason.InvalidParam, "the key of a node is made with its home and stays there")
	}
	info, err := store()
	switch {
	case errors.Is(err, vault.ErrExists):
		return vault.Info{}, reason.Refuse(reason.NameTaken, "the vault has a key named %s", name)
	case errors.Is(err, vault.ErrName), errors.Is(err, vault.ErrKind):
		return vault.Info{}, reason.Refuse(reason.InvalidParam, "%v", err)
	case err != nil:
		return vault.Info{}, fmt.Errorf("import key: %w", err)
	}
	if info.Public != public {
		wrong := reason.Refuse(reason.InvalidParam, "the secret does not belong to %s", public)
		return vault.Info{}, errors.Join(wrong, undo(name))
	}
	if kind == vault.Agent || kind == vault.Device {
		k, err := did.ParseKey(info.Public)
		if err != nil {
			return vault.Info{}, fmt.Errorf("import key: %w", err)
		}
		n.Local.mu.Lock()
		n.Local.add(name, k, kind)
		n.Local.mu.Unlock()
	}
	return info, nil
}
