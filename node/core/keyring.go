package core

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
)

// Names of keys in the vault.
const (
	NodeKey  = "node"
	OwnerKey = "owner" // first acting key of the owner's agent
)

// Keyring are the keys of this vault that may speak for agents: acting keys, and
// keys that an agent elsewhere has lent to this node as one of its devices.
// Which agent a key speaks for now is known by the views. With a book they are joined by
// the keys that this node shares with others.
type Keyring struct {
	mu      sync.Mutex
	vault   *vault.Vault
	shared  sharedKeys
	names   map[did.Key][]string // key -> its names in the vault, of which the first is read
	devices []did.Key            // those made as device keys
	signers map[did.Key]keys.Signer
	hybrids map[did.Key]*keys.HybridSigner
}

// OpenKeyring lists the keys of a vault that write for agents; none of them is unlocked.
func OpenKeyring(v *vault.Vault) (*Keyring, error) {
	h := &Keyring{vault: v, names: map[did.Key][]string{}, signers: map[did.Key]keys.Signer{}, hybrids: map[did.Key]*keys.HybridSigner{}}
	infos, err := v.List()
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	for _, i := range infos {
		if i.Kind != vault.Agent && i.Kind != vault.Device || strings.HasPrefix(i.Name, sharedPrefix) {
			continue
		}
		k, err := did.ParseKey(i.Public)
		if err != nil {
			return nil, fmt.Errorf("key %q: %w", i.Name, err)
		}
		h.add(i.Name, k, i.Kind)
	}
	return h, nil
}

// add notes a key under a name, which may be one more of a key that is here already.
func (h *Keyring) add(name string, k did.Key, kind vault.Kind) {
	all := h.names[k]
	// Of copies the one that has its second half is read.
	if len(all) > 0 && h.whole(name) && !h.whole(all[0]) {
		h.names[k] = append([]string{name}, all...)
	} else {
		h.names[k] = append(all, name)
	}
	if kind == vault.Device && !slices.Contains(h.devices, k) {
		h.devices = append(h.devices, k)
	}
}

func (h *Keyring) whole(name string) bool {
	_, err := h.vault.Hybrid(name)
	return err == nil
}

// name is that by which a key is read; ok is false when it lies elsewhere.
func (h *Keyring) name(k did.Key) (name string, ok bool) {
	if all := h.names[k]; len(all) > 0 {
		return all[0], true
	}
	return "", false
}

// Create makes a key of a kind in the vault and returns its name; for an empty name it
// makes one up.
func (h *Keyring) Create(name string, kind vault.Kind, random io.Reader) (string, did.Key, error) {
	return h.create(name, kind, random, h.vault.Create)
}

// CreateActing makes an acting key, which may have an ML-DSA-65 half, and returns the
// name that it made up for it.
func (h *Keyring) CreateActing(hybrid bool, random io.Reader) (string, keys.HybridKey, error) {
	if !hybrid {
		name, k, err := h.Create("", vault.Agent, random)
		return name, keys.HybridKey{Key: k}, err
	}
	name, k, err := h.create("", vault.Agent, random, h.vault.CreateHybrid)
	if err != nil {
		return "", keys.HybridKey{}, err
	}
	s, ok, err := h.Hybrid(k)
	if err == nil && !ok {
		err = errors.New("its second half is not there")
	}
	if err != nil {
		return "", keys.HybridKey{}, errors.Join(fmt.Errorf("make acting key: %w", err), h.Forget(k))
	}
	return name, s.Key(), nil
}

func (h *Keyring) create(name string, kind vault.Kind, random io.Reader, create func(string, vault.Kind) (vault.Info, error)) (string, did.Key, error) {
	if name == "" {
		var b [12]byte
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return "", did.Key{}, fmt.Errorf("name a key: %w", err)
		}
		name = actingPrefix + hex.EncodeToString(b[:])
		if kind == vault.Device {
			name = "device-" + hex.EncodeToString(b[:])
		}
	}
	info, err := create(name, kind)
	if err != nil {
		return "", did.Key{}, fmt.Errorf("make %s key: %w", kind, err)
	}
	k, err := did.ParseKey(info.Public)
	if err != nil {
		return "", did.Key{}, fmt.Errorf("make %s key: %w", kind, err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.add(name, k, kind)
	return name, k, nil
}

// Forget deletes a key that speaks for nobody, under each of its names; one that is not
// here is no error.
func (h *Keyring) Forget(k did.Key) error {
	h.mu.Lock()
	names := h.names[k]
	book, shared := h.shared.book, h.shared.has(k)
	delete(h.names, k)
	delete(h.signers, k)
	delete(h.hybrids, k)
	h.mu.Unlock()
	switch {
	case len(names) > 0:
		var errs []error
		for _, name := range names {
			errs = append(errs, deleteKey(h.vault, name))
		}
		return errors.Join(errs...)
	case shared:
		return dropShared(book, k)
	}
	return nil
}

// deleteKey deletes a key, and its second half where it has one.
func deleteKey(v *vault.Vault, name string) error {
	if err := v.Delete(name); err != nil {
		return err
	}
	if err := v.Delete(vault.SecondName(name)); err != nil && !errors.Is(err, vault.ErrNotFound) && !errors.Is(err, vault.ErrName) {
		return err
	}
	return nil
}

// Signer unlocks a key of this vault; ok is false when it lies elsewhere.
func (h *Keyring) Signer(k did.Key) (s keys.Signer, ok bool, err error) {
	h.mu.Lock()
	if s := h.signers[k]; s != nil {
		h.mu.Unlock()
		return s, true, nil
	}
	name, ours := h.name(k)
	shared := h.shared
	has := shared.has(k)
	h.mu.Unlock()
	switch { // without the lock: the book lies elsewhere
	case ours:
		if s, err = h.vault.Signer(name); err != nil {
			return nil, true, fmt.Errorf("unlock key: %w", err)
		}
	case has:
		secret, there, err := shared.secret(k)
		if err != nil || !there {
			return nil, there, err
		}
		s = keys.FromSeed(secret.Seed)
	default:
		return nil, false, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.signers) >= maxSigners {
		clear(h.signers)
	}
	h.signers[k] = s
	return s, true, nil
}

// Hybrid unlocks both halves of a key of this vault; ok is false when one of them lies
// elsewhere.
func (h *Keyring) Hybrid(k did.Key) (s *keys.HybridSigner, ok bool, err error) {
	h.mu.Lock()
	if s := h.hybrids[k]; s != nil {
		h.mu.Unlock()
		return s, true, nil
	}
	name, ours := h.name(k)
	shared := h.shared
	has := shared.has(k)
	h.mu.Unlock()
	switch { // without the lock: the book lies elsewhere
	case ours:
		s, err = h.vault.Hybrid(name)
		if errors.Is(err, vault.ErrNotFound) {
			return nil, false, nil
		}
		if err != nil {
			return nil, true, fmt.Errorf("unlock key: %w", err)
		}
	case has:
		secret, there, err := shared.secret(k)
		if err != nil || !there || secret.Second == nil {
			return nil, false, err
		}
		s = keys.NewHybridSigner(keys.FromSeed(secret.Seed), *secret.Second)
	default:
		return nil, false, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.hybrids) >= maxSigners {
		clear(h.hybrids)
	}
	h.hybrids[k] = s
	return s, true, nil
}

// Second is what signs control changes of an author beside its Ed25519 key: nil where
// they have one signature. The refusal, forbidden, is that the vault lacks the second
// half of the acting key.
func (h *Keyring) Second(a Author) (*keys.HybridSigner, error) {
	if a.PQ == nil {
		return nil, nil
	}
	s, ok, err := h.Hybrid(a.Signer.Key())
	if err != nil {
		return nil, err
	}
	if !ok || !bytes.Equal(s.Key().PQ, a.PQ) {
		r := reason.Refuse(reason.Forbidden, "the agent's acting key has a second half, of ML-DSA-65, and this vault lacks it")
		r.Hint = "meshd id import FILE brings it, from an export of the vault that has both; or rotate with the recovery key: meshd id rotate --recovery FILE"
		return nil, r
	}
	return s, nil
}

// Has reports whether a key lies in this vault and may speak for an agent.
func (h *Keyring) Has(k did.Key) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, ok := h.names[k]
	return ok || h.shared.has(k)
}

// Named is the key that has that name in the vault.
func (h *Keyring) Named(name string) (did.Key, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for k, all := range h.names {
		if slices.Contains(all, name) {
			return k, true
		}
	}
	return h.shared.named(name)
}

// All are the keys of this vault that may speak for agents, in no order.
func (h *Keyring) All() []did.Key {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]did.Key, 0, len(h.names)+len(h.shared.names))
	for k := range h.names {
		out = append(out, k)
	}
	for k := range h.shared.names {
		out = append(out, k)
	}
	return out
}

func (h *Keyring) deviceKeys() []did.Key {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]did.Key(nil), h.devices...)
}
